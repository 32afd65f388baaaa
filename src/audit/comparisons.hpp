// The comparisons that a verdict is made of; judge.hpp has the rules. Each gives the findings of one kind.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/claim.hpp"
#include "audit/recorded_claims.hpp"
#include "base/finding.hpp"
#include "policy/cell.hpp"
#include "policy/farm.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

// A wheel as it lies there.
struct PublishedWheel {
    Inventory inventory;
    std::string sha256;
    bool has_stamp = false;
    std::optional<Claim> stamp;  // if it can be read
    bool stamp_holds = false;    // it is there, and nothing in the wheel or its name contradicts it
};

// Members get the roles that they were recorded with, unless an option has a say about them.
void take_roles(Inventory& inventory, const std::map<std::string, Role>& roles,
                const std::vector<std::string>& include);

std::vector<Finding> compare_with_entry(const PublishedWheel& wheel, const RecordedClaim& recorded);
std::vector<Finding> compare_with_stamp(const PublishedWheel& wheel);
std::vector<Finding> compare_stamp_and_entry(const PublishedWheel& wheel, const RecordedClaim& recorded,
                                             const std::string& ledger);
// The wheel, which holds what `claim` says, against what was requested of it by the same claim: `witness` is `stamp` or
// `entry`, and `cell` its cell as far as it is known. A claim that does not say what the wheel was held to is judged by
// what the package declares today, too. `farm` may be null.
std::vector<Finding> compare_with_request(const PublishedWheel& wheel, const Claim& claim, std::string_view witness,
                                          const Cell& cell, const Farm* farm);

// `; sm_90 missing, compute_80 too much`; empty if both sets are.
std::string difference_text(const ArchSet& missing, const ArchSet& extra);
// `; sm_90 there only as images without a kernel`; empty if none is.
std::string kernelless_text(const ArchSet& missing, const Inventory& inventory);

}  // namespace wheelarch
