#include <set>
#include <utility>

#include "base/error.hpp"
#include "lint/build/build_settings.hpp"
#include "policy/arch_list.hpp"

namespace wheelarch {
namespace {

// The archs of all in one list; as they stand where one cannot be read.
std::string joined(const std::vector<BuildSetting>& settings) {
    std::set<std::string> seen;
    std::string list;
    ArchSet archs;
    bool read = true;
    for (const BuildSetting& one : settings) {
        if (one.list.empty() || !seen.insert(one.list).second) {
            continue;
        }
        list += (list.empty() ? "" : ";") + one.list;
        try {
            archs.add(parse_arch_list(one.list, "").archs);
        } catch (const Error&) {
            read = false;
        }
    }
    return read ? to_arch_list(archs) : list;
}

void check(const RuleInput& input, std::vector<LintHit>& hits) {
    const std::vector<BuildSetting> settings = of_kind(input, BuildSetting::Kind::targets);
    if (settings.empty()) {
        return;
    }
    LintHit hit = build_hit(explicit_target_rule(), input, settings.front());
    hit.more = settings.size() - 1;
    hit.list = joined(settings);
    hits.push_back(std::move(hit));
}

}  // namespace

const Rule& explicit_target_rule() {
    static const Rule rule = {"explicit-target", "a build file names targets of its own, so the arch list is not used",
                              "explicit-target", Severity::warning, check};
    return rule;
}

}  // namespace wheelarch
