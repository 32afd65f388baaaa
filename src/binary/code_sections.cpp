#include "binary/code_sections.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/error.hpp"
#include "binary/ar.hpp"
#include "binary/elf.hpp"
#include "binary/pe.hpp"

namespace wheelarch {
namespace {

constexpr const char* kDamaged = "the file is damaged: build or download it again";

// `__fatBinC_Wrapper_t` of the toolkit's fatbinary_section.h: magic, version, pointer to the region, one more pointer.
constexpr std::uint64_t kWrapper = 24;
constexpr std::uint32_t kWrapperMagic = 0x466243B1;
constexpr std::uint64_t kWrapperPointer = 8;
constexpr std::uint64_t kRegionHeader = 0x10;

constexpr std::string_view kCode = ".nv_fatbin";
constexpr std::string_view kRelocatable = "__nv_relfatbin";
constexpr std::string_view kSegment = ".nvFatBinSegment";

// PE images keep 8 bytes of a section's name.
bool is_named(std::string_view found, std::string_view wanted, bool cut_names) {
    return found == wanted || (cut_names && found == wanted.substr(0, 8));
}

struct NamedBytes {
    std::string_view name;
    ByteView bytes;
};

template <typename Section>
std::vector<NamedBytes> named_bytes(const std::vector<Section>& sections) {
    std::vector<NamedBytes> all;
    std::transform(sections.begin(), sections.end(), std::back_inserter(all),
                   [](const Section& section) { return NamedBytes{section.name, section.bytes}; });
    return all;
}

void check_no_overlap(const std::vector<CodeSection>& sections, std::uint64_t file_size) {
    std::uint64_t total = 0;
    for (const CodeSection& section : sections) {
        total += section.bytes.size();
    }
    if (total > file_size) {
        throw unchecked("the sections of device code overlap", "the file is damaged: build or download it again");
    }
}

// The region that starts at `offset` of the file, as a section of its own.
CodeSection region_at(ByteView file, std::uint64_t offset) {
    const std::uint64_t size = file.slice(offset, kRegionHeader, "a fatbin region").u64(0x08, "a region's size");
    const ByteView rest = file.from(offset, "a fatbin region");
    const ByteView entries = rest.from(kRegionHeader, "a fatbin region").slice(0, size, "a fatbin region");
    return {std::string(kSegment), rest.slice(0, kRegionHeader + entries.size(), "a fatbin region"), false};
}

// Calls `visit` with the offset in `segment` and the stored pointer of each wrapper.
template <typename Visit>
void for_each_wrapper(ByteView segment, const Visit& visit) {
    for (std::uint64_t at = 0; at + kWrapper <= segment.size(); at += kWrapper) {
        if (segment.u32(at, "a wrapper's magic") != kWrapperMagic) {
            throw unchecked("a fatbin wrapper without its magic", kDamaged).at(segment.origin() + at);
        }
        visit(at, segment.u64(at + kWrapperPointer, "a wrapper's pointer"));
    }
}

std::vector<CodeSection> follow_wrappers(ByteView file, const Elf& elf) {
    std::vector<CodeSection> found;
    for (const ElfSection& section : elf.sections) {
        if (section.name != kSegment || section.bytes.empty()) {
            continue;
        }
        const auto relocated = relative_relocations(elf, section.addr, section.addr + section.bytes.size());
        for_each_wrapper(section.bytes, [&](std::uint64_t at, std::uint64_t pointer) {
            const auto value = relocated.find(section.addr + at + kWrapperPointer);
            found.push_back(region_at(file, file_offset(elf, value == relocated.end() ? pointer : value->second)));
        });
    }
    return found;
}

std::vector<CodeSection> follow_wrappers(ByteView file, const Pe& pe) {
    std::vector<CodeSection> found;
    for (const PeSection& section : pe.sections) {
        if (is_named(section.name, kSegment, true)) {
            for_each_wrapper(section.bytes, [&](std::uint64_t, std::uint64_t pointer) {
                found.push_back(region_at(file, file_offset(pe, pointer) - file.origin()));
            });
        }
    }
    return found;
}

// Linked code first, then relocatable code, whatever their order in the file.
std::vector<CodeSection> fatbin_sections(const std::vector<NamedBytes>& sections, bool cut_names) {
    std::vector<CodeSection> found;
    for (const std::string_view wanted : {kCode, kRelocatable}) {
        for (const NamedBytes& section : sections) {
            if (is_named(section.name, wanted, cut_names) && !section.bytes.empty()) {
                found.push_back({std::string(section.name), section.bytes, wanted == kRelocatable});
            }
        }
    }
    return found;
}

CodeSections in_elf(ByteView file) {
    const Elf elf = read_elf(file);
    CodeSections found = {elf.machine, fatbin_sections(named_bytes(elf.sections), false)};
    if (found.sections.empty() && elf.type != kTypeRelocatable) {
        found.sections = follow_wrappers(file, elf);
    }
    return found;
}

CodeSections in_pe(ByteView file) {
    const Pe pe = read_pe(file);
    CodeSections found = {pe.machine, fatbin_sections(named_bytes(pe.sections), true)};
    if (found.sections.empty()) {
        found.sections = follow_wrappers(file, pe);
    }
    return found;
}

CodeSections in_coff(ByteView file) {
    const Pe object = read_coff_object(file);
    return {object.machine, fatbin_sections(named_bytes(object.sections), true)};
}

CodeSections in_ar(ByteView file) {
    CodeSections found;
    for (const ArMember& member : read_ar(file)) {
        const FileFormat format = detect_format(member.bytes, ".obj");
        if (format != FileFormat::elf && format != FileFormat::coff) {
            continue;  // import objects of .lib files, LLVM bitcode, text: no place for device code
        }
        inside(member.name, [&] {
            CodeSections in_object = find_code_sections(member.bytes, format);
            found.machine = in_object.machine;
            for (CodeSection& section : in_object.sections) {
                section.name = member.name + ":" + section.name;
                found.sections.push_back(std::move(section));
            }
        });
    }
    return found;
}

}  // namespace

CodeSections find_code_sections(ByteView file, FileFormat format) {
    CodeSections found = format == FileFormat::elf    ? in_elf(file)
                         : format == FileFormat::pe   ? in_pe(file)
                         : format == FileFormat::coff ? in_coff(file)
                                                      : in_ar(file);
    check_no_overlap(found.sections, file.size());
    return found;
}

}  // namespace wheelarch
