// Wheel file names: `{distribution}-{version}(-{build})?-{python}-{abi}-{platform}.whl`, as "Binary distribution
// format" on packaging.python.org has them, and as strict as packaging.utils.parse_wheel_filename and uv together. PEP
// 825 (a draft) puts the label of a variant after the platform: `-cu130.whl`.
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
    std::string variant;  // the label of a variant wheel; empty for any other
};

// `file_name` is the last part of a path. Throws an Error (exit 3) that says which field is wrong.
WheelName parse_wheel_name(std::string_view file_name);

// A file name that two names share just when they name the same wheel: distribution, version and build tag in their
// normal forms, each tag set in lower case and sorted. Tools write compressed tag sets in either order.
std::string canonical_name(const WheelName& name);

// "Core metadata" on packaging.python.org: letters, digits, `.`, `_` and `-`, with a letter or digit at both ends.
bool is_project_name(std::string_view name);

// `Flash-Attn` and `flash.attn` are `flash_attn`: "Names and normalization", joined by underscores as in file names.
std::string normal_name(std::string_view distribution);

// The normal form of "Version specifiers" (PEP 440): `2.8.3+CU128-torch2.8` is `2.8.3+cu128.torch2.8`, but
// `cu128torch28` and `cu128torch2.8` stay two versions. Text that is no such version is only put in lower case.
std::string normal_version(std::string_view version);

// Is it a version by PEP 440? Blanks around it do not count.
bool is_version(std::string_view version);

// The same for versions that are equal by PEP 440: `1.0` and `1.0.0` are both `1`.
std::string comparable_version(std::string_view version);

}  // namespace wheelarch
