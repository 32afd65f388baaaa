// The paths of a wheel's members, as an installer would write them.
#pragma once

#include <string>
#include <vector>

#include "base/finding.hpp"
#include "wheel/zip.hpp"

namespace wheelarch {

// Rule `member-path`: an error for a path that leads out of the folder that a wheel is unpacked into, or that is a
// folder where the stamp has to lie; a warning for a symbolic link, which installers do not make. The place of each
// finding is the path alone. `dist_info` may be empty.
std::vector<Finding> check_member_paths(const std::vector<ZipMember>& members, const std::string& dist_info);

}  // namespace wheelarch
