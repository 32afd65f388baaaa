// Cubin: the ELF file that holds SASS. Inside a fatbin the entry header says for which arch; these readers serve bare
// cubins, and tell whether a cubin has any code at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/arch.hpp"
#include "base/byte_view.hpp"

namespace wheelarch {

bool is_cubin(ByteView file) noexcept;

// The arch a cubin was built for, from EI_ABIVERSION and e_flags. Two layouts exist (observed):
//   7 (CUDA 11.8 to 12.9, for sm_35 to sm_90): SM in bits 0-7, suffix `a` in bit 11
//   8 (CUDA 12.8+ for sm_100 and up, CUDA 13 for all): SM in bits 8-15; `a` in bit 3, or in `.nv.compat` as record
//     02 09 01 00
// Suffix `f` leaves no trace in these. Where the cubin keeps the command line of ptxas, as those of CUDA 12.9 and 13
// do, that tells it; else one for 10.0f reads as 10.0. In a fatbin the entry header has it, and nothing of this is
// needed.
Arch cubin_arch(ByteView file);

// Its SM number alone, from the header; none if the ABI version is not known.
std::optional<std::uint32_t> cubin_number(ByteView file);

// Does a relocation section name something else than a symbol table by its sh_link? CUDA 12.0 and 12.1 wrote such
// cubins
// (`.nv.info` is named); they load and run, but cuobjdump 13 refuses many of them as "Invalid ELF".
bool cubin_has_stray_link(ByteView file);

// Is it a tile kernel's? tileiras gives them a symbol of its own (seen in cubins of CUDA 13.5), and compiles those for
// 9.0 and 10.0f as 9.0a and 10.0a.
bool cubin_is_tile(ByteView file);

// Does it have a section `.text.<name>`, which is where a kernel's or function's code lies? A device link adds cubins
// without any for the archs of its command line, and so does a source without kernels.
bool cubin_has_code(ByteView file);

// The <name> of the first such section, a mangled function, as the head of a cubin shows it. NVIDIA's tools put the
// table of section names right behind the ELF header, at 0x40 (so in each of 12,285 cubins of CUDA 11.8 to 13.3 that
// were looked at, and in each its names told the truth). Empty means that the whole cubin has to be read.
std::string_view cubin_head_function(ByteView head) noexcept;

}  // namespace wheelarch
