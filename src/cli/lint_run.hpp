// The part that `lint` and `matrix --lint` have in common: the sources of packages, found or fetched, and the rules
// over them.
#pragma once

#include <vector>

#include "cli/options.hpp"
#include "cli/reading.hpp"
#include "lint/lint.hpp"
#include "policy/farm.hpp"
#include "policy/grid.hpp"

namespace wheelarch {

// What each of `packages` declares for those of `rows` that are its own, held against its sources. Those without device
// code that a list is for (`device_code: none`, `jit`) are left out. `complete`: that `--sources` has no folder for one
// is an Error (exit 3); else it is said, unless it has none at all. Throws an Error (exit 2) if `sources` names none.
std::vector<PackageLint> lint_packages(const Farm& farm, const std::vector<GridRow>& rows,
                                       const std::vector<const Package*>& packages, const SourceOptions& sources,
                                       bool complete, Streams streams);

// In a workflow: annotations and the job summary. Is a finding that no lint_ignore lets pass an error?
bool report_lint(const std::vector<PackageLint>& results, Streams streams);

}  // namespace wheelarch
