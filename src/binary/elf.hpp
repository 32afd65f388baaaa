// ELF: the section table, as far as device code needs it. Serves little-endian ELF32 and ELF64, of hosts and of
// NVIDIA's cubins alike. Field names are those of the System V ABI, chapters 4 and 5.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_view.hpp"

namespace wheelarch {

inline constexpr std::uint16_t kMachineCuda = 190;     // EM_CUDA
inline constexpr std::uint16_t kMachineX86_64 = 62;    // EM_X86_64
inline constexpr std::uint16_t kMachineAarch64 = 183;  // EM_AARCH64
inline constexpr std::uint16_t kTypeRelocatable = 1;   // ET_REL
inline constexpr std::uint16_t kTypeExecutable = 2;    // ET_EXEC
inline constexpr std::uint16_t kTypeShared = 3;        // ET_DYN

struct ElfSection {
    std::string_view name;
    std::uint32_t type = 0;
    std::uint32_t link = 0;  // sh_link
    std::uint64_t addr = 0;
    ByteView bytes;  // empty for SHT_NOBITS
};

struct ElfSegment {  // PT_LOAD only
    std::uint64_t vaddr = 0;
    std::uint64_t offset = 0;
    std::uint64_t filesz = 0;
    bool writable = false;  // PF_W
};

struct ElfHeader {
    bool is64 = true;
    std::uint8_t abi_version = 0;  // e_ident[EI_ABIVERSION]
    std::uint16_t type = 0;        // e_type
    std::uint16_t machine = 0;     // e_machine
    std::uint32_t flags = 0;       // e_flags
};

struct Elf : ElfHeader {
    std::uint64_t file_size = 0;
    std::vector<ElfSection> sections;
    std::vector<ElfSegment> load_segments;
    ByteView dynamic;            // what PT_DYNAMIC names; empty without one
    std::string section_damage;  // why the section table could not be read; see read_loaded_elf

    // Is it a 64-bit program or library that a loader maps? What is loaded of it then, its program headers say.
    bool is_loadable() const noexcept;
    const ElfSection* find(std::string_view name) const;
};

bool is_elf(ByteView file) noexcept;
// e_machine of a file that begins as ELF; 0 if that is cut off or big-endian.
std::uint16_t elf_machine(ByteView file) noexcept;

ElfHeader read_elf_header(ByteView file);

// Throws an Error on a big-endian file, on one without a section table (nobody can say what it holds), and on a table
// or a section that lies outside of the file, which is how a truncated file shows.
Elf read_elf(ByteView file);

// As `read_elf`, but goes by the program headers as a loader does: where they are whole, a missing or damaged section
// table leaves no sections, and `section_damage` says what is wrong with it.
Elf read_loaded_elf(ByteView file);

// As `read_elf` for its sections only, without keeping them: calls `visit` for each until that returns false.
void visit_sections(ByteView file, const std::function<bool(const ElfSection&)>& visit);

// Where the byte at `address` lies in the file: by the last PT_LOAD segment that maps it, as a loader maps one over the
// other. Nothing if none does.
std::optional<std::uint64_t> find_file_offset(const Elf& elf, std::uint64_t address) noexcept;

}  // namespace wheelarch
