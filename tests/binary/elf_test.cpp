#include "binary/elf.hpp"

#include <doctest/doctest.h>

#include "support/bytes.hpp"
#include "support/damage.hpp"
#include "support/elf_builder.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kShoff = 0x28;      // e_shoff of ELF64
constexpr std::uint64_t kShentsize = 0x3a;  // e_shentsize
constexpr std::uint64_t kShnum = 0x3c;      // e_shnum
constexpr std::uint64_t kShstrndx = 0x3e;   // e_shstrndx

std::string error_of(const std::string& file) {
    return error_text([&] { read_elf(ByteView(file)); });
}

ElfSpec two_sections() {
    return {
        .sections = {{.name = ".nv_fatbin", .content = "code"}, {.name = ".bss", .type = kElfNobits, .size = 1 << 20}}};
}

TEST_CASE("the sections of ELF64 and ELF32 read alike") {
    for (const bool is64 : {true, false}) {
        ElfSpec spec = two_sections();
        spec.is64 = is64;
        spec.machine = 183;
        const std::string file = build_elf(spec);
        const Elf elf = read_elf(ByteView(file));
        CHECK(elf.is64 == is64);
        CHECK(elf.type == 3);
        CHECK(elf.machine == kMachineAarch64);
        CHECK(elf.file_size == file.size());
        CHECK(elf.sections.size() == 4);
        REQUIRE(elf.find(".nv_fatbin") != nullptr);
        CHECK(elf.find(".nv_fatbin")->bytes.text() == "code");
        CHECK(elf.find(".nv_fatbin")->bytes.origin() == offset_in_elf(spec, ".nv_fatbin"));
        CHECK(elf.find(".nv_fatbin")->type == kElfProgbits);
        CHECK(elf.find(".absent") == nullptr);
    }
}

TEST_CASE("a section that takes no room in the file is empty, however large") {
    const std::string file = build_elf(two_sections());
    CHECK(read_elf(ByteView(file)).find(".bss")->bytes.empty());
}

TEST_CASE("a section without bytes may be said to lie anywhere") {
    ElfSpec spec = two_sections();
    spec.sections.push_back({.name = ".note", .offset = 0x100000, .size = 0});
    const std::string file = build_elf(spec);
    CHECK(read_elf(ByteView(file)).find(".note")->bytes.empty());
}

TEST_CASE("visiting stops where it is told to") {
    const std::string file = build_elf(two_sections());
    int seen = 0;
    visit_sections(ByteView(file), [&](const ElfSection&) { return ++seen < 2; });
    CHECK(seen == 2);
}

TEST_CASE("what is no ELF file, or only begins as one") {
    CHECK_FALSE(
        is_elf(ByteView(std::string_view("\x7f"
                                         "EL"))));
    CHECK_FALSE(is_elf(ByteView(std::string_view("MZ"))));
    CHECK(
        is_elf(ByteView(std::string_view("\x7f"
                                         "ELF"))));
    CHECK(elf_machine(ByteView(std::string_view("\x7f"
                                                "ELF"))) == 0);
    CHECK(elf_machine(ByteView(build_elf({}).substr(0, 0x13))) == 0);
    CHECK(elf_machine(ByteView(std::string_view(build_elf({})).substr(0, 0x14))) == kMachineX86_64);
}

TEST_CASE("big-endian files are refused with the way out") {
    const std::string file = build_elf({.big_endian = true});
    CHECK(elf_machine(ByteView(file)) == 0);
    CHECK(error_of(file) ==
          "offset 0x5: a big-endian ELF file; CUDA runs on little-endian hosts only\n"
          "fix: leave it out of the wheel, or name it with --exclude");
}

TEST_CASE("an unknown class is refused") {
    std::string file = build_elf({});
    poke(file, 4, "\x03");
    CHECK(error_of(file).starts_with("offset 0x4: EI_CLASS is 3, which is neither ELF32 nor ELF64"));
}

TEST_CASE("a file without section headers does not pass as one without device code") {
    const std::string file =
        build_elf({.sections = {{.name = ".nv_fatbin", .content = "code"}}, .section_table = false});
    CHECK(error_of(file) ==
          "an ELF file without section headers; what it holds cannot be told\n"
          "fix: keep the section headers (strip is fine, sstrip is not), or name it with --exclude");
}

TEST_CASE("a file cut before its section table, as a download that stopped") {
    const std::string file = build_elf(two_sections());
    const std::string cut = file.substr(0, static_cast<std::size_t>(peek(file, kShoff, 8)));
    CHECK(error_of(cut) ==
          cut_short("offset 0x68: the section header table needs 64 bytes here, but the data ends at 0x68"));
}

TEST_CASE("a section past the end of the file") {
    ElfSpec spec = two_sections();
    spec.sections[0].size = 5000;
    CHECK(error_of(build_elf(spec))
              .starts_with("offset 0x40: a section needs 5000 bytes here, but the data ends at 0x1"));
    spec.sections[0].size = {};
    spec.sections[0].offset = 0xfffffffffffffff0;
    CHECK(error_of(build_elf(spec))
              .starts_with("offset 0xfffffffffffffff0: a section needs 4 bytes here, but the data ends at 0x1"));
}

