#include "binary/code_sections.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/error.hpp"
#include "binary/ar.hpp"
#include "binary/elf.hpp"
#include "binary/pe.hpp"
#include "binary/registration.hpp"

namespace wheelarch {
namespace {

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
    return {std::string(kSegment), rest.slice(0, kRegionHeader + entries.size(), "a fatbin region"), false, true};
}

// Takes those of `offsets`, which are in order, off at which a region of the section begins: the others lie in the
// middle of one, or elsewhere.
void take_off_regions(ByteView file, ByteView section, std::vector<std::uint64_t>& offsets) {
    const std::uint64_t start = section.origin() - file.origin();
    std::uint64_t at = 0;
    const auto begins_here = [&](std::uint64_t offset) {
        while (offset >= start && start + at < offset && at + kRegionHeader <= section.size()) {
            const ByteView header = section.clipped(at, kRegionHeader);
            const std::uint64_t size = is_fatbin(header) ? header.u64(0x08, "a region's size") : 0;
            at += is_fatbin(header) ? kRegionHeader + std::min(size, section.size()) : 8;
        }
        return start + at == offset && at < section.size();
    };
    offsets.erase(std::remove_if(offsets.begin(), offsets.end(), begins_here), offsets.end());
}

// The registered regions that lie in none of the sections, each as a section of its own.
void follow(CodeSections& found, ByteView file) {
    std::vector<std::uint64_t> elsewhere = found.registered;
    std::sort(elsewhere.begin(), elsewhere.end());
    for (const CodeSection& section : found.sections) {
        take_off_regions(file, section.bytes, elsewhere);
    }
    for (const std::uint64_t offset : found.registered) {
        if (std::binary_search(elsewhere.begin(), elsewhere.end(), offset)) {
            found.sections.push_back(region_at(file, offset));
        }
    }
    std::sort(found.registered.begin(), found.registered.end());
}

// A library that calls the runtime has device code, even where none is found; to call it a host's would be a guess.
void take_registration(CodeSections& found, ByteView file, Registration registration) {
    if (registration.calls_cuda && registration.regions.empty()) {
        throw unchecked("it calls __cudaRegisterFatBinary, but what it registers was not found",
                        "build it again with nvcc or clang as they are, without tools that move or pack its sections; "
                        "or name it with --exclude");
    }
    found.registered = std::move(registration.regions);
    found.amd = found.amd || registration.calls_hip;
    found.is_loaded = true;
    follow(found, file);
}

bool has_hip_section(const std::vector<NamedBytes>& sections) {
    return std::any_of(sections.begin(), sections.end(), [](const NamedBytes& section) {
        return !section.bytes.empty() && (section.name == ".hip_fatbin" || section.name == ".hip_fat");
    });
}

// Linked code first, then relocatable code, whatever their order in the file.
std::vector<CodeSection> fatbin_sections(const std::vector<NamedBytes>& sections, bool cut_names) {
    std::vector<CodeSection> found;
    for (const std::string_view wanted : {kCode, kRelocatable}) {
        for (const NamedBytes& section : sections) {
            if (is_named(section.name, wanted, cut_names) && !section.bytes.empty()) {
                found.push_back({std::string(section.name), section.bytes, wanted == kRelocatable, false});
            }
        }
    }
    return found;
}

CodeSections in_elf(ByteView file) {
    const Elf elf = read_loaded_elf(file);
    const std::vector<NamedBytes> named = named_bytes(elf.sections);
    CodeSections found;
    found.machine = elf.machine;
    found.sections = fatbin_sections(named, false);
    found.amd = has_hip_section(named);
    found.damage = elf.section_damage;
    if (elf.is_loadable()) {
        take_registration(found, file, find_registration(file, elf));
    }
    return found;
}

CodeSections in_pe(ByteView file) {
    const Pe pe = read_pe(file);
    const std::vector<NamedBytes> named = named_bytes(pe.sections);
    CodeSections found;
    found.machine = pe.machine;
    found.sections = fatbin_sections(named, true);
    found.amd = has_hip_section(named);
    take_registration(found, file, find_registration(file, pe));
    // Without a single wrapper nothing says what is registered, and the sections are taken at their word.
    found.is_loaded = !found.registered.empty();
    return found;
}

CodeSections in_coff(ByteView file) {
    const Pe object = read_coff_object(file);
    const std::vector<NamedBytes> named = named_bytes(object.sections);
    CodeSections found;
    found.machine = object.machine;
    found.sections = fatbin_sections(named, true);
    found.amd = has_hip_section(named);
    return found;
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
            found.amd = found.amd || in_object.amd;
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
