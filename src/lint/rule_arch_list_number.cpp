#include <utility>

#include "lint/build_settings.hpp"

namespace wheelarch {
namespace {

void check(const RuleInput& input, std::vector<LintHit>& hits) {
    const std::vector<BuildSetting> settings = build_settings(input.file, BuildSetting::Kind::number);
    if (!settings.empty()) {
        const BuildSetting& one = settings.front();
        LintHit hit;
        hit.more = settings.size() - 1;
        hit.rule = "arch-list-number";
        hit.path = input.file.path;
        hit.line = one.line;
        hit.column = one.column;
        hit.what = one.what;
        hit.severity = one.severity;
        hits.push_back(std::move(hit));
    }
}

}  // namespace

const Rule& arch_list_number_rule() {
    static const Rule rule = {"arch-list-number",
                              "a build script makes numbers of the items of the list, which fails for 9.0a and 8.0+PTX",
                              "arch-list-number", Severity::warning, check};
    return rule;
}

}  // namespace wheelarch
