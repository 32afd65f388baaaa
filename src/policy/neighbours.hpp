// Neighbours: members of a wheel, and regions of a member, that lack an arch which the others have. The union hides it.
#pragma once

#include <vector>

#include "base/finding.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

// Rules `narrow-member`, among the members of the union, and `narrow-region`, in each extension: warnings, or errors if
// `per_member`.
std::vector<Finding> check_neighbours(const Inventory& inventory, const std::vector<const Member*>& extensions,
                                      const std::vector<const Member*>& of_union, bool per_member);

}  // namespace wheelarch
