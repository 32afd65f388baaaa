// Builds ELF files in memory from a readable description, independent of our reader. Fields are those of the System V
// ABI, chapters 4 and 5; what is left out is as a linker would write it.
//
//   build_elf({.sections = {{.name = ".nv_fatbin", .content = region}}})
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wheelarch {

inline constexpr std::uint32_t kElfProgbits = 1;
inline constexpr std::uint32_t kElfSymtab = 2;
inline constexpr std::uint32_t kElfRela = 4;
inline constexpr std::uint32_t kElfNobits = 8;
inline constexpr std::uint32_t kElfRel = 9;

struct ElfSectionSpec {
    std::string name = {};
    std::string content = {};
    std::uint32_t type = kElfProgbits;
    std::uint64_t flags = 2;  // SHF_ALLOC
    std::uint32_t link = 0;
    // Departures from the truth.
    std::optional<std::uint64_t> offset = {};
    std::optional<std::uint64_t> size = {};
};

struct ElfSpec {
    bool is64 = true;
    bool big_endian = false;  // says EI_DATA only; nothing else is turned round
    std::uint8_t os_abi = 0;
    std::uint8_t abi_version = 0;
    std::uint16_t type = 3;      // ET_DYN
    std::uint16_t machine = 62;  // EM_X86_64
    std::uint32_t version = 1;
    std::uint32_t flags = 0;
    std::vector<ElfSectionSpec> sections = {};  // without the null section and `.shstrtab`
    bool names_first = false;  // `.shstrtab` is section 1, right behind the header, as in cubins; else it is the last
    bool section_table = true;
    bool escape_counts = false;                      // e_shnum 0 and e_shstrndx 0xffff; the numbers stand in section 0
    std::optional<std::uint64_t> load_address = {};  // one PT_LOAD for the whole file, at this address
    std::string dynamic = {};                        // the section that PT_DYNAMIC names, beside a PT_LOAD
    std::uint64_t alignment = 8;                     // of the sections' contents
};

std::string build_elf(const ElfSpec& spec);

// Where the content of section `name` comes to lie in the file, unless names_first is set. It depends on the sizes
// before it only.
std::uint64_t offset_in_elf(const ElfSpec& spec, const std::string& name);

// Elf64_Dyn entries, with the null that ends them.
std::string elf_dynamic(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& entries);
// One Elf64_Sym.
std::string elf_symbol(std::uint32_t st_name, std::uint16_t st_shndx, std::uint64_t st_value);
// One Elf64_Rela; r_info is the symbol's index above the type.
std::string elf_rela(std::uint64_t r_offset, std::uint64_t r_info, std::uint64_t r_addend);

}  // namespace wheelarch
