// Short texts found in sources, many bytes at a time: the C library's search goes byte by byte where it is musl, and
// any search for the first byte stops at each common letter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace wheelarch {

// The first `wanted` in [at, end), or `end`.
inline const char* find_byte(const char* at, const char* end, char wanted) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    constexpr std::uint64_t kTops = 0x8080808080808080;
    const std::uint64_t pattern = kOnes * static_cast<unsigned char>(wanted);
    for (; end - at >= 8; at += 8) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, at, 8);
        bytes ^= pattern;
        if (((bytes - kOnes) & ~bytes & kTops) != 0) {  // one of them is 0
            break;
        }
    }
    return std::find(at, end, wanted);
}

// How many bytes of `text` are `wanted`: without a branch and in bytes, in blocks whose counts fit into one.
inline std::size_t count_byte(std::string_view text, char wanted) {
    constexpr std::size_t kBlock = 192;
    std::size_t count = 0;
    for (; text.size() >= kBlock; text.remove_prefix(kBlock)) {
        unsigned char of_block = 0;
        for (std::size_t i = 0; i < kBlock; ++i) {
            of_block = static_cast<unsigned char>(of_block + static_cast<unsigned char>(text[i] == wanted));
        }
        count += of_block;
    }
    return count + static_cast<std::size_t>(std::count(text.begin(), text.end(), wanted));
}

// The first place at or behind `from` where `part` stands, or npos. `part` has at least kSize bytes: of these all bytes
// of a block are compared at once, without a branch, in a loop that compilers make vectors of.
template <std::size_t kSize = 2>
std::size_t find_part(std::string_view text, std::string_view part, std::size_t from = 0) {
    constexpr std::size_t kBlock = 64;
    const auto in_block = [&](const char* at) {
        unsigned char found = 0;
        for (std::size_t i = 0; i < kBlock; ++i) {
            unsigned char same = 1;
            for (std::size_t k = 0; k < kSize; ++k) {
                same &= static_cast<unsigned char>(at[i + k] == part[k]);
            }
            found |= same;
        }
        return found != 0;
    };
    for (; from + kBlock + kSize <= text.size(); from += kBlock) {
        if (!in_block(text.data() + from)) {
            continue;
        }
        for (std::size_t i = from; i < from + kBlock; ++i) {
            if (text[i] == part[0] && text.substr(i).starts_with(part)) {
                return i;
            }
        }
    }
    return text.find(part, std::min(from, text.size()));
}

template <std::size_t kSize = 4>
bool has_part(std::string_view text, std::string_view part) {
    return find_part<kSize>(text, part) != std::string_view::npos;
}

}  // namespace wheelarch
