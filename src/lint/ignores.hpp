// lint_ignore: findings that a package's YAML lets pass, and entries of it that let nothing pass.
#pragma once

#include <vector>

#include "lint/lint_finding.hpp"
#include "policy/package.hpp"

namespace wheelarch {

// Marks the findings that an entry names as ignored, and (if they are all the package's) adds what rules say of each
// entry that names none. Throws an Error (exit 2) for an entry whose rule does not exist.
void apply_ignores(const Package& package, std::vector<LintFinding>& findings, bool tell_unused = true);

}  // namespace wheelarch
