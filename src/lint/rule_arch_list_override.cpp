#include <utility>

#include "lint/build_rules.hpp"

namespace wheelarch {
namespace {

void check(const std::vector<BuildSetting>& settings, std::vector<LintHit>& of_file) {
    for (BuildSetting& one : of_kind(settings, BuildSetting::Kind::overrides)) {
        of_file.push_back(build_hit(one));
        of_file.back().list = std::move(one.list);
    }
}

std::optional<LintFinding> judge(const Package& package, const LintHit& hit, const std::vector<DeclaredList>& lists) {
    return judge_setting(package, hit, lists,
                         {"sets the arch list, whatever is asked for", "a list that is not written out", "build"});
}

}  // namespace

extern const Rule kArchListOverride{
    .id = "arch-list-override",
    .reason = "a build file sets the arch list itself, whatever the farm asks for",
    .in_build_file = check,
    .judge = judge,
};

}  // namespace wheelarch
