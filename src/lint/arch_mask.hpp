// ArchMask: a set of nvcc's passes, one bit for each arch in the table of CUDA releases (policy/cuda_archs.hpp, in its
// order) and one for the host's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/arch.hpp"

namespace wheelarch {

using ArchMask = std::uint64_t;

inline constexpr ArchMask kNoPass = 0;

// Every pass: as many as there are.
std::size_t pass_count();
ArchMask every_pass();
// Of each pass but the host's, which is the last.
const std::vector<Arch>& archs_of_passes();
// None for the host's.
std::optional<Arch> arch_of_pass(std::size_t pass);
// Without the host's.
ArchMask devices(ArchMask passes);

inline bool has_pass(ArchMask passes, std::size_t pass) noexcept {
    return (passes >> pass & 1U) != 0;
}

// The passes of archs for which `is_in` holds.
template <typename IsIn>
ArchMask passes_where(const IsIn& is_in) {
    ArchMask passes = kNoPass;
    ArchMask pass = 1;
    for (const Arch arch : archs_of_passes()) {
        passes |= is_in(arch) ? pass : kNoPass;
        pass <<= 1U;
    }
    return passes;
}

}  // namespace wheelarch
