// Libraries whose regions lie in no section of theirs: they are found through the wrappers of `.nvFatBinSegment`.
#include <doctest/doctest.h>

#include "binary/code_sections.hpp"
#include "support/bytes.hpp"
#include "support/damage.hpp"
#include "support/fatbin_builder.hpp"
#include "support/pe_builder.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kBase = 0x10000;
const std::string kRegion80 = build_region({.entries = {sass(80)}});
const std::string kRegion90 = build_region({.entries = {sass(90), sass(86)}});

std::vector<CodeSection> found_in(const std::string& file, FileFormat format) {
    return find_code_sections(ByteView(file), format).sections;
}

// `.rodata` holds both regions and what is no region; the segment has a wrapper for each region. `stored` is false
// where the linker leaves the pointers to the relocations, as lld does. `relocation` is R_X86_64_RELATIVE.
ElfSpec library(bool stored, std::uint64_t relocation = 8, const std::string& segment_name = ".nvFatBinSegment") {
    ElfSpec spec;
    spec.load_address = kBase;
    spec.dynamic = ".dynamic";
    spec.sections = {{.name = ".rodata", .content = "constants of the host   " + kRegion80 + zeros(40) + kRegion90},
                     {.name = segment_name, .content = zeros(48)},
                     {.name = ".rela.dyn", .content = zeros(48), .type = kElfRela},
                     {.name = ".dynamic", .content = zeros(48)}};
    const auto address = [&](const std::string& name) { return kBase + offset_in_elf(spec, name); };
    const std::uint64_t first = address(".rodata") + 24;
    const std::uint64_t second = first + kRegion80.size() + 40;
    const std::uint64_t segment = address(segment_name);
    spec.sections[1].content = wrapper(stored ? first : 0) + wrapper(stored ? second : 0, 2);
    spec.sections[2].content =
        elf_rela(segment + 8, relocation, first) + elf_rela(segment + 24 + 8, relocation, second);
    spec.sections[3].content = elf_dynamic({{7, address(".rela.dyn")}, {8, stored ? 0 : 48}});
    return spec;
}

TEST_CASE("ELF: pointers in the file, and pointers in relocations") {
    for (const bool stored : {true, false}) {
        const std::string file = build_elf(library(stored));
        const std::vector<CodeSection> found = found_in(file, FileFormat::elf);
        REQUIRE(found.size() == 2);
        CHECK(found[0].name == ".nvFatBinSegment");
        CHECK_FALSE(found[0].relocatable);
        CHECK(found[0].bytes.text() == kRegion80);
        CHECK(found[1].bytes.text() == kRegion90);
        CHECK(file.substr(static_cast<std::size_t>(found[1].bytes.origin()), kRegion90.size()) == kRegion90);
    }
}

TEST_CASE("ELF: relocations of the other host's type do not count") {
    ElfSpec spec = library(false);
    spec.machine = 183;
    const std::string file = build_elf(spec);
    CHECK(error_text([&] {
              found_in(file, FileFormat::elf);
          }).find("registers address 0x0, where this file has no fatbin") != std::string::npos);
}

TEST_CASE("ELF: wrappers are followed beside a section, too") {
    for (const char* name : {".nv_fatbin", "__nv_relfatbin"}) {
        ElfSpec spec = library(true);
        spec.sections.push_back({.name = name, .content = kRegion80 + kRegion90});
        const std::string file = build_elf(spec);
        const std::vector<CodeSection> found = found_in(file, FileFormat::elf);
        REQUIRE(found.size() == 3);
        CHECK(found[0].name == name);
        CHECK_FALSE(found[0].followed);
        CHECK(found[1].followed);
        CHECK(found[2].bytes.text() == kRegion90);
    }
}

TEST_CASE("ELF: a wrapper in plain data, by each kind of relocation") {
    for (const auto& [machine, type] :
         {std::pair<std::uint16_t, std::uint64_t>{62, 8}, {62, 1}, {183, 1027}, {183, 257}}) {
        ElfSpec spec = library(false, type, ".data");
        spec.machine = machine;
        const std::string file = build_elf(spec);
        const std::vector<CodeSection> found = found_in(file, FileFormat::elf);
        REQUIRE(found.size() == 2);
        CHECK(found[0].bytes.text() == kRegion80);
        CHECK(found[1].bytes.text() == kRegion90);
    }
    CHECK(found_in(build_elf(library(true, 8, ".data")), FileFormat::elf).empty());  // nothing relocates it
}

TEST_CASE("ELF: without its section table it is read by its program headers") {
    ElfSpec spec = library(false);
    spec.section_table = false;
    CHECK(found_in(build_elf(spec), FileFormat::elf).size() == 2);
}

TEST_CASE("ELF: packed relative relocations") {
    ElfSpec spec = library(true, 8, ".data");
    const std::uint64_t data = kBase + offset_in_elf(spec, ".data");
    spec.sections[2].content = le64(data + 8) + le64(1U | (1U << 3U)) + zeros(32);  // a word, and the third behind it
    spec.sections[3].content = elf_dynamic({{36, kBase + offset_in_elf(spec, ".rela.dyn")}, {35, 16}});
    CHECK(found_in(build_elf(spec), FileFormat::elf).size() == 2);
}

TEST_CASE("ELF: at a fixed address, wrappers in writable data need no relocation") {
    ElfSpec spec = library(true, 8, ".data");
    spec.type = 2;
    std::string file = build_elf(spec);
    CHECK(found_in(file, FileFormat::elf).empty());
    poke(file, 0x40 + 4, le32(7));  // p_flags
    CHECK(found_in(file, FileFormat::elf).size() == 2);
}

