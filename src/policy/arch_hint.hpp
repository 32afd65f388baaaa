// What a wrong item of an arch list was probably meant to be.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/arch.hpp"
#include "policy/arch_list.hpp"

namespace wheelarch {

// The item that `token` nearly is, spelled in `notation`: for torch's, `8.0+ptx` gives `8.0+PTX` and `sm90` gives
// `9.0`. None if nothing is near.
std::optional<std::string> meant_item(std::string_view token, ArchNotation notation);

// The arch in the table of CUDA targets that is nearest to one that is not: another suffix of the same number, else the
// nearest number of the same major. None if the table has no such major.
std::optional<Arch> nearest_arch(Arch arch);

}  // namespace wheelarch
