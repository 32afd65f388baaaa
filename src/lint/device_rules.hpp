// What the rules about device code have in common.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lint/device/device_facts.hpp"
#include "lint/rule.hpp"

namespace wheelarch {

// What becomes a LintHit of the same fields.
struct DeviceHit {
    SourcePlace place;
    std::string_view what;  // as in the source
    Severity severity = Severity::error;
    std::vector<ArchNeed> needs = {};
    bool fallback = false;
};

// Adds it to those of its rule and file, or counts it to one of the same severity, needs and fallback. A file may have
// thousands, of which few are kept. Nothing if it needs nothing.
void add_hit(std::vector<LintHit>& of_file, const DeviceHit& hit);

// A hit matters if it does for at least one of the lists. What one device needs:
//
//   at_least      error: it loads SASS of its own major that is lower (a stub); warning: it compiles PTX that is, or
//                 finds nothing to run between lower devices and later ones of its major that the list serves
//   exact_suffix  the same, where the list has not `a`
//   family        the same, where the list has neither `a` nor an `f` of the family
//   floor, not_plain, not_in
//                 error: the list has something for which the source does not compile
//
// If the source has other code there, each is one step milder, and that there is nothing to run is the list's matter.
// `about` is said of the hit's own words, and `lower_code` of a device that loads something lower.
std::optional<LintFinding> judge_needs(const Package& package, const LintHit& hit,
                                       const std::vector<DeclaredList>& lists, std::string_view about,
                                       std::string_view lower_code);
// In the words for code that is left out, or does not compile.
std::optional<LintFinding> judge_stub(const Package& package, const LintHit& hit,
                                      const std::vector<DeclaredList>& lists);

}  // namespace wheelarch
