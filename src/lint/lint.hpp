// Lint: the rules over the sources of a package.
//
//   sources                 which files are read; fetch gets them, declared says which lists they are held against
//   build/                  what build files say: a lexer and a reader for each language, build_settings for all
//   device/                 what device code says: device_facts for a package, device_walk for a file, which tells
//                           collectors (inline_ptx, feature_words, code_conditions, call_teller, fact_scopes)
//   rule_*, rules           each question with its judgement and its words; device_rules and build_rules are shared
//   device_code             the rules over device code, then without what is not built so
//   judge, ignores          hits to findings, in order, without what lint_ignore lets pass
//
// build/ and device/ know SourceFile, ArchNeed and ArchMask of this folder, and no rule, hit or finding.
#pragma once

#include <string>
#include <vector>

#include "lint/device_code.hpp"
#include "lint/rule.hpp"
#include "lint/sources.hpp"

namespace wheelarch {

// `build_subdir` of the package's YAML, `hopper/`; empty for the root of the sources.
std::string build_folder(const Package& package);

// What every rule says of every file, in order of path and line; of device code only if it matters.
std::vector<LintHit> look_at(const PackageSources& sources, const HitsMatter& matter);

// Of one package.
struct PackageLint {
    std::string package;
    std::string sources;  // where they are, or what was fetched
    std::string folder;   // of the sources, if it is the user's own and not fetched
    std::size_t files = 0;
    std::size_t device_files = 0;  // of them, C, C++ and CUDA
    std::uint64_t bytes = 0;
    std::vector<SkippedPath> skipped;
    std::vector<DeclaredList> declared;
    std::vector<LintFinding> findings;  // ignored ones too
};

// What was seen in all trees of a package, one for each source tag of its rows.
void add_tree(PackageLint& lint, const Package& package, const PackageSources& sources,
              const std::vector<DeclaredList>& declared);
// The file that a finding is in, as seen from the working folder; empty for one that was fetched.
std::string file_of(const PackageLint& lint, const LintFinding& finding);

// When all trees were seen: what its YAML says by itself, and its lint_ignore. Without all of its rows, an entry that
// lets nothing pass may be for others.
void finish(PackageLint& lint, const Package& package, bool all_rows = true);

}  // namespace wheelarch
