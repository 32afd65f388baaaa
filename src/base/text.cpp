#include "base/text.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wheelarch {
namespace {

// The length of the UTF-8 sequence at the start of `text` (RFC 3629: shortest form, no surrogates), or 0.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto follows = [&](std::size_t i, unsigned low, unsigned high) {
        return i < text.size() && byte(i) >= low && byte(i) <= high;
    };
    const unsigned first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xc2 && first <= 0xdf) {
        return follows(1, 0x80, 0xbf) ? 2 : 0;
    }
    if (first >= 0xe0 && first <= 0xef) {
        const unsigned low = first == 0xe0 ? 0xa0 : 0x80;
        const unsigned high = first == 0xed ? 0x9f : 0xbf;
        return follows(1, low, high) && follows(2, 0x80, 0xbf) ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const unsigned low = first == 0xf0 ? 0x90 : 0x80;
        const unsigned high = first == 0xf4 ? 0x8f : 0xbf;
        return follows(1, low, high) && follows(2, 0x80, 0xbf) && follows(3, 0x80, 0xbf) ? 4 : 0;
    }
    return 0;
}

// Calls `good` with each UTF-8 sequence and `bad` with each byte that begins none.
template <typename Good, typename Bad>
void walk_utf8(std::string_view text, const Good& good, const Bad& bad) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0) {
            bad(static_cast<unsigned char>(text.front()));
        } else {
            good(text.substr(0, length));
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
}

// C0, DEL, C1 (U+0080 to U+009F), and the characters that reorder or hide text (U+200B to U+200F, U+2028 to U+202E,
// U+2066 to U+2069).
bool is_control(std::string_view sequence) {
    if (sequence.size() == 1) {
        return static_cast<unsigned char>(sequence[0]) < 0x20 || sequence[0] == 0x7f;
    }
    if (sequence.size() == 2) {
        return sequence >= "\xc2\x80" && sequence <= "\xc2\x9f";
    }
    return sequence.size() == 3 && ((sequence >= "\xe2\x80\x8b" && sequence <= "\xe2\x80\x8f") ||
                                    (sequence >= "\xe2\x80\xa8" && sequence <= "\xe2\x80\xae") ||
                                    (sequence >= "\xe2\x81\xa6" && sequence <= "\xe2\x81\xa9"));
}

std::string escaped(std::string_view sequence) {
    constexpr std::string_view kNamed = "\n\r\t";
    constexpr std::string_view kLetters = "nrt";
    const std::size_t named = sequence.size() == 1 ? kNamed.find(sequence) : std::string_view::npos;
    if (named != std::string_view::npos) {
        return {'\\', kLetters[named]};
    }
    std::string result;
    for (const char c : sequence) {
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return result;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substitute = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substitute, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string valid_utf8(std::string_view text) {
    std::string result;
    walk_utf8(
        text, [&](std::string_view sequence) { result += sequence; }, [&](unsigned char) { result += "\xef\xbf\xbd"; });
    return result;
}

std::string printable(std::string_view text) {
    std::string result;
    walk_utf8(
        text,
        [&](std::string_view sequence) { result += is_control(sequence) ? escaped(sequence) : std::string(sequence); },
        [&](unsigned char byte) { result += fmt::format("\\x{:02x}", byte); });
    for (std::size_t at = result.find("##["); at != std::string::npos; at = result.find("##[", at)) {
        result.insert(at + 1, " ");
    }
    const std::size_t start = result.find_first_not_of(' ');
    if (start != std::string::npos && result.compare(start, 2, "::") == 0) {
        result.insert(start + 1, " ");
    }
    return result;
}

std::string lower_case(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

std::string enumerate(const std::vector<std::string>& items, std::size_t most) {
    if (items.size() <= most) {
        return fmt::format("{}", fmt::join(items, ", "));
    }
    const auto end = items.begin() + static_cast<std::ptrdiff_t>(most);
    return fmt::format("{} and {} more", fmt::join(items.begin(), end, ", "), items.size() - most);
}

std::string count_of(unsigned long long count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string nearest_name(std::string_view text, const std::vector<std::string>& known) {
    constexpr std::size_t kLongest = 64;  // no name of ours is longer, and the distance costs length times length
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(text.size() / 3, 1) + 1;
    for (const std::string& name : known) {
        const std::size_t distance = text.size() > kLongest ? best_distance : edit_distance(text, name);
        if (distance < best_distance) {
            best = name;
            best_distance = distance;
        }
    }
    return best;
}

}  // namespace wheelarch
