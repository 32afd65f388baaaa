// lint: sources of packages against the archs that the policy declares.
#pragma once

#include "base/error.hpp"
#include "cli/options.hpp"
#include "cli/reading.hpp"
#include "cli/totals.hpp"

namespace wheelarch {

// Exit 1 if a finding that no lint_ignore lets pass is an error.
ExitCode lint(const LintOptions& options, Streams streams, Totals& totals);

}  // namespace wheelarch
