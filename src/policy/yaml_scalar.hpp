// What other readers of YAML make of a scalar without quotes. yaml-cpp gives its text, but the readers that a farm's
// own scripts use turn it into a value first, and `12.10` is then 12.1.
#pragma once

#include <string>
#include <string_view>

namespace wheelarch {

// By the types that Python's reader tells from the text alone ("resolver" of PyYAML, which is YAML 1.1): `the number
// 12.1`, `a date`. Empty if it stays text.
std::string other_reading(std::string_view text);

}  // namespace wheelarch
