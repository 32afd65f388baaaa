// Wheel file names: `{distribution}-{version}(-{build})?-{python}-{abi}-{platform}.whl`, as "Binary distribution
// format" on packaging.python.org has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

struct WheelName {
    std::string distribution;
    std::string version;
    std::string build;  // empty if there is none
    // Compressed tag sets, split at the dots.
    std::vector<std::string> python_tags;
    std::vector<std::string> abi_tags;
    std::vector<std::string> platform_tags;
};

// `file_name` is the last part of a path. Throws an Error (exit 3) that says which field is wrong.
WheelName parse_wheel_name(std::string_view file_name);

}  // namespace wheelarch
