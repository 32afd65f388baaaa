// The paths of a wheel's members, as an installer would write them.
#pragma once

#include <string>
#include <vector>

#include "base/finding.hpp"
#include "wheel/zip.hpp"

namespace wheelarch {

// Rule `member-path`. Errors: a path that leads out of the folder that a wheel is unpacked into, or that installers
// refuse or write to different places; two members that are installed as one file, a file where a folder must be; a
// `.data` folder that is not this wheel's, or of no known scheme; what lies where the stamp has to. In wheels for
// Windows, for macOS and for any platform, names that only case tells apart are one file; on Windows dots and blanks at
// the end do not count either. Warnings: a symbolic link, which installers do not make; a name with empty parts or `.`.
//
// The place of each finding is the path alone. `dist_info` may be empty; `platforms` are the platform tags.
std::vector<Finding> check_member_paths(const std::vector<ZipMember>& members, const std::string& dist_info,
                                        const std::vector<std::string>& platforms);

}  // namespace wheelarch
