// Text from inputs (member names, source lines, other programs' words), made safe to show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

// UTF-8 for JSON: bytes that are not are replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

// One line for a terminal or a log: control characters and bytes that are not UTF-8 are shown as `\n`, `\x1b`; and what
// a GitHub runner would take for a workflow command (`##[` anywhere, `::` at the start) is broken by a space.
std::string printable(std::string_view text);

// ASCII letters only.
std::string lower_case(std::string_view text);

// Joins with `, `, at most `most` of them: `a, b, c and 7 more`.
std::string enumerate(const std::vector<std::string>& items, std::size_t most);

// `1 image`, `2 images`.
std::string count_of(unsigned long long count, std::string_view noun);

// The name in `known` that is nearest to `text` by edit distance, if it is near enough to be a typing error; else
// empty.
std::string nearest_name(std::string_view text, const std::vector<std::string>& known);

}  // namespace wheelarch
