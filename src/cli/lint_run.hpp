// The part that `lint` and `matrix --lint` have in common: the sources of packages, found or fetched, and the rules
// over them.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "lint/lint.hpp"
#include "policy/farm.hpp"
#include "policy/grid.hpp"
#include "report/outcome.hpp"

namespace wheelarch {

// Where lint finds the sources of packages.
struct SourceOptions {
    std::string sources;  // a folder with one folder for each package, or empty
    bool fetch = false;
    std::string cache;        // for what is fetched; empty: the user's
    bool everything = false;  // vendored trees too
};
void add_sources(Arguments& arguments, SourceOptions& options);

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
                                       LintScope scope, Listener& listener);

// Is a finding an error?
bool lint_fails(const std::vector<Located>& findings);

}  // namespace wheelarch
