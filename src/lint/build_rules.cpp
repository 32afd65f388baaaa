#include "lint/build_rules.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "policy/arch_list.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

// What a list in a build file holds, if it can be read.
std::optional<ArchSet> set_archs(const std::string& list) {
    try {
        return list.empty() ? std::nullopt : std::optional(parse_arch_list(list, "").archs);
    } catch (const Error&) {
        return std::nullopt;
    }
}

// `what is asked for and 9.0a (sm_90a)`; of a hit whose list is a change of it.
std::string changed_text(const LintHit& hit, const std::optional<ArchSet>& archs) {
    const std::string items = shortened(hit.list.substr(1));
    return fmt::format("what is asked for {} {}{}", hit.list.front() == '+' ? "and" : "without", items,
                       archs ? fmt::format(" ({})", to_text(*archs)) : "");
}

// Does a build with these archs, all of it or what it adds or takes away, give what is declared?
bool is_as_declared(const LintHit& hit, const ArchSet& archs, const ArchSet& declared) {
    if (hit.list.starts_with('+')) {
        return minus(archs, declared).empty();
    }
    return hit.list.starts_with('-') ? minus(archs, declared) == archs : archs == declared;
}

}  // namespace

LintHit build_hit(const BuildSetting& setting) {
    LintHit hit;
    hit.line = setting.line;
    hit.column = setting.column;
    hit.what = setting.what;
    hit.severity = setting.severity;
    return hit;
}

std::optional<LintFinding> judge_setting(const Package& package, const LintHit& hit,
                                         const std::vector<DeclaredList>& lists, const SettingWords& words) {
    const bool changes = hit.list.starts_with('+') || hit.list.starts_with('-');
    const std::optional<ArchSet> built = set_archs(changes ? hit.list.substr(1) : hit.list);
    LintFinding finding = begin_finding(package, hit);
    std::vector<const DeclaredList*> differing;
    for (const DeclaredList& list : lists) {
        if (!built || !is_as_declared(hit, *built, list.list.archs)) {
            differing.push_back(&list);
            finding.rows.push_back(list.rows);
        }
    }
    finding.severity = differing.empty() ? Severity::notice : hit.severity;
    const std::string builds = hit.list.empty() ? std::string(words.not_written)
                               : changes        ? changed_text(hit, built)
                               : built          ? fmt::format("{} ({})", shortened(hit.list), to_text(*built))
                                                : shortened(hit.list);
    finding.problem =
        fmt::format("{}; the {} has {}, {}", changes ? "changes the arch list" : words.says, words.builds, builds,
                    differing.empty() ? "which is what is declared"
                                      : fmt::format("which is not what is declared: {}", rows_text(differing)));
    if (!differing.empty()) {
        finding.fix =
            fmt::format("take it out of the sources by a patch{}, or declare with expect_archs what the binary holds",
                        patched(package));
    }
    return finding;
}

std::string patched(const Package& package) {
    return package.fields.contains("patch_script") && !package.fields.at("patch_script").empty()
               ? fmt::format(" (if {} mends it, say so there)", printable(package.fields.at("patch_script")))
               : "";
}

}  // namespace wheelarch
