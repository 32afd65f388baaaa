// Builds cubins in memory, as the two generations of toolkits lay them out: `.shstrtab` and `.strtab` first, then data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/elf_builder.hpp"

namespace wheelarch {

enum class CubinA {
    no,
    in_flags,   // ABI 7: bit 11 of e_flags; ABI 8 of CUDA 12.8 and 12.9: bit 3
    in_compat,  // ABI 8 of CUDA 13: a record of `.nv.compat`
};

struct CubinSpec {
    std::uint32_t arch = 80;
    int abi = 8;  // 7: CUDA 11.8 to 12.9, up to sm_90. 8: CUDA 12.8 and 12.9 from sm_100 on, CUDA 13 for all
    CubinA a = CubinA::no;
    std::vector<std::string> kernels = {"scale"};
    bool tile = false;                          // with the symbol that tileiras gives tile kernels
    std::uint64_t data = 0;                     // bytes of a constant bank: makes a cubin large without code
    std::vector<ElfSectionSpec> sections = {};  // further ones
};

std::string build_cubin(const CubinSpec& spec);

// `.version`, `.target`, `.address_size` and then `body`.
std::string build_ptx(std::string_view target, std::string_view body);
inline constexpr std::string_view kPtxKernel = ".visible .entry scale(.param .u64 x)\n{\n\tret;\n}\n";

}  // namespace wheelarch
