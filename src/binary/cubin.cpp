#include "binary/cubin.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "binary/elf.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kCodePrefix = ".text.";
constexpr std::uint8_t kCompatArch = 0x09;  // the attribute of `.nv.compat` that holds the suffix

// `.nv.compat` is a sequence of records: u8 format, u8 attribute, u16 value, which in format 4 is the size of the data
// that follow.
bool compat_says_a(ByteView compat) {
    constexpr std::uint8_t kByteValue = 0x02;
    constexpr std::uint8_t kSizedValue = 0x04;
    for (std::uint64_t at = 0; at + 4 <= compat.size(); at += 4) {
        const std::uint8_t format = compat.u8(at, "a record's format");
        if (format == kByteValue && compat.u8(at + 1, "a record's attribute") == kCompatArch) {
            return compat.u8(at + 2, "a record's value") == 1;
        }
        at += format == kSizedValue ? compat.u16(at + 2, "a record's size") : 0;
    }
    return false;
}

// The command line in `.note.nv.tkinfo` (observed in cubins of CUDA 12.9 and 13): an ELF note of type 2000, whose
// descriptor has at 0x14 the offset of that text in the strings from 0x18 on. Its first word is 2 in those of CUDA 13,
// and 0x81 in those of 12.9.
std::string_view tool_command(ByteView note) {
    constexpr std::uint64_t kNoteHeader = 12;
    constexpr std::uint64_t kStrings = 0x18;
    constexpr std::uint32_t kVersion = 2;
    constexpr std::uint32_t kVersionOf129 = 0x81;
    if (note.size() < kNoteHeader || note.u32(8, "a note's type") != 2000) {
        return {};
    }
    const std::uint64_t name_size = (note.u32(0, "a note's name size") + std::uint64_t{3}) / 4 * 4;
    const ByteView descriptor = note.clipped(kNoteHeader + name_size, note.u32(4, "a note's descriptor size"));
    const std::uint32_t version = descriptor.size() < kStrings ? 0 : descriptor.u32(0, "the version of tkinfo");
    if (version != kVersion && version != kVersionOf129) {
        return {};
    }
    const ByteView rest = descriptor.clipped(kStrings + descriptor.u32(0x14, "the offset of the command"), note.size());
    return rest.text().substr(0, rest.text().find('\0'));
}

// Does the command line name `sm_<number>f` as its target?
bool command_says_f(std::string_view command, std::uint32_t number) {
    const std::string target = sass_name({number, 'f'});
    for (std::size_t at = command.find(target); at != std::string_view::npos; at = command.find(target, at + 1)) {
        const std::string_view before = command.substr(0, at);
        const std::size_t end = at + target.size();
        const bool whole = end == command.size() || command[end] == ' ';
        if (whole && (before.ends_with("-arch ") || before.ends_with("-arch=") || before.ends_with("--gpu-name "))) {
            return true;
        }
    }
    return false;
}

char suffix_of(const Elf& elf, std::uint32_t number) {
    const ElfSection* compat = elf.find(".nv.compat");
    const ElfSection* tool = elf.find(".note.nv.tkinfo");
    // Below 9.0 no arch has a suffix, and that bit means something else (seen in NVIDIA's own cubins for sm_60).
    const bool a = elf.abi_version == 7 ? number >= 90 && (elf.flags & 0x800) != 0
                                        : (elf.flags & 0x8) != 0 || (compat != nullptr && compat_says_a(compat->bytes));
    if (a) {
        return 'a';
    }
    return tool != nullptr && command_says_f(tool_command(tool->bytes), number) ? 'f' : '\0';
}

}  // namespace

bool is_cubin(ByteView file) noexcept {
    return elf_machine(file) == kMachineCuda;
}

std::optional<std::uint32_t> cubin_number(ByteView file) {
    const ElfHeader header = read_elf_header(file);
    switch (header.abi_version) {
        case 7: return header.flags & 0xff;
        case 8: return (header.flags >> 8) & 0xff;
        default: return std::nullopt;
    }
}

Arch cubin_arch(ByteView file) {
    const auto number = cubin_number(file);
    if (!number) {
        throw unchecked(fmt::format("a cubin of ABI version {}, expected 7 or 8", read_elf_header(file).abi_version),
                        "this toolkit's cubins are not known yet: report the CUDA version that made it")
            .at(file.origin() + 8);
    }
    return {*number, suffix_of(read_elf(file), *number)};
}

bool cubin_has_stray_link(ByteView file) {
    constexpr std::uint32_t kSymbols = 2;  // SHT_SYMTAB
    constexpr std::uint32_t kRela = 4;     // SHT_RELA
    constexpr std::uint32_t kRel = 9;      // SHT_REL
    const Elf elf = read_elf(file);
    return std::any_of(elf.sections.begin(), elf.sections.end(), [&](const ElfSection& section) {
        const bool relocates = section.type == kRela || section.type == kRel;
        return relocates && section.link < elf.sections.size() && elf.sections[section.link].type != kSymbols;
    });
}

bool cubin_is_tile(ByteView file) {
    constexpr std::string_view kSymbol("\0___NV_TILE_LAUNCH_META_DATA___\0", 32);
    const Elf elf = read_elf(file);
    const ElfSection* names = elf.find(".strtab");
    return names != nullptr && names->bytes.text().find(kSymbol) != std::string_view::npos;
}

bool cubin_has_code(ByteView file) {
    if (!is_cubin(file)) {
        throw unchecked("an image that should be a cubin is no ELF file for CUDA",
                        "the file is damaged: build or download it again")
            .at(file.origin());
    }
    bool found = false;
    visit_sections(file, [&](const ElfSection& section) {
        found = section.name.starts_with(kCodePrefix) && !section.bytes.empty();
        return !found;
    });
    return found;
}

std::string_view cubin_head_function(ByteView head) noexcept {
    constexpr std::uint64_t kNames = 0x40;
    constexpr std::string_view kFirstName(".shstrtab\0", 10);
    constexpr std::string_view kCodeName("\0.text.", 7);
    const std::string_view names = head.clipped(kNames, head.size()).text();
    // The table begins with a NUL and `.shstrtab`; it ends where two NULs follow one another.
    if (!is_cubin(head) || names.empty() || !names.substr(1).starts_with(kFirstName)) {
        return {};
    }
    const std::string_view table = names.substr(0, names.find(std::string_view("\0\0", 2), 1));
    const std::size_t found = table.find(kCodeName);
    if (found == std::string_view::npos) {
        return {};
    }
    const std::string_view name = table.substr(found + kCodeName.size());
    return name.substr(0, name.find('\0'));
}

}  // namespace wheelarch
