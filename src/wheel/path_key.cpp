#include "wheel/path_key.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "base/text.hpp"

namespace wheelarch {
namespace {

// The character at `at`, which is moved behind it. Bytes that are no UTF-8 stand for themselves.
char32_t take_character(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at);
    const std::size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    if (more == 0 || at + more >= text.size()) {
        return byte(at++);
    }
    char32_t character = first & (0x3fU >> more);
    for (std::size_t i = 1; i <= more; ++i) {
        character = character << 6U | (byte(at + i) & 0x3fU);
    }
    at += more + 1;
    return character;
}

bool is_in(char32_t c, char32_t first, char32_t last) {
    return c >= first && c <= last;
}

char32_t folded(char32_t c) {
    if (is_in(c, 'A', 'Z') || (is_in(c, 0xc0, 0xde) && c != 0xd7) || is_in(c, 0x391, 0x3a9) || is_in(c, 0x410, 0x42f)) {
        return c + 0x20;
    }
    if (is_in(c, 0x400, 0x40f)) {
        return c + 0x50;
    }
    const bool even_is_upper = is_in(c, 0x100, 0x12f) || is_in(c, 0x132, 0x137) || is_in(c, 0x14a, 0x177) ||
                               is_in(c, 0x460, 0x481) || is_in(c, 0x48a, 0x4bf) || is_in(c, 0x4d0, 0x52f) ||
                               is_in(c, 0x1e00, 0x1e95) || is_in(c, 0x1ea0, 0x1eff);
    const bool odd_is_upper = is_in(c, 0x139, 0x148) || is_in(c, 0x179, 0x17e);
    return (even_is_upper && c % 2 == 0) || (odd_is_upper && c % 2 == 1) ? c + 1 : c;
}

std::string_view without_end(std::string_view part) {
    part = part.substr(0, part.find(':'));
    return part.substr(0, part.find_last_not_of(". ") + 1);
}

bool is_device(std::string_view part) {
    constexpr std::array<std::string_view, 6> names = {"con", "prn", "aux", "nul", "conin$", "conout$"};
    const std::string stem = lower_case(without_end(part.substr(0, part.find('.'))));
    const std::string_view kind = std::string_view(stem).substr(0, 3);
    return std::find(names.begin(), names.end(), stem) != names.end() ||
           (stem.size() == 4 && (kind == "com" || kind == "lpt") && stem[3] >= '1' && stem[3] <= '9');
}

template <typename Each>
void each_part(std::string_view path, const Each& each) {
    while (!path.empty()) {
        const std::string_view part = path.substr(0, path.find('/'));
        path.remove_prefix(std::min(part.size() + 1, path.size()));
        each(part);
    }
}

std::string problem_of(std::string_view part) {
    constexpr std::string_view forbidden = "<>:\"|?*";
    if (is_device(part)) {
        return fmt::format("'{}' is a device", printable(part));
    }
    if (const std::size_t at = part.find_first_of(forbidden); at != std::string_view::npos) {
        return part[at] == ':' ? "what follows the colon is a stream of another file"
                               : fmt::format("no name may hold `{}`", part[at]);
    }
    return part != "." && part != ".." && (part.ends_with('.') || part.ends_with(' '))
               ? "the dots and blanks at the end of a name are left out"
               : "";
}

}  // namespace

std::string windows_key(std::string_view path) {
    std::u32string key;
    each_part(path, [&](std::string_view part) {
        const std::string_view name = without_end(part);
        key += U'/';
        for (std::size_t at = 0; at < name.size();) {
            key += folded(take_character(name, at));
        }
    });
    std::string bytes;
    for (const char32_t c : key) {
        for (const unsigned shift : {16U, 8U, 0U}) {
            bytes += static_cast<char>(static_cast<std::uint32_t>(c) >> shift & 0xffU);
        }
    }
    return bytes;
}

std::string windows_problem(std::string_view path) {
    std::string problem;
    each_part(path, [&](std::string_view part) { problem = problem.empty() ? problem_of(part) : problem; });
    return problem;
}

bool has_hidden_characters(std::string_view path) {
    for (std::size_t at = 0; at < path.size();) {
        const char32_t c = take_character(path, at);
        if (c < 0x20 || is_in(c, 0x7f, 0x9f) || is_in(c, 0x200b, 0x200f) || is_in(c, 0x2028, 0x202e) ||
            is_in(c, 0x2060, 0x206f) || c == 0xfeff) {
            return true;
        }
    }
    return false;
}

}  // namespace wheelarch
