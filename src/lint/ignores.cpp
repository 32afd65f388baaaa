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

// As in matches(); with a `/` in front, the whole path counts: `/setup.py` is the one at the root.
bool covers(const LintIgnore& ignore, const std::string& path) {
    const std::string_view pattern = ignore.path;
    if (!pattern.starts_with('/')) {
        return pattern.empty() || matches(pattern, path);
    }
    return matches(pattern, "/" + path);
}

}  // namespace

void apply_ignores(const Package& package, std::vector<LintFinding>& findings, bool tell_unused) {
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
        for (const Rule* rule : used || !tell_unused ? std::vector<const Rule*>() : rules()) {
            if (rule->on_unused_ignore != nullptr) {
                LintFinding& finding = added.emplace_back(rule->on_unused_ignore(package, ignore));
                finding.rule = rule->id;
                finding.ignorable = rule->way_out.empty();
            }
        }
    }
    findings.insert(findings.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
}

}  // namespace wheelarch
