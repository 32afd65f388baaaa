// Reports for people. Everything that comes from an input goes through `printable`.
#pragma once

#include <iosfwd>
#include <vector>

#include "base/error.hpp"
#include "base/finding.hpp"
#include "policy/arch_check.hpp"
#include "policy/coverage.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

// What a file holds: its archs, then its members with their profiles; with `images`, every image.
void print_inventory(std::ostream& out, const Inventory& inventory, bool images);

// Verdict, the sets that were compared, the members, then the findings.
void print_verdict(std::ostream& out, const Inventory& inventory, const Verdict& verdict);

void print_coverage(std::ostream& out, const std::vector<Coverage>& coverage);

// `error[missing-arch] pkg.whl → pkg/_C.so: …` and, below it, what to do.
void print_findings(std::ostream& out, const std::vector<Finding>& findings);

// `error: pkg.whl → offset 0x10: …` and, below it, what to do.
void print_error(std::ostream& out, const Error& error);

}  // namespace wheelarch
