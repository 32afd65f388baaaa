// PE and COFF: the section table of Windows images (.pyd, .dll, .exe) and objects (.obj), as far as device code needs
// it. Field names are those of Microsoft's "PE Format".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/byte_view.hpp"

namespace wheelarch {

inline constexpr std::uint16_t kPeMachineX64 = 0x8664;    // IMAGE_FILE_MACHINE_AMD64
inline constexpr std::uint16_t kPeMachineArm64 = 0xaa64;  // IMAGE_FILE_MACHINE_ARM64

struct PeSection {
    std::string name;  // the long name where a string table gives one
    std::uint64_t virtual_address = 0;
    ByteView bytes;  // what is in the file of it, without the padding to FileAlignment
};

struct Pe {
    std::uint16_t machine = 0;     // Machine
    std::uint64_t image_base = 0;  // ImageBase; 0 in an object
    std::vector<PeSection> sections;
};

// Does `file` begin as a PE image (MZ, then the PE signature)? MZ alone is a DOS program.
bool is_pe(ByteView file) noexcept;
// Does it begin as a COFF object of a 64-bit host, plain or /bigobj?
bool is_coff_object(ByteView file) noexcept;

Pe read_pe(ByteView file);
Pe read_coff_object(ByteView file);

// Where the byte at absolute virtual address `address` lies in the file; throws if no section holds it.
std::uint64_t file_offset(const Pe& pe, std::uint64_t address);

}  // namespace wheelarch
