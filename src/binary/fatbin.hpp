// Fatbin: NVIDIA's container of device code. No public document gives the layout; every fact here was observed on
// files of CUDA 11.8 to 13.0 and checked against what cuobjdump prints for them. docs/formats.md has them in full.
//
// A section such as `.nv_fatbin` is a sequence of regions, one for each translation unit or device link:
//
//   region   0x00 u32 magic 0xBA55ED50 | 0x04 u16 version 1 | 0x06 u16 header size 0x10 | 0x08 u64 bytes of entries
//   entry    0x00 u16 kind | 0x04 u32 header size | 0x08 u64 payload bytes, padded to 8 | 0x10 u32 compressed bytes,
//            0 if raw | 0x18 u16 minor, 0x1a u16 major of the code's version | 0x1c u32 SM number | 0x28 u64 flags |
//            0x38 u64 bytes after decompression | … | payload
//
// Kind, arch and suffix stand in the entry header, which is never compressed. Rejected: scanning for the magic, which
// stands tens of thousands of times in the tables of real libraries.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/arch.hpp"
#include "base/byte_view.hpp"

namespace wheelarch {

enum class ImageKind : std::uint8_t { sass, ptx, lto_ir, other };
enum class Compression : std::uint8_t { none, lz4, zstd, unknown };

struct FatbinEntry {
    ImageKind kind = ImageKind::other;
    std::uint16_t raw_kind = 0;  // the field as it stands
    Arch arch;
    std::uint16_t version_major = 0;  // PTX: the ISA version. Cubin: 1.7 has ABI version 7, 1.8 has 8
    std::uint16_t version_minor = 0;
    Compression compression = Compression::none;
    bool obfuscated = false;  // LTO-IR; cannot be opened
    bool debug = false;       // built with -G
    std::uint64_t size = 0;   // of the payload once it is decompressed
    ByteView payload;         // as it is stored, without padding
};

struct FatbinRegion {
    std::uint64_t offset = 0;  // in the file
    std::uint64_t end = 0;     // likewise, past its last entry
    std::vector<FatbinEntry> entries;
};

bool is_fatbin(ByteView file) noexcept;

// Calls `visit` for each region of a section in order. Throws an Error with the offset on anything that is not a
// region, an entry or the zero words that linkers put between regions.
// `reached` is told now and then how much of the section was read.
void for_each_region(
    ByteView section, const std::function<void(const FatbinRegion&)>& visit,
    const std::function<void(std::uint64_t)>& reached = [](std::uint64_t) {});

}  // namespace wheelarch
