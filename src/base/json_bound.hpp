// A bound of what JSON takes as values, which can be thirty times its text: checked before it is parsed.
#pragma once

#include <cstddef>
#include <string_view>

namespace wheelarch {

inline constexpr std::size_t kMostJsonValues = 1'000'000;

// Throws an Error (exit 3) if the text has more than `most` values, counted by what separates and opens them.
void require_few_values(std::string_view json, std::size_t most = kMostJsonValues);

}  // namespace wheelarch
