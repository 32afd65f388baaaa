// What is asked of a wheel today against what was asked of it when it was recorded: rule `config-moved`, a notice.
#pragma once

#include <string>
#include <vector>

#include "audit/comparisons.hpp"
#include "audit/policy_today.hpp"
#include "audit/recorded_claims.hpp"
#include "base/finding.hpp"
#include "policy/arch_check.hpp"

namespace wheelarch {

// The wheel, which is as recorded, against the policy of today: nothing if it asks for just that. `best` is set to the
// cell of `asked` that is nearest; if there is none, the wheel is no longer built.
std::vector<Finding> compare_with_policy(const PublishedWheel& wheel, const RecordedClaim& recorded,
                                         const std::vector<AskedOfCell>& asked, const AskedOfCell*& best);

// What a wheel is held to besides its arch list: `sm_80 sm_90 (expect_archs)`, `no device code (device_code: none)`.
// Empty if that is its list.
std::string held_text(const Requirement& requirement, const std::string& arch_list);

// What the wheel lacks, has too much, or has wrong else, and what devices make of it: `; sm_90 missing; 9.0 devices
// have nothing to run`. Empty if it is as required.
std::string gap_text(const Inventory& inventory, const Requirement& requirement);

}  // namespace wheelarch
