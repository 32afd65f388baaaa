// Is a value of a type made, or converted into, where the type is named?
#pragma once

#include <cstddef>
#include <string_view>

namespace wheelarch {

// For the name at [begin, end) of `text`: `T(v)`, `T{v}`, `T name(v)`, `T name{v}`, `(T)v`, `static_cast<T>(v)`,
// `NumericConverter<T, float>`. By the characters around it, so that comments there hide it. Only where statements are
// is `T name(v)` more than a declaration.
bool makes_value(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace wheelarch
