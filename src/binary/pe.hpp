// PE and COFF: the section table of Windows images (.pyd, .dll, .exe) and objects (.obj), as far as device code needs
// it. Field names are those of Microsoft's "PE Format".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_view.hpp"

namespace wheelarch {

inline constexpr std::uint16_t kPeMachineX64 = 0x8664;    // IMAGE_FILE_MACHINE_AMD64
inline constexpr std::uint16_t kPeMachineArm64 = 0xaa64;  // IMAGE_FILE_MACHINE_ARM64

struct PeSection {
    std::string name;  // the long name where a string table gives one
    std::uint64_t virtual_address = 0;
    bool writable = false;  // IMAGE_SCN_MEM_WRITE
    ByteView bytes;         // what is in the file of it, without the padding to FileAlignment
};

struct Pe {
    std::uint16_t machine = 0;     // Machine
    bool is64 = false;             // PE32+
    std::uint64_t image_base = 0;  // ImageBase; 0 in an object
    std::vector<PeSection> sections;
    std::vector<std::uint64_t> directories;  // of an image: the data directories' VirtualAddress, 0 where there is none
};

// Does `file` begin as a PE image (MZ, then the PE signature)? MZ alone is a DOS program.
bool is_pe(ByteView file) noexcept;
// Does it begin as a COFF object of a 64-bit host, plain or /bigobj?
bool is_coff_object(ByteView file) noexcept;

Pe read_pe(ByteView file);
Pe read_coff_object(ByteView file);

// A word that the loader moves with the image, and the absolute virtual address that it holds: by the base relocations.
struct PePointer {
    std::uint64_t address = 0;  // of the word, absolute
    std::uint64_t value = 0;
};
void visit_pointers(ByteView file, const Pe& pe, const std::function<void(const PePointer&)>& visit);

// The names of the functions that it imports, also those that are bound when they are first called.
void visit_imports(ByteView file, const Pe& pe, const std::function<void(std::string_view)>& visit);

// Where the byte at absolute virtual address `address` lies in the bytes that `pe` was read from; nothing if no section
// holds it.
std::optional<std::uint64_t> find_file_offset(ByteView file, const Pe& pe, std::uint64_t address) noexcept;

}  // namespace wheelarch
