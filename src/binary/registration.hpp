// Registration: which regions a program or library hands to the CUDA runtime when it is loaded, as far as the file
// shows it.
//
// nvcc and clang put a wrapper (`__fatBinC_Wrapper_t` of the toolkit's fatbinary_section.h) into `.nvFatBinSegment` for
// each region, and code that calls __cudaRegisterFatBinary with its address:
//
//   0x00 u32 magic 0x466243B1 | 0x04 u32 version 1, 2 for a device link | 0x08 u64 pointer to the region | 0x10 u64
//
// The section is where to look and not what to believe: it may have another name, and the loader knows nothing of it.
// What the loader knows is that the pointer has to be relocated. So each relocated word that has a wrapper's first half
// before it is one, wherever it lies; and in files that are loaded at a fixed address, each wrapper in writable data.
#pragma once

#include <cstdint>
#include <vector>

#include "binary/elf.hpp"
#include "binary/pe.hpp"

namespace wheelarch {

struct Registration {
    std::vector<std::uint64_t> regions;  // offsets in the file, in the order of their wrappers, without repeats
    bool calls_cuda = false;             // it imports __cudaRegisterFatBinary
    bool calls_hip = false;              // likewise of AMD's runtime
};

// For a file that is loaded: `elf.is_loadable()`. Throws an Error on a wrapper whose pointer leads to no region of the
// file: what is registered there cannot be told.
Registration find_registration(ByteView file, const Elf& elf);
Registration find_registration(ByteView file, const Pe& pe);

}  // namespace wheelarch
