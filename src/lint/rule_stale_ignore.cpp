#include <fmt/format.h>

#include "lint/rule.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kWayOut = "take the entry out, or correct its path";

LintFinding stale(const Package& package, const LintIgnore& ignore) {
    LintFinding finding = begin_finding(package, ignore.place);
    finding.severity = Severity::warning;
    finding.line = ignore.place.line;
    finding.column = ignore.place.column;
    finding.what = shortened(ignore.reason);
    finding.problem = fmt::format("lint_ignore of {}{} lets nothing pass any more", ignore.rule,
                                  ignore.path.empty() ? "" : fmt::format(" in {}", shortened(ignore.path)));
    finding.fix = kWayOut;
    return finding;
}

}  // namespace

extern const Rule kStaleIgnore{
    .id = "stale-ignore",
    .reason = "an entry of lint_ignore lets nothing pass",
    .severity = Severity::warning,
    .way_out = kWayOut,
    .on_unused_ignore = stale,
};

}  // namespace wheelarch
