#include <utility>

#include "lint/build/build_settings.hpp"

namespace wheelarch {
namespace {

void check(const RuleInput& input, std::vector<LintHit>& hits) {
    for (BuildSetting& one : of_kind(input, BuildSetting::Kind::overrides)) {
        LintHit hit = build_hit(arch_list_override_rule(), input, one);
        hit.list = std::move(one.list);
        hits.push_back(std::move(hit));
    }
}

}  // namespace

const Rule& arch_list_override_rule() {
    static const Rule rule = {"arch-list-override",
                              "a build file sets the arch list itself, whatever the farm asks for",
                              "arch-list-override", Severity::error, check};
    return rule;
}

}  // namespace wheelarch
