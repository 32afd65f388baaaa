// Words of the user in messages of this folder.
#pragma once

#include <string>
#include <string_view>

namespace wheelarch {

// Safe to show (base/text.hpp) and cut to a bearable length.
std::string shortened(std::string_view text);
// The same in double quotes.
std::string in_quotes(std::string_view text);

}  // namespace wheelarch
