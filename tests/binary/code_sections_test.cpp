// Where device code is looked for, and where it is not. By wrappers: code_wrappers_test.cpp.
#include "binary/code_sections.hpp"

#include <doctest/doctest.h>

#include "support/ar_builder.hpp"
#include "support/damage.hpp"
#include "support/fatbin_builder.hpp"
#include "support/pe_builder.hpp"

namespace wheelarch {
namespace {

const std::string kRegion80 = build_region({.entries = {sass(80)}});
const std::string kRegion90 = build_region({.entries = {sass(90)}});

// Names in order; relocatable ones in brackets.
std::string names(const CodeSections& found) {
    std::string text;
    for (const CodeSection& section : found.sections) {
        text += (text.empty() ? "" : " ") + (section.relocatable ? "[" + section.name + "]" : section.name);
    }
    return text;
}

std::string names(const std::string& file, FileFormat format) {
    return names(find_code_sections(ByteView(file), format));
}

std::string in_library(std::initializer_list<NamedContent> sections) {
    return names(build_library(sections), FileFormat::elf);
}

TEST_CASE("ELF: .nv_fatbin before __nv_relfatbin, whatever their order in the file") {
    CHECK(in_library({{".nv_fatbin", kRegion80}, {"__nv_relfatbin", kRegion90}}) == ".nv_fatbin [__nv_relfatbin]");
    CHECK(in_library({{"__nv_relfatbin", kRegion90}, {".nv_fatbin", kRegion80}}) == ".nv_fatbin [__nv_relfatbin]");
    CHECK(in_library({{".nv_fatbin", kRegion80}}) == ".nv_fatbin");
    CHECK(in_library({{"__nv_relfatbin", kRegion80}}) == "[__nv_relfatbin]");
}

TEST_CASE("ELF: an empty section is as if it were not there") {
    CHECK(in_library({{".nv_fatbin", ""}, {"__nv_relfatbin", kRegion90}}) == "[__nv_relfatbin]");
    CHECK(in_library({{".nv_fatbin", ""}}).empty());
    CHECK(in_library({{".nv_fatbin", kRegion80}, {"__nv_relfatbin", ""}}) == ".nv_fatbin");
}

TEST_CASE("ELF: the same name twice") {
    CHECK(in_library({{".nv_fatbin", kRegion80}, {".nv_fatbin", kRegion90}}) == ".nv_fatbin .nv_fatbin");
}

TEST_CASE("ELF: regions anywhere else are not looked at") {
    CHECK(in_library({{".rodata", kRegion80}, {".ldata", kRegion80}, {".cask_resource", kRegion80}}).empty());
    CHECK(
        in_library(
            {{".nv_fatbin.b", kRegion90}, {".nv_fatb", kRegion90}, {"nv_fatbin", kRegion90}, {".NV_FATBIN", kRegion90}})
            .empty());
    CHECK(in_library({{".nv_fatbin", kRegion80}, {".nv_fatbin.b", kRegion90}, {".rodata", kRegion90}}) == ".nv_fatbin");
    CHECK(in_library({{"__nv_module_id", kRegion90}, {".nvHRKI", kRegion90}, {".nvHRDE", kRegion90}}).empty());
}

TEST_CASE("ELF: objects, 32-bit files and other hosts") {
    ElfSpec spec = {.machine = 183, .sections = {{.name = ".nv_fatbin", .content = kRegion80}}};
    CHECK(find_code_sections(ByteView(build_elf(spec)), FileFormat::elf).machine == 183);
    spec.type = 1;  // ET_REL
    CHECK(names(build_elf(spec), FileFormat::elf) == ".nv_fatbin");
    spec.is64 = false;
    CHECK(names(build_elf(spec), FileFormat::elf) == ".nv_fatbin");
}

TEST_CASE("ELF: sections that lie over each other") {
    ElfSpec spec;
    spec.sections.push_back({.name = ".nv_fatbin", .content = kRegion80});
    const std::uint64_t offset = offset_in_elf(spec, ".nv_fatbin");
    for (int i = 0; i < 5; ++i) {
        spec.sections.push_back({.name = ".nv_fatbin", .offset = offset, .size = kRegion80.size()});
    }
    CHECK(error_text([&] { names(build_elf(spec), FileFormat::elf); }) ==
          "the sections of device code overlap\nfix: the file is damaged: build or download it again");
}

TEST_CASE("PE: names cut to 8 bytes, and long ones") {
    const PeSpec cut = {.sections = {{.name = "__nv_relfatbin", .content = kRegion90},
                                     {.name = ".nv_fatbin", .content = kRegion80},
                                     {.name = ".rdata", .content = kRegion90}}};
    CHECK(names(build_pe(cut), FileFormat::pe) == ".nv_fatb [__nv_rel]");
    PeSpec long_names = cut;
    long_names.long_names = true;
    CHECK(names(build_pe(long_names), FileFormat::pe) == ".nv_fatbin [__nv_relfatbin]");
    CHECK(find_code_sections(ByteView(build_pe(cut)), FileFormat::pe).machine == 0x8664);
}

TEST_CASE("PE: bookkeeping sections are no code") {
    const PeSpec spec = {
        .sections = {{.name = "__nv_module_id", .content = kRegion90}, {.name = ".nvHRKI", .content = kRegion90}}};
    CHECK(names(build_pe(spec), FileFormat::pe).empty());
}

TEST_CASE("COFF objects") {
    const PeSpec spec = {
        .sections = {{.name = "__nv_relfatbin", .content = kRegion90}, {.name = ".nv_fatbin", .content = kRegion80}}};
    for (const ObjectHeader header : {ObjectHeader::plain, ObjectHeader::bigobj}) {
        CHECK(names(build_coff(spec, header), FileFormat::coff) == ".nv_fatbin [__nv_relfatbin]");
    }
}

std::string object(const std::string& region) {
    return build_elf({.type = 1, .sections = {{.name = ".nv_fatbin", .content = region}}});
}

TEST_CASE("ar: the sections of each object, under its name") {
    const std::string archive =
        build_ar({.members = {{.name = "a.cu.o", .content = object(kRegion80)},
                              {.name = "host.o", .content = build_elf({.type = 1})},
                              {.name = "notes.txt", .content = "text"},
                              {.name = "b.bc", .content = "BC\xc0\xde"},
                              {.name = "empty.o", .content = ""},
                              {.name = "a_rather_long_name.cu.o", .content = object(kRegion90)}}});
    CHECK(names(archive, FileFormat::ar) == "a.cu.o:.nv_fatbin a_rather_long_name.cu.o:.nv_fatbin");
    const CodeSections found = find_code_sections(ByteView(archive), FileFormat::ar);
    CHECK(found.machine == 62);
    CHECK(found.sections.at(1).bytes.text() == kRegion90);
}

TEST_CASE("ar: the objects of a Windows library, plain and big, beside import objects") {
    const PeSpec spec = {.sections = {{.name = ".nv_fatbin", .content = kRegion80}}};
    const std::string import_object("\0\0\xff\xff\0\0\x64\x86\0\0\0\0\x10\0\0\0\0\0\4\0name\0dll\0", 28);
    const std::string library =
        build_ar({.names = ArNames::microsoft,
                  .members = {{.name = "import.dll", .content = import_object},
                              {.name = "a.obj", .content = build_coff(spec, ObjectHeader::plain)},
                              {.name = "build\\a\\long\\b.obj", .content = build_coff(spec, ObjectHeader::bigobj)}}});
    CHECK(names(library, FileFormat::ar) == "a.obj:.nv_fatbin build\\a\\long\\b.obj:.nv_fatbin");
}

TEST_CASE("ar: a damaged object is named") {
    const std::string whole = object(kRegion80);
    const std::string archive =
        build_ar({.symbol_table = false, .members = {{.name = "a.o", .content = whole.substr(0, 100)}}});
    const std::string text = error_text([&] { names(archive, FileFormat::ar); });
    CHECK(text.starts_with("a.o → offset 0x"));
    CHECK(text.find("the section header table needs 64 bytes here") != std::string::npos);
}

}  // namespace
}  // namespace wheelarch
