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

enum class LintScope {
    farm,   // what has no folder in `--sources` is said, unless none has one
    named,  // each must have its sources
    rows,   // likewise; a lint_ignore may be for rows that are not among these
};

// What each of `packages` declares for those of `rows` that are its own, held against its sources. Those without device
// code that a list is for (`device_code: none`, `jit`) are left out. That `--sources` lacks a folder that it
// must have is an Error (exit 3). Throws an Error (exit 2) if `sources` names none.
std::vector<PackageLint> lint_packages(const Farm& farm, const std::vector<GridRow>& rows,
                                       const std::vector<const Package*>& packages, const SourceOptions& sources,
                                       LintScope scope, Streams streams);

// In a workflow: annotations and the job summary. Is a finding that no lint_ignore lets pass an error?
bool report_lint(const std::vector<PackageLint>& results, Streams streams);

}  // namespace wheelarch
