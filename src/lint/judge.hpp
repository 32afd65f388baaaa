// Judge: what a rule saw in the source, held against the arch lists that the package's rows declare.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/finding.hpp"
#include "lint/declared.hpp"
#include "lint/rule.hpp"
#include "policy/package.hpp"

namespace wheelarch {

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
};

// `flash_attn → csrc/x.cu:12:5`, safe to show.
std::string place_of(const LintFinding& finding);
// Subject and problem.
std::string message_of(const LintFinding& finding);
// `lint_ignore: [{rule: arch-gate, path: "csrc/x.cu", reason: "…"}]`, to be added to a package's YAML; `path` may be
// empty. Safe to show.
std::string ignore_entry(const std::string& rule, const std::string& path);
// Its fix names both ways out.
Finding as_finding(const LintFinding& finding);

// The hits of one package that matter for at least one of its lists, most of them. What one device needs:
//
//   at_least      error: it loads SASS of its own major that is lower (a stub); warning: it compiles PTX that is, or
//                 finds nothing to run between lower devices and later ones of its major that the list serves
//   exact_suffix  the same, where the list has not `a`
//   family        the same, where the list has neither `a` nor an `f` of the family
//   floor, not_plain, not_in
//                 error: the list has something for which the source does not compile
//
// If the source has other code there, each is one step milder, and that there is nothing to run is the list's matter. A
// list that a build file sets is held against all declared.
std::vector<LintFinding> judge(const Package& package, const std::vector<LintHit>& hits,
                               const std::vector<DeclaredList>& lists);

// `compress-mode`: nvcc has -compress-mode from CUDA 12.8 on, and `nvcc_flags` gives it to every row.
std::vector<LintFinding> judge_flags(const Package& package, const std::vector<DeclaredList>& lists);

}  // namespace wheelarch
