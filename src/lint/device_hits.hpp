// What the rules about device code have in common.
#pragma once

#include <string_view>
#include <vector>

#include "lint/device/device_facts.hpp"
#include "lint/rule.hpp"

namespace wheelarch {

// What becomes a LintHit of the same fields.
struct DeviceHit {
    const Rule& rule;
    SourcePlace place;
    std::string_view what;  // as in the source
    Severity severity;
    std::vector<ArchNeed> needs;
    bool fallback = false;
};

// Adds it to those of its file, or counts it to one of the same rule, severity, needs and fallback. A file may have
// thousands, of which few are kept.
void add_hit(std::vector<LintHit>& of_file, const RuleInput& input, const DeviceHit& hit);

// Where code that is compiled for `inner` of `outer` only begins anew: for each number whose lower neighbour in
// `outer` is left out, at_least (and for those behind it up to one that cards have); and for each number of which only
// archs with a suffix are in, exact_suffix or family.
std::vector<ArchNeed> gate_steps(ArchMask outer, ArchMask inner);
std::vector<ArchNeed> gate_suffixes(ArchMask outer, ArchMask inner);

}  // namespace wheelarch
