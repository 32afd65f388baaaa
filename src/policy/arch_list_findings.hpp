// The warnings and notices about an arch list that is read: arch_list.hpp names the rules.
#pragma once

#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "policy/arch_item.hpp"
#include "policy/arch_list.hpp"

namespace wheelarch {

// What the reader of the notation says to an item that it does not know.
std::string refusal(ArchNotation notation, std::string_view item);

// `readings` has what each of `items` says; all are in the notation of `list`.
std::vector<Finding> arch_list_findings(const ArchList& list, const std::vector<Item>& items,
                                        const std::vector<Reading>& readings, std::string_view place);

}  // namespace wheelarch
