// Targets in the flags of nvcc ("NVIDIA CUDA Compiler Driver", 4.2.7, options for steering GPU code generation).
#pragma once

#include <string>
#include <string_view>

#include "base/arch.hpp"

namespace wheelarch {

// What nvcc builds for a text of flags, or for one flag of several: `-gencode arch=compute_80,code=sm_80`,
// `-arch=sm_90`, `arch=compute_90a,code=[sm_90a,compute_90a]`. Empty if it names no target, or one that is not written
// out.
ArchSet nvcc_targets(std::string_view flags);

// The same as an arch list; or `native`, `all`, `all-major`, where `-arch` names targets so.
std::string named_targets(std::string_view flags);

// Does the text begin as a flag that chooses targets, `-gencode`, `-arch`, or as the value of one, `arch=compute_80`?
bool is_target_flag(std::string_view text);
// So does a word of it, `-O3 -arch=sm_80`, if it begins as a flag.
bool has_target_flag(std::string_view text);

}  // namespace wheelarch
