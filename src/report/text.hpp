// Reports for people. Everything that comes from an input goes through `printable`.
#pragma once

#include <vector>

#include "base/error.hpp"
#include "base/finding.hpp"
#include "policy/arch_check.hpp"
#include "policy/coverage.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

// What a file holds: its archs, then its members with their profiles; with `images`, every image.
std::string inventory_text(const Inventory& inventory, bool images);

// Verdict, the sets that were compared, the members, then the findings.
std::string verdict_text(const Inventory& inventory, const Verdict& verdict);

std::string coverage_text(const std::vector<Coverage>& coverage);

// `error[missing-arch] pkg.whl → pkg/_C.so: …` and, below it, what to do.
std::string findings_text(const std::vector<Finding>& findings);

// `error: pkg.whl → offset 0x10: …` and, below it, what to do.
std::string error_text(const Error& error);

}  // namespace wheelarch
