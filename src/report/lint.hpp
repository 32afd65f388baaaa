// The results of lint, for people and as JSON. Everything that comes from an input goes through `printable`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>

#include "lint/lint.hpp"
#include "lint/rule.hpp"
#include "report/outcome.hpp"

namespace wheelarch {

// What is wrong in the same way at one place or more: all have the same rule, severity, problem and fix.
struct LintProblem {
    std::vector<const LintFinding*> places;
};
// Of the findings that count, the worst first. They are those of `result`, which must outlive them.
std::vector<LintProblem> problems(const PackageLint& result);

// By package: the trees that were left out, what was let pass and why, each problem with its places and both ways out;
// and a last line with the counts.
std::string lint_text(const std::vector<PackageLint>& results);

// Those that count, in order, for annotations and SARIF.
std::vector<Located> lint_findings(const std::vector<PackageLint>& results);
std::vector<RuleText> lint_rules();
// The packages whose sources were fetched, which are nobody's folders.
std::vector<std::pair<std::string, std::string>> lint_roots(const std::vector<PackageLint>& results);
// As Markdown, one line for each problem; empty if there is none.
std::string lint_summary(const std::vector<PackageLint>& results);

boost::json::object lint_json(const std::vector<PackageLint>& results);

// What a rule is for; a rule that is null lists them all.
std::string rule_text(const Rule* rule);

// Findings that count: those that no lint_ignore lets pass.
std::vector<LintFinding> counted(const std::vector<PackageLint>& results);

}  // namespace wheelarch
