// The fields of a matrix row, before they are read.
#pragma once

#include <optional>
#include <string_view>

#include "base/finding.hpp"

namespace wheelarch {

// `row-not-understood` (a warning) if a row says nothing of what its wheel is compared with: it has none of package,
// version, cuda, pytorch, python and platform, but other fields. Those that look like one of these are named. `json`
// has passed parse_matrix_row.
std::optional<Finding> row_not_understood(std::string_view json);

}  // namespace wheelarch