// A library that imports a function by a jump slot.
ElfSpec importer(const std::string& function) {
    ElfSpec spec;
    spec.load_address = kBase;
    spec.dynamic = ".dynamic";
    spec.sections = {{.name = ".got", .content = zeros(8)},
                     {.name = ".dynsym", .content = elf_symbol(0, 0, 0) + elf_symbol(1, 0, 0)},
                     {.name = ".dynstr", .content = std::string(1, '\0') + function + '\0'},
                     {.name = ".rela.plt", .content = zeros(24), .type = kElfRela},
                     {.name = ".dynamic", .content = zeros(96)}};
    const auto address = [&](const std::string& name) { return kBase + offset_in_elf(spec, name); };
    spec.sections[3].content = elf_rela(address(".got"), (std::uint64_t{1} << 32U) | 7, 0);
    spec.sections[4].content = elf_dynamic({{5, address(".dynstr")},
                                            {10, spec.sections[2].content.size()},
                                            {6, address(".dynsym")},
                                            {23, address(".rela.plt")},
                                            {2, 24}});
    return spec;
}

TEST_CASE("ELF: who calls the runtime's registration has device code") {
    CHECK(found_in(build_elf(importer("cudaMalloc")), FileFormat::elf).empty());
    ElfSpec spec = importer("__cudaRegisterFatBinary");
    CHECK(error_text([&] {
              found_in(build_elf(spec), FileFormat::elf);
          }).starts_with("it calls __cudaRegisterFatBinary, but what it registers was not found"));
    const std::string hip = build_elf(importer("__hipRegisterFatBinary"));
    CHECK(find_code_sections(ByteView(hip), FileFormat::elf).amd);
}

TEST_CASE("ELF: the wrappers of an object are not filled in yet") {
    ElfSpec spec = library(false);
    spec.type = 1;
    CHECK(found_in(build_elf(spec), FileFormat::elf).empty());
}

TEST_CASE("ELF: an empty segment, and one whose tail is no wrapper") {
    ElfSpec spec = library(true);
    spec.sections[1].content += zeros(8);
    CHECK(found_in(build_elf(spec), FileFormat::elf).size() == 2);
    spec.sections[1].content.clear();
    CHECK(found_in(build_elf(spec), FileFormat::elf).empty());
}

TEST_CASE("ELF: wrappers and regions that are none") {
    ElfSpec spec = library(true);
    const std::uint64_t segment = offset_in_elf(spec, ".nvFatBinSegment");
    std::string file = build_elf(spec);
    poke(file, segment + 24, le32(0x466243B2));
    CHECK(error_text([&] { found_in(file, FileFormat::elf); }).find(": a fatbin wrapper without its magic") !=
          std::string::npos);
    file = build_elf(spec);
    poke(file, segment + 8, le64(0xdead0000));
    CHECK(error_text([&] {
              found_in(file, FileFormat::elf);
          }).find("registers address 0xdead0000, where this file has no fatbin") != std::string::npos);
    file = build_elf(spec);
    poke(file, offset_in_elf(spec, ".rodata") + 24 + 8, le64(1 << 20));
    CHECK(error_text([&] { found_in(file, FileFormat::elf); }).find("a fatbin region needs 1048576 bytes here") !=
          std::string::npos);
}

PeSpec image(bool long_names) {
    PeSpec spec = {.long_names = long_names,
                   .sections = {{.name = ".rdata", .content = zeros(32) + kRegion80 + zeros(8) + kRegion90},
                                {.name = ".nvFatBinSegment", .content = zeros(48)}}};
    const std::uint64_t first = address_in_pe(spec, ".rdata") + 32;
    spec.sections[1].content = wrapper(first) + wrapper(first + kRegion80.size() + 8);
    return spec;
}

TEST_CASE("PE: pointers are absolute addresses") {
    for (const bool long_names : {true, false}) {
        const std::string file = build_pe(image(long_names));
        const std::vector<CodeSection> found = found_in(file, FileFormat::pe);
        REQUIRE(found.size() == 2);
        CHECK(found[0].bytes.text() == kRegion80);
        CHECK(found[1].bytes.text() == kRegion90);
    }
}

TEST_CASE("the file may lie within another, as a stored member of a wheel does") {
    constexpr std::uint64_t kOrigin = 0x5000;
    const std::string elf = build_elf(library(true));
    const std::string pe = build_pe(image(false));
    for (const auto& [file, format] : {std::pair(elf, FileFormat::elf), std::pair(pe, FileFormat::pe)}) {
        const auto found = find_code_sections(ByteView(file.data(), file.size(), kOrigin), format).sections;
        REQUIRE(found.size() == 2);
        CHECK(found[0].bytes.text() == kRegion80);
        CHECK(file.substr(static_cast<std::size_t>(found[0].bytes.origin() - kOrigin), kRegion80.size()) == kRegion80);
    }
}

TEST_CASE("damage to a library with wrappers gives an answer or an Error") {
    for (const bool stored : {true, false}) {
        check_damage(build_elf(library(stored)), [](ByteView bytes) { find_code_sections(bytes, FileFormat::elf); });
    }
    const std::string file = build_pe(image(true));
    check_truncations(file, [](ByteView bytes) { find_code_sections(bytes, FileFormat::pe); });
    check_bit_flips(file, 0, 0x400, [](ByteView bytes) { find_code_sections(bytes, FileFormat::pe); });
}

}  // namespace
}  // namespace wheelarch
