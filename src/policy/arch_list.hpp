// Arch lists: the text by which people ask for archs, in one of three notations.
//
//   torch  `7.5;8.0;9.0+PTX`, `8.0 9.0a`, `Ampere`     SASS for each, PTX too where `+PTX` says so
//   (TORCH_CUDA_ARCH_LIST) CMake  `80-real;90-virtual;90;100f`                 `90` alone asks for SASS and PTX
//   (CMAKE_CUDA_ARCHITECTURES) nvcc   `sm_80;compute_90`                           SASS for the one, PTX for the other
//
// A list in two notations at once is an error: no build reads it. What torch's own parser would refuse, though the
// meaning is plain, is accepted with a warning that says what torch does. The rules of the findings:
//
//   arch-list-empty-item     two separators in a row, or one at an end
//   arch-list-separator      a tab or a line break between items; a space between CMake's
//   arch-list-named          `Ampere`: what it stands for depends on who reads it
//   arch-list-named-ptx      `Turing+PTX`: torch expands it to 7.5+PTX+PTX
//   arch-list-suffix         `10.0f`: torch knows no f
//   arch-list-torch-unknown  (notice) an arch that the newest torch's table lacks
//   arch-list-unknown-arch   (notice) an arch that no CUDA release in the table has
//   arch-list-duplicate      the same item twice
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/arch.hpp"
#include "base/finding.hpp"

namespace wheelarch {

enum class ArchNotation { torch, cmake, nvcc };

struct ArchList {
    std::string text;  // as it was given
    ArchNotation notation = ArchNotation::torch;
    ArchSet archs;
    std::vector<Finding> findings;  // warnings and notices; what is wrong is thrown
};

// Throws an Error (exit 2) that names the item, what is wrong with it and the nearest arch that is meant. `place` says
// where the text comes from (`--arch-list`, `packages/x.yml:12`).
ArchList parse_arch_list(std::string_view text, std::string_view place);

// The canonical form that is written to files: one `;` between items, in ascending order, names expanded, in the
// notation of the list. Parsing it gives the same archs and the same canonical form.
std::string canonical(const ArchList& list);

}  // namespace wheelarch
