// What the rules about device code have in common.
#pragma once

#include <string_view>
#include <vector>

#include "lint/device_facts.hpp"
#include "lint/rule.hpp"

namespace wheelarch {

// Adds a hit with its words made fit to print, or counts it to one of the same rule, severity, needs and fallback in
// the same file.
void add_hit(std::vector<LintHit>& hits, LintHit hit);

// At `place`, for add_hit().
LintHit device_hit(const Rule& rule, const RuleInput& input, SourcePlace place, std::string_view what);

// Where code that is compiled for `inner` of `outer` only begins anew: for each number whose lower neighbour in
// `outer` is left out, at_least (and for those behind it up to one that cards have); and for each number of which only
// archs with a suffix are in, exact_suffix or family.
std::vector<ArchNeed> gate_steps(ArchMask outer, ArchMask inner);
std::vector<ArchNeed> gate_suffixes(ArchMask outer, ArchMask inner);

}  // namespace wheelarch
