#include "binary/cubin.hpp"

#include <doctest/doctest.h>

#include "support/bytes.hpp"
#include "support/cubin_builder.hpp"
#include "support/damage.hpp"

namespace wheelarch {
namespace {

std::string arch_name(const CubinSpec& spec) {
    return sass_name(cubin_arch(ByteView(build_cubin(spec))));
}

bool has_code(const CubinSpec& spec) {
    return cubin_has_code(ByteView(build_cubin(spec)));
}

// A cubin with these e_flags and nothing that tells about a suffix.
std::string with_flags(int abi, std::uint32_t flags) {
    std::string cubin = build_cubin({.abi = abi});
    poke(cubin, 0x30, le32(flags));
    return sass_name(cubin_arch(ByteView(cubin)));
}

TEST_CASE("a cubin is an ELF file for CUDA") {
    CHECK(is_cubin(ByteView(build_cubin({}))));
    CHECK_FALSE(is_cubin(ByteView(build_elf({}))));
    CHECK_FALSE(
        is_cubin(ByteView(std::string_view("\x7f"
                                           "ELF"))));
}

TEST_CASE("the e_flags of real cubins") {
    // ABI 7: CUDA 11.8 to 12.9
    CHECK(with_flags(7, 0x00500550) == "sm_80");
    CHECK(with_flags(7, 0x00230523) == "sm_35");
    CHECK(with_flags(7, 0x005A0D5A) == "sm_90a");
    CHECK(with_flags(7, 0x005A055A) == "sm_90");
    CHECK(with_flags(7, 0x003C0D3C) == "sm_60");  // the bit that is `a` from 9.0 on
    // ABI 8: CUDA 12.8 and 12.9 from sm_100 on, CUDA 13 for all
    CHECK(with_flags(8, 0x06004B04) == "sm_75");
    CHECK(with_flags(8, 0x06005004) == "sm_80");
    CHECK(with_flags(8, 0x06006402) == "sm_100");
    CHECK(with_flags(8, 0x0600640A) == "sm_100a");
    CHECK(with_flags(8, 0x06007902) == "sm_121");
    CHECK(with_flags(8, 0x0E005A04) == "sm_90");  // 0x800 is a bit of the number here, no suffix
}

TEST_CASE("the number alone") {
    CHECK(cubin_number(ByteView(build_cubin({.arch = 86, .abi = 7}))) == 86);
    CHECK(cubin_number(ByteView(build_cubin({.arch = 121}))) == 121);
    CHECK_FALSE(cubin_number(ByteView(build_cubin({.abi = 9}))));
}

TEST_CASE("suffix f: in the command line of ptxas, and nowhere else") {
    const auto arch_with = [](std::uint32_t version, const std::string& command) {
        const std::string strings = std::string("\0ptxas\0", 7) + command + '\0';
        const std::string descriptor = le32(version) + le32(0) + le32(1) + le32(1) + le32(1) + le32(7) + strings;
        const std::string note =
            le32(12) + le32(descriptor.size()) + le32(2000) + std::string("NVIDIA Corp\0", 12) + descriptor;
        return arch_name({.arch = 100, .sections = {{.name = ".note.nv.tkinfo", .content = note}}});
    };
    const auto arch_with_command = [&](const std::string& command) { return arch_with(2, command); };
    CHECK(arch_with(0x81, "-arch sm_100f ") == "sm_100f");  // CUDA 12.9 (R8)
    CHECK(arch_with(3, "-arch sm_100f ") == "sm_100");
    CHECK(arch_with_command("-arch sm_100f -m 64 ") == "sm_100f");
    CHECK(arch_with_command("-lineinfo  -arch=sm_100f") == "sm_100f");
    CHECK(arch_with_command("-arch sm_100 -m 64 ") == "sm_100");
    CHECK(arch_with_command("-arch sm_103f -m 64 ") == "sm_100");
    CHECK(arch_with_command("-arch sm_100fast") == "sm_100");
    CHECK(arch_with_command("-o sm_100f") == "sm_100");
}

TEST_CASE("tile kernels have a symbol of their own") {
    CHECK(cubin_is_tile(ByteView(build_cubin({.tile = true}))));
    CHECK_FALSE(cubin_is_tile(ByteView(build_cubin({}))));
}

TEST_CASE("suffix a: in the flags, or in .nv.compat") {
    CHECK(arch_name({.arch = 90, .abi = 7}) == "sm_90");
    CHECK(arch_name({.arch = 90, .abi = 7, .a = CubinA::in_flags}) == "sm_90a");
    CHECK(arch_name({.arch = 100}) == "sm_100");
    CHECK(arch_name({.arch = 100, .a = CubinA::in_flags}) == "sm_100a");
    CHECK(arch_name({.arch = 90, .a = CubinA::in_compat}) == "sm_90a");
    CHECK(arch_name({.arch = 120, .a = CubinA::in_compat}) == "sm_120a");
}

TEST_CASE("an ABI that nobody has seen is an error, no guess") {
    CHECK(error_text([] { cubin_arch(ByteView(build_cubin({.abi = 9}))); }) ==
          "offset 0x8: a cubin of ABI version 9, expected 7 or 8\n"
          "fix: this toolkit's cubins are not known yet: report the CUDA version that made it");
}

TEST_CASE("code is a section .text.NAME that is not empty") {
    CHECK(has_code({.kernels = {"scale"}}));
    CHECK(has_code({.kernels = {"a", "b"}}));
    CHECK_FALSE(has_code({.kernels = {}}));
    CHECK_FALSE(has_code({.kernels = {}, .data = 4096}));
    CHECK_FALSE(has_code({.kernels = {}, .sections = {{.name = ".text.scale"}}}));
    CHECK_FALSE(has_code({.kernels = {}, .sections = {{.name = ".text.scale", .type = kElfNobits, .size = 128}}}));
}

TEST_CASE("other sections with text in their name are no code") {
    for (const char* name : {".nv.capmerc.text.scale", ".rela.text.scale", ".rel.text.scale", ".text", "text.scale",
                             ".nv.merc.text.scale"}) {
        CHECK_FALSE(has_code({.kernels = {}, .sections = {{.name = name, .content = "code"}}}));
    }
    CHECK(has_code({.arch = 100}));  // with a .nv.capmerc.text. beside its .text.
}

TEST_CASE("NVIDIA's own section types may take no room in the file") {
    // `.nv.global` of CUDA 11.8: type 0x7000000b, size of the variables, offset at the end of the file.
    const ElfSectionSpec global = {.name = ".nv.global", .type = 0x7000000b, .offset = 0x10000, .size = 1 << 20};
    CHECK(has_code({.arch = 75, .abi = 7, .sections = {global}}));
    CHECK_FALSE(has_code({.arch = 75, .abi = 7, .kernels = {}, .sections = {global}}));
    CHECK(arch_name({.arch = 75, .abi = 7, .sections = {global}}) == "sm_75");
}

TEST_CASE("any other section past the end shows that the cubin is cut short") {
    const std::string cubin =
        build_cubin({.kernels = {}, .sections = {{.name = ".text.scale", .offset = 0x10000, .size = 128}}});
    CHECK(error_text([&] {
              cubin_has_code(ByteView(cubin));
          }).starts_with("offset 0x10000: a section needs 128 bytes here, but the data ends at 0x"));
}

TEST_CASE("what should be a cubin but is none") {
    const std::string fix = "\nfix: the file is damaged: build or download it again";
    CHECK(error_text([] { cubin_has_code(ByteView(build_elf({}))); }) ==
          "offset 0x0: an image that should be a cubin is no ELF file for CUDA" + fix);
    CHECK(error_text([] { cubin_has_code(ByteView()); }) ==
          "offset 0x0: an image that should be a cubin is no ELF file for CUDA" + fix);
}

TEST_CASE("relocation sections that link to something else than symbols, as CUDA 12.0 and 12.1 wrote them") {
    // Sections: null, .shstrtab, .strtab, .symtab, .nv.info, ...
    const auto linked_to = [](std::uint32_t type, std::uint32_t link) {
        return cubin_has_stray_link(
            ByteView(build_cubin({.sections = {{.name = ".rela.text.scale", .type = type, .link = link}}})));
    };
    CHECK_FALSE(linked_to(kElfRela, 3));
    CHECK(linked_to(kElfRela, 4));
    CHECK(linked_to(kElfRel, 4));
    CHECK_FALSE(linked_to(kElfProgbits, 4));
    CHECK_FALSE(linked_to(kElfRela, 999));
    CHECK_FALSE(cubin_has_stray_link(ByteView(build_cubin({}))));
}

bool head_shows_code(const CubinSpec& spec, std::size_t size = 4096) {
    const std::string cubin = build_cubin(spec);
    return !cubin_head_function(ByteView(cubin).clipped(0, size)).empty();
}

TEST_CASE("the head of a cubin may already show code, by the name of its section") {
    CHECK(head_shows_code({}));
    CHECK(head_shows_code({.abi = 7, .kernels = {"a", "b"}}));
    CHECK_FALSE(head_shows_code({.kernels = {}}));
    CHECK_FALSE(head_shows_code({.kernels = {},
                                 .sections = {{.name = ".nv.capmerc.text.scale", .content = "x"},
                                              {.name = ".rela.text.scale", .content = "x"}}}));
    // Text of the same look behind the names.
    CHECK_FALSE(head_shows_code(
        {.kernels = {}, .sections = {{.name = ".nv.constant3", .content = std::string("\0\0.text.scale", 13)}}}));
}

TEST_CASE("a head that is too short, or of another layout, shows nothing") {
    CHECK_FALSE(head_shows_code({}, 0x40));
    CHECK_FALSE(head_shows_code({}, 0x4a));
    CHECK_FALSE(head_shows_code({}, 0));
    // The names at the end, and a host's library.
    CHECK(cubin_head_function(
              ByteView(build_elf({.machine = 190, .sections = {{.name = ".text.scale", .content = "x"}}}))) == "");
    CHECK(cubin_head_function(
              ByteView(build_elf({.sections = {{.name = ".text.scale", .content = "x"}}, .names_first = true}))) == "");
}

TEST_CASE("the head of a cubin names its first function") {
    const std::string cubin = build_cubin({.kernels = {"_Z5scalePf", "_Z3addPf"}});
    CHECK(cubin_head_function(ByteView(cubin)) == "_Z5scalePf");
}

TEST_CASE("damage to a cubin gives an answer or an Error") {
    const auto read = [](ByteView bytes) {
        if (is_cubin(bytes)) {
            cubin_number(bytes);
            cubin_arch(bytes);
            cubin_has_code(bytes);
            cubin_head_function(bytes);
            cubin_has_stray_link(bytes);
        }
    };
    check_damage(build_cubin({.arch = 90, .abi = 7, .a = CubinA::in_flags}), read);
    check_damage(build_cubin({.arch = 100, .a = CubinA::in_compat, .kernels = {}}), read);
}

}  // namespace
}  // namespace wheelarch
