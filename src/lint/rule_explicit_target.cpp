#include <set>

#include "base/error.hpp"
#include "lint/build_rules.hpp"
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

void check(const std::vector<BuildSetting>& all, std::vector<LintHit>& of_file) {
    const std::vector<BuildSetting> settings = of_kind(all, BuildSetting::Kind::targets);
    if (!settings.empty()) {
        LintHit& hit = of_file.emplace_back(build_hit(settings.front()));
        hit.more = settings.size() - 1;
        hit.list = joined(settings);
    }
}

std::optional<LintFinding> judge(const Package& package, const LintHit& hit, const std::vector<DeclaredList>& lists) {
    return judge_setting(package, hit, lists,
                         {"names targets, so the arch list is not used", "targets that are not written out",
                          hit.more == 0 ? "build" : "file"});
}

}  // namespace

extern const Rule kExplicitTarget{
    .id = "explicit-target",
    .reason = "a build file names targets of its own, so the arch list is not used",
    .severity = Severity::warning,
    .in_build_file = check,
    .judge = judge,
};

}  // namespace wheelarch
