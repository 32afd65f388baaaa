// What a wheel says of itself against what it is: RECORD, METADATA, WHEEL and the file name, as "Binary distribution
// format" and "Recording installed projects" on packaging.python.org have them. Installers check little of this: pip
// installs a file with a wrong hash without a word.
//
// Rules (errors, unless marked): record-missing, record-mismatch, record-backslash (warning), record-signature,
// dist-info, metadata-mismatch, wheel-tags (error or warning), host-machine, module-suffix, member-path (error or
// warning), index-refuses (warning).
#pragma once

#include <cstdint>
#include <vector>

#include "base/finding.hpp"
#include "wheel/inventory.hpp"
#include "wheel/zip.hpp"

namespace wheelarch {

// Empty for a good wheel. If the inventory was not taken with `hash_members`, the hashes in
// RECORD are not compared. Reads the file again for its
// metadata; throws an Error (exit 3) if that cannot be done.
std::vector<Finding> check_wheel(const Inventory& inventory);

// Throws an Error (exit 3) unless a file of `size` bytes with these members is the one that the inventory was taken of.
void check_unchanged(const Inventory& inventory, std::uint64_t size, const std::vector<ZipMember>& members);

}  // namespace wheelarch
