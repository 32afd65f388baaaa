// Judge: what rules saw, as findings; each rule judges its own.
#pragma once

#include <vector>

#include "lint/lint_finding.hpp"
#include "lint/rule.hpp"

namespace wheelarch {

// The hits of one package that matter for at least one of its lists, most of them.
std::vector<LintFinding> judge(const Package& package, const std::vector<LintHit>& hits,
                               const std::vector<DeclaredList>& lists);
// What its YAML says by itself.
std::vector<LintFinding> judge_policy(const Package& package, const std::vector<DeclaredList>& lists);

// In order of place, each once.
void sort_findings(std::vector<LintFinding>& findings);

}  // namespace wheelarch
