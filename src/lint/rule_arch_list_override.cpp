#include <utility>

#include "lint/build_settings.hpp"

namespace wheelarch {
namespace {

void check(const RuleInput& input, std::vector<LintHit>& hits) {
    for (BuildSetting& one : build_settings(input.file, BuildSetting::Kind::overrides)) {
        LintHit hit;
        hit.rule = "arch-list-override";
        hit.path = input.file.path;
        hit.line = one.line;
        hit.column = one.column;
        hit.list = std::move(one.list);
        hit.what = std::move(one.what);
        hit.severity = one.severity;
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