TEST_CASE("counts that do not fit 16 bits stand in section 0") {
    ElfSpec spec = two_sections();
    spec.escape_counts = true;
    const std::string file = build_elf(spec);
    CHECK(peek(file, kShnum, 2) == 0);
    CHECK(peek(file, kShstrndx, 2) == 0xffff);
    const Elf elf = read_elf(ByteView(file));
    CHECK(elf.sections.size() == 4);
    CHECK(elf.find(".nv_fatbin")->bytes.text() == "code");
}

TEST_CASE("more than 65,279 sections") {
    ElfSpec spec;
    spec.escape_counts = true;
    spec.alignment = 1;
    spec.sections.resize(70'000, {.name = "s", .flags = 0});
    spec.sections.back() = {.name = ".nv_fatbin", .content = "code"};
    const std::string file = build_elf(spec);
    CHECK(read_elf(ByteView(file)).find(".nv_fatbin")->bytes.text() == "code");
}

TEST_CASE("a section count that the file cannot hold") {
    std::string file = build_elf(two_sections());
    poke(file, kShnum, le16(60'000));
    CHECK(error_of(file).starts_with("offset 0x68: 60000 section headers with names in section 3 do not fit the file"));
    file = build_elf(two_sections());
    poke(file, kShstrndx, le16(4));
    CHECK(error_of(file).starts_with("offset 0x68: 4 section headers with names in section 4 do not fit the file"));
}

TEST_CASE("an entry size below that of a header") {
    std::string file = build_elf(two_sections());
    poke(file, kShentsize, le16(0x3f));
    CHECK(error_of(file).starts_with("e_shentsize is 63, expected 64"));
}

TEST_CASE("section headers larger than ours are stepped over") {
    std::string file = build_elf(two_sections());
    const std::uint64_t table = peek(file, kShoff, 8);
    std::string wide = file.substr(0, static_cast<std::size_t>(table));
    for (std::uint64_t i = 0; i < 4; ++i) {
        wide += file.substr(static_cast<std::size_t>(table + i * 64), 64) + zeros(8);
    }
    poke(wide, kShentsize, le16(72));
    CHECK(read_elf(ByteView(wide)).find(".nv_fatbin")->bytes.text() == "code");
}

TEST_CASE("a section name past the names") {
    std::string file = build_elf(two_sections());
    poke(file, peek(file, kShoff, 8) + 64, le32(0xffff));
    CHECK_THROWS_AS(read_elf(ByteView(file)), Error);
}

TEST_CASE("addresses are found through PT_LOAD") {
    for (const bool is64 : {true, false}) {
        ElfSpec spec = two_sections();
        spec.is64 = is64;
        spec.load_address = 0x10000;
        const std::string file = build_elf(spec);
        const Elf elf = read_elf(ByteView(file));
        CHECK(elf.load_segments.size() == 1);
        CHECK(elf.find(".nv_fatbin")->addr == 0x10000 + offset_in_elf(spec, ".nv_fatbin"));
        CHECK(find_file_offset(elf, 0x10080) == 0x80);
        CHECK_FALSE(find_file_offset(elf, 0xffff));
        CHECK_FALSE(find_file_offset(elf, 0x10000 + file.size()));
        CHECK(elf.is_loadable() == is64);
    }
}

TEST_CASE("where two segments map one address, the later one is what is loaded") {
    Elf elf;
    elf.load_segments = {{0x1000, 0x100, 0x80}, {0x1040, 0x900, 0x80}};
    CHECK(find_file_offset(elf, 0x103f) == 0x13f);
    CHECK(find_file_offset(elf, 0x1040) == 0x900);
}

TEST_CASE("a loader needs no section table") {
    ElfSpec spec = two_sections();
    spec.load_address = 0x10000;
    std::string file = build_elf(spec);
    CHECK(read_loaded_elf(ByteView(file)).sections.size() == 4);
    CHECK(read_loaded_elf(ByteView(file)).section_damage.empty());
    poke(file, kShoff, le64(file.size() - 8));
    CHECK(read_loaded_elf(ByteView(file)).sections.empty());
    CHECK(read_loaded_elf(ByteView(file)).section_damage.starts_with("the section header table needs 64 bytes here"));
    poke(file, kShoff, le64(0));
    CHECK(read_loaded_elf(ByteView(file)).section_damage.empty());
    file.resize(file.size() - 1);  // what it loads is cut short
    CHECK(error_text([&] { read_loaded_elf(ByteView(file)); }).starts_with("an ELF file without section headers"));
}

TEST_CASE("damage to an ELF file gives an answer or an Error") {
    const auto read = [](ByteView bytes) {
        read_elf(bytes);
        read_loaded_elf(bytes);
    };
    for (const bool is64 : {true, false}) {
        ElfSpec spec = two_sections();
        spec.is64 = is64;
        spec.load_address = 0x10000;
        spec.sections.push_back({.name = ".rela.dyn", .content = elf_rela(0x100, 8, 0xa0), .type = kElfRela});
        check_damage(build_elf(spec), read);
        spec.escape_counts = true;
        check_damage(build_elf(spec), read);
    }
}

}  // namespace
}  // namespace wheelarch
