// METADATA against the file name and against "Core metadata" on packaging.python.org.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {

// Rules: metadata-mismatch for what pip, uv or packaging.metadata refuse or read differently, and for a name or a
// version that is not the file name's; index-refuses (a warning) for what only an index refuses, such as a field that
// is newer than the metadata version. `text` is the file, or its beginning if it is very long; `place` is its path.
std::vector<Finding> check_metadata(std::string_view text, const WheelName& name, const std::string& place);

// In quotes, and cut to a bearable length.
std::string quoted_value(std::string_view text);

}  // namespace wheelarch
