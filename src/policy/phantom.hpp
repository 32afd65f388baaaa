// Phantoms: cells that upstream torch does not ship, as phantom_combos.json lists them.
#pragma once

#include <set>
#include <string>
#include <tuple>

#include "policy/farm_files.hpp"

namespace wheelarch {

// CUDA without dot, torch major.minor, Python without dot, platform.
using Phantom = std::tuple<std::string, std::string, std::string, std::string>;

// `{"combos": [["124", "2.5", "313", "windows"], ...]}`; other keys pass. Throws an Error (exit 2) that names the
// combo.
std::set<Phantom> read_phantoms(const FarmFile& file);

}  // namespace wheelarch
