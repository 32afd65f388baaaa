// The comparisons that a verdict is made of; judge.hpp has the rules. Each gives the findings of one kind.
#pragma once

#include <string>
#include <vector>

#include "audit/claim.hpp"
#include "audit/policy_today.hpp"
#include "audit/recorded_claims.hpp"
#include "base/finding.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

// A wheel as it lies there.
struct PublishedWheel {
    Inventory inventory;
    std::string sha256;
    bool has_stamp = false;
    std::optional<Claim> stamp;  // if it can be read
};

// Members get the roles that they were recorded with, unless an option has a say about them.
void take_roles(Inventory& inventory, const std::map<std::string, Role>& roles,
                const std::vector<std::string>& include);

std::vector<Finding> compare_with_entry(const PublishedWheel& wheel, const RecordedClaim& recorded);
std::vector<Finding> compare_with_stamp(const PublishedWheel& wheel);
std::vector<Finding> compare_stamp_and_entry(const PublishedWheel& wheel, const RecordedClaim& recorded,
                                             const std::string& ledger);
// The wheel, whose archs are as recorded, against what was requested of it. `asked` is what the policy asks today, by
// which an entry that does not say what it was held to is judged too.
std::vector<Finding> compare_with_request(const PublishedWheel& wheel, const RecordedClaim& recorded,
                                          const std::vector<AskedOfCell>& asked);

// The wheel, which is as recorded, against the policy of today: nothing if it asks for just that. `best` is set to the
// cell of `asked` that is nearest; if there is none, the wheel is no longer built.
std::vector<Finding> compare_with_policy(const PublishedWheel& wheel, const RecordedClaim& recorded,
                                         const std::vector<AskedOfCell>& asked, const AskedOfCell*& best);

// `; sm_90 missing, compute_80 too much`; empty if both sets are.
std::string difference_text(const ArchSet& missing, const ArchSet& extra);
// The same of a verdict, and what is wrong if it is something else.
std::string gap_text(const Verdict& verdict);

}  // namespace wheelarch
