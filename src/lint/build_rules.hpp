// What the rules about build files have in common.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/build/build_settings.hpp"
#include "lint/rule.hpp"

namespace wheelarch {

// At its place, without a list.
LintHit build_hit(const BuildSetting& setting);

struct SettingWords {
    std::string_view says;         // `sets the arch list`
    std::string_view not_written;  // what it is set to, if that is not known
    std::string_view builds;       // what has it: the build, the file
};
// A build file that sets the list or the targets: the archs that it would build, and those that are declared. It is
// held against all lists.
std::optional<LintFinding> judge_setting(const Package& package, const LintHit& hit,
                                         const std::vector<DeclaredList>& lists, const SettingWords& words);

// ` (if mend.py mends it, say so there)`, if the package has a patch script.
std::string patched(const Package& package);

}  // namespace wheelarch
