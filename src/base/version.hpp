// Release numbers as CUDA and torch have them.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

namespace wheelarch {

// Major and minor of `12.8` or `12.8.1`; nothing for any other text. Components have no leading zeros and at most three
// digits.
std::optional<std::pair<unsigned, unsigned>> parse_major_minor(std::string_view text);

}  // namespace wheelarch
