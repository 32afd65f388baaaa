#include <utility>

#include "lint/build/build_settings.hpp"

namespace wheelarch {
namespace {

void check(const RuleInput& input, std::vector<LintHit>& hits) {
    const std::vector<BuildSetting> settings = of_kind(input, BuildSetting::Kind::number);
    if (!settings.empty()) {
        LintHit hit = build_hit(arch_list_number_rule(), input, settings.front());
        hit.more = settings.size() - 1;
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
