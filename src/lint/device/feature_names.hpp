// Names that stand for an arch or for a feature of one: macros of nvcc, CUTLASS and CuTe, and types.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lint/arch_need.hpp"

namespace wheelarch {

// The passes in which nvcc, or a library whose headers packages do not ship, defines the macro; none for a name that
// is no such macro. Sources: the macros of each pass were measured with nvcc 13.0; for CUTLASS_ARCH_… and
// CUTE_ARCH_…, cutlass/arch/config.h and cute/arch/config.hpp of CUTLASS 3.9 and 4.2; compilers for other makers'
// devices define theirs in no pass.
std::optional<ArchMask> passes_defining(std::string_view macro);

// A type, value or function for FP8 numbers in e4m3 or e5m2 (CUDA, CUTLASS, torch), or a PTX modifier such as e4m3x2.
// Not the formats of other makers (fnuz), nor what only names a library's data type (CUDA_R_8F_E4M3). Each has a digit.
bool is_fp8_name(std::string_view word);

// What a type or function of CUTLASS or CuTe needs, as each arch's devices need it; empty for other names.
std::vector<ArchNeed> library_needs(std::string_view word);

}  // namespace wheelarch
