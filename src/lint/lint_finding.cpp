#include "lint/lint_finding.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "lint/rule.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

std::string more_text(const LintHit& hit) {
    if (hit.more_files != 0) {
        return fmt::format(" (and in {}, in {})", count_of(hit.more, "more place"),
                           count_of(hit.more_files, "other file"));
    }
    return hit.more == 0 ? "" : fmt::format(" (and in {} of the file)", count_of(hit.more, "more place"));
}

}  // namespace

LintFinding begin_finding(const Package& package, const LintHit& hit, std::string_view about) {
    LintFinding finding;
    finding.rule = hit.rule->id;
    finding.package = package.name;
    finding.path = hit.path;
    finding.line = hit.line;
    finding.column = hit.column;
    finding.what = hit.what;
    finding.subject = fmt::format("{}\"{}\"{}", about, hit.what, more_text(hit));
    return finding;
}

LintFinding begin_finding(const Package& package, const Place& place) {
    LintFinding finding;
    finding.package = package.name;
    finding.path = place.file ? *place.file : "";
    finding.in_policy = true;
    return finding;
}

std::string rows_text(const std::vector<const DeclaredList*>& lists) {
    constexpr std::size_t kMostRows = 6;
    std::vector<std::string> texts;
    for (const DeclaredList* list : lists) {
        texts.push_back(fmt::format("{} ({})", list->rows, shortened(list->text)));
    }
    return enumerate(texts, kMostRows);
}

std::string place_of(const LintFinding& finding) {
    const std::string at = finding.line == 0     ? ""
                           : finding.column == 0 ? fmt::format(":{}", finding.line)
                                                 : fmt::format(":{}:{}", finding.line, finding.column);
    return fmt::format("{} → {}{}", printable(finding.package), printable(finding.path), at);
}

std::string message_of(const LintFinding& finding) {
    return fmt::format("{}{}{}", finding.subject, finding.subject.empty() ? "" : ": ", finding.problem);
}

std::string ignore_entry(const std::string& rule, const std::string& path) {
    // Without a slash it would be a name in any folder.
    const std::string_view root = path.find('/') == std::string::npos && path.find('*') == std::string::npos ? "/" : "";
    return fmt::format("lint_ignore: [{{rule: {}, {}reason: \"…\"}}]", rule,
                       path.empty() ? "" : fmt::format("path: \"{}{}\", ", root, printable(path)));
}

Finding as_finding(const LintFinding& finding) {
    std::string fix = finding.fix;
    if (finding.ignorable) {
        fix += fmt::format("{}let it pass in the package's YAML by {}", fix.empty() ? "" : "; or ",
                           ignore_entry(finding.rule, finding.in_policy ? "" : finding.path));
    }
    return {finding.rule, finding.severity, place_of(finding), message_of(finding), fix};
}

}  // namespace wheelarch
