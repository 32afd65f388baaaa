#include <set>
#include <utility>

#include "base/error.hpp"
#include "lint/build_settings.hpp"
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
    const std::vector<BuildSetting> settings = build_settings(input.file, BuildSetting::Kind::targets);
    if (settings.empty()) {
        return;
    }
    const BuildSetting& first = settings.front();
    LintHit hit;
    hit.rule = "explicit-target";
    hit.path = input.file.path;
    hit.line = first.line;
    hit.column = first.column;
    hit.more = settings.size() - 1;
    hit.list = joined(settings);
    hit.what = first.what;
    hit.severity = first.severity;
    hits.push_back(std::move(hit));
}

}  // namespace

const Rule& explicit_target_rule() {
    static const Rule rule = {"explicit-target", "a build file names targets of its own, so the arch list is not used",
                              "explicit-target", Severity::warning, check};
    return rule;
}

}  // namespace wheelarch
