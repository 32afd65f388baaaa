// Damage to a small good file: whatever is cut off it and whichever bit is turned, a reader must answer or throw an
// Error. Crashes and overruns show under the sanitizers; hangs show as hangs.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/byte_view.hpp"
#include "base/error.hpp"

namespace wheelarch {

// The text of the Error that `body` ends with, and the fix on a line of its own; or a text that says that there was
// none.
template <typename Body>
std::string error_text(Body&& body) {
    try {
        body();
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::unchecked);
        return error.what() + (error.fix().empty() ? std::string() : "\nfix: " + error.fix());
    }
    return "no error";
}

// What every read past the end of its data says at last.
inline constexpr std::string_view kCutShort = "\nfix: the file is cut short or damaged: build or download it again";

inline std::string cut_short(std::string_view problem) {
    return std::string(problem) + std::string(kCutShort);
}

// Empty if `read` gives an answer or an Error.
template <typename Read>
std::string misbehaviour(const std::string& bytes, const Read& read) {
    try {
        // A copy of exactly this size, so that the sanitizers see a read past its end.
        const std::vector<char> copy(bytes.begin(), bytes.end());
        read(ByteView(copy.data(), copy.size()));
    } catch (const Error&) {
        return {};
    } catch (const std::exception& other) {
        return other.what();
    }
    return {};
}

template <typename Read>
void check_truncations(const std::string& sample, const Read& read) {
    CHECK_NOTHROW(read(ByteView(sample)));
    for (std::size_t size = 0; size < sample.size(); ++size) {
        const std::string wrong = misbehaviour(sample.substr(0, size), read);
        CHECK_MESSAGE(wrong.empty(), "cut to ", size, " bytes: ", wrong);
    }
}

// Flips each bit of bytes [begin, end).
template <typename Read>
void check_bit_flips(const std::string& sample, std::uint64_t begin, std::uint64_t end, const Read& read) {
    std::string flipped = sample;
    for (std::uint64_t bit = begin * 8; bit < end * 8; ++bit) {
        char& byte = flipped.at(static_cast<std::size_t>(bit / 8));
        const char good = byte;
        byte = static_cast<char>(byte ^ (1 << bit % 8));
        const std::string wrong = misbehaviour(flipped, read);
        CHECK_MESSAGE(wrong.empty(), "bit ", bit % 8, " of byte ", bit / 8, ": ", wrong);
        byte = good;
    }
}

template <typename Read>
void check_damage(const std::string& sample, const Read& read) {
    check_truncations(sample, read);
    check_bit_flips(sample, 0, sample.size(), read);
}

}  // namespace wheelarch
