// LintFinding: what a rule says of a package, and in which words it is shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "lint/declared.hpp"
#include "policy/package.hpp"

namespace wheelarch {

struct LintHit;
struct Rule;

struct LintFinding {
    std::string rule;
    Severity severity = Severity::error;
    std::string package;
    std::string path;  // of the file in the package's sources, or of the policy's file; as it is, not safe to show
    bool in_policy = false;
    unsigned line = 0;  // 0: none
    unsigned column = 0;
    std::string subject;             // `code behind "#if GATE" (and in 2 more places of the file)`; may be empty
    std::string problem;             // what is wrong with it; the same for all places that have the same
    std::string fix;                 // one way out; the other is lint_ignore
    std::vector<std::string> needs;  // archs to declare, as torch spells them: `8.9`, `9.0a`
    std::vector<std::string> rows;   // for which it holds: `CUDA 12.4, 12.6`
    std::string what;                // as in LintHit
    std::string ignored;             // the reason of the lint_ignore that lets it pass; empty: none does
    bool ignorable = true;           // lint_ignore is a way out
};

// At its place, about `about` and the source's own words.
LintFinding begin_finding(const Package& package, const LintHit& hit, std::string_view about = {});
// About the package's YAML.
LintFinding begin_finding(const Package& package, const Place& place);
// `CUDA 12.4 (8.0;9.0), CUDA 12.8 (8.0+PTX)`.
std::string rows_text(const std::vector<const DeclaredList*>& lists);

// `flash_attn → csrc/x.cu:12:5`, safe to show.
std::string place_of(const LintFinding& finding);
// Subject and problem.
std::string message_of(const LintFinding& finding);
// `lint_ignore: [{rule: arch-gate, path: "csrc/x.cu", reason: "…"}]`, to be added to a package's YAML; `path` may be
// empty. Safe to show.
std::string ignore_entry(const std::string& rule, const std::string& path);
// Its fix names both ways out.
Finding as_finding(const LintFinding& finding);

}  // namespace wheelarch
