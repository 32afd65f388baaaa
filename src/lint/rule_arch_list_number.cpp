#include <algorithm>

#include <fmt/format.h>

#include "lint/build_rules.hpp"

namespace wheelarch {
namespace {

void check(const std::vector<BuildSetting>& all, std::vector<LintHit>& of_file) {
    const std::vector<BuildSetting> settings = of_kind(all, BuildSetting::Kind::number);
    if (!settings.empty()) {
        of_file.push_back(build_hit(settings.front()));
        of_file.back().more = settings.size() - 1;
    }
}

// Numbers are made of items; it matters where an item is none.
std::optional<LintFinding> judge(const Package& package, const LintHit& hit, const std::vector<DeclaredList>& lists) {
    LintFinding finding = begin_finding(package, hit);
    std::vector<const DeclaredList*> suffixed;
    for (const DeclaredList& list : lists) {
        const ArchSet& archs = list.list.archs;
        if (std::any_of(archs.sass.begin(), archs.sass.end(), [](Arch arch) { return arch.suffix != '\0'; })) {
            suffixed.push_back(&list);
            finding.rows.push_back(list.rows);
        }
    }
    finding.severity = suffixed.empty() ? Severity::notice : hit.severity;
    finding.problem = fmt::format(
        "makes a number of an item of the list, which 9.0a is not, nor 8.0+PTX if it does not cut that off{}",
        suffixed.empty() ? "" : fmt::format("; declared is {}", rows_text(suffixed)));
    finding.fix = fmt::format("let the script keep the suffix, by a patch{}", patched(package));
    return finding;
}

}  // namespace

extern const Rule kArchListNumber{
    .id = "arch-list-number",
    .reason = "a build script makes numbers of the items of the list, which fails for 9.0a and 8.0+PTX",
    .severity = Severity::warning,
    .in_build_file = check,
    .judge = judge,
};

}  // namespace wheelarch
