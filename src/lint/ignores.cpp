#include "lint/ignores.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "lint/rule.hpp"
#include "policy/wording.hpp"
#include "policy/yaml.hpp"
#include "wheel/role.hpp"

namespace wheelarch {
namespace {

void require_rule(const LintIgnore& ignore) {
    if (find_rule(ignore.rule) != nullptr) {
        return;
    }
    std::vector<std::string> known;
    for (const Rule* rule : rules()) {
        known.emplace_back(rule->id);
    }
    const std::string nearest = nearest_name(ignore.rule, known);
    throw yaml_error(
        ignore.place, fmt::format("lint_ignore names {}, which is no lint rule", in_quotes(ignore.rule)),
        nearest.empty() ? "wheelarch lint --explain all lists the rules" : fmt::format("did you mean {}?", nearest));
}

LintFinding stale(const Package& package, const LintIgnore& ignore) {
    LintFinding finding;
    finding.rule = "stale-ignore";
    finding.severity = Severity::warning;
    finding.package = package.name;
    finding.path = ignore.place.file ? *ignore.place.file : "";
    finding.in_policy = true;
    finding.line = ignore.place.line;
    finding.column = ignore.place.column;
    finding.what = shortened(ignore.reason);
    finding.problem = fmt::format("lint_ignore of {}{} lets nothing pass any more", ignore.rule,
                                  ignore.path.empty() ? "" : fmt::format(" in {}", shortened(ignore.path)));
    finding.fix = "take the entry out, or correct its path";
    return finding;
}

// As in matches(); with a `/` in front, the whole path counts: `/setup.py` is the one at the root.
bool covers(const LintIgnore& ignore, const std::string& path) {
    const std::string_view pattern = ignore.path;
    if (!pattern.starts_with('/')) {
        return pattern.empty() || matches(pattern, path);
    }
    return matches(pattern, "/" + path);
}

}  // namespace

void apply_ignores(const Package& package, std::vector<LintFinding>& findings) {
    std::vector<LintFinding> added;
    for (const LintIgnore& ignore : package.lint_ignore) {
        require_rule(ignore);
        bool used = false;
        for (LintFinding& finding : findings) {
            if (finding.rule == ignore.rule && covers(ignore, finding.path)) {
                finding.ignored = ignore.reason;
                used = true;
            }
        }
        if (!used) {
            added.push_back(stale(package, ignore));
        }
    }
    findings.insert(findings.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
}

const Rule& stale_ignore_rule() {
    static const Rule rule = {"stale-ignore", "an entry of lint_ignore lets nothing pass", "stale-ignore",
                              Severity::warning, [](const RuleInput&, std::vector<LintHit>&) {}};
    return rule;
}

}  // namespace wheelarch
