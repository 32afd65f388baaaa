// What is made of a whole file. Kernel-less images: kernelless_test.cpp.
#include "binary/device_code.hpp"

#include <doctest/doctest.h>

#include "support/ar_builder.hpp"
#include "support/bytes.hpp"
#include "support/damage.hpp"
#include "support/device_probe.hpp"
#include "support/fatbin_builder.hpp"
#include "support/pe_builder.hpp"

namespace wheelarch {
namespace {

FileFormat format_of(const std::string& file, std::string_view path = "") {
    return detect_format(ByteView(file), path);
}

TEST_CASE("formats are told by content") {
    CHECK(format_of(build_elf({})) == FileFormat::elf);
    CHECK(format_of(build_elf({.big_endian = true})) == FileFormat::elf);  // and refused later
    CHECK(format_of(build_cubin({})) == FileFormat::cubin);
    CHECK(format_of(build_pe({})) == FileFormat::pe);
    CHECK(format_of(build_ar({})) == FileFormat::ar);
    CHECK(format_of(build_ar({.thin = true})) == FileFormat::ar);  // likewise
    CHECK(format_of(build_region({})) == FileFormat::fatbin);
    CHECK(format_of(build_ptx("sm_80", "")) == FileFormat::ptx);
    CHECK(format_of("MZ, a DOS program") == FileFormat::other);
    CHECK(format_of("print('hello')\n") == FileFormat::other);
    CHECK(format_of("") == FileFormat::other);
}

TEST_CASE("names do not decide, except for COFF objects, which have no magic") {
    CHECK(format_of(build_cubin({}), "pkg/kernels/k_sm100f.bin") == FileFormat::cubin);
    CHECK(format_of("text", "pkg/k.cubin") == FileFormat::other);
    const std::string object = build_coff({}, ObjectHeader::plain);
    CHECK(format_of(object, "a.obj") == FileFormat::coff);
    CHECK(format_of(object, "a.o") == FileFormat::coff);
    CHECK(format_of(object, "a.dat") == FileFormat::other);
}

TEST_CASE("formats have names") {
    std::string names;
    for (const FileFormat format : {FileFormat::other, FileFormat::elf, FileFormat::pe, FileFormat::coff,
                                    FileFormat::ar, FileFormat::fatbin, FileFormat::cubin, FileFormat::ptx}) {
        names += std::string(name(format)) + " ";
    }
    CHECK(names == "other elf pe coff ar fatbin cubin ptx ");
}

TEST_CASE("a file of no format gives nothing") {
    CHECK(read_bytes("text").images.empty());
}

TEST_CASE("images in file order, each with its place") {
    const std::string first = build_region({.entries = {ptx(90), sass(90)}});
    const std::string file =
        build_library({{".nv_fatbin", first + zeros(8) + build_region({.entries = {sass(100, 'f')}})}});
    const DeviceCode code = read_bytes(file);
    CHECK(images(code) == "compute_90, sm_90, sm_100f");
    CHECK(code.format == FileFormat::elf);
    CHECK(code.machine == 62);
    REQUIRE(code.regions.size() == 2);
    CHECK(peek(file, code.regions[1].offset, 4) == 0xBA55ED50);
    CHECK(code.images[1].region == 0);
    CHECK(code.images[2].region == 1);
    CHECK(code.images[2].section == 0);
    CHECK(file.substr(static_cast<std::size_t>(code.images[2].offset), 4) ==
          "\x7f"
          "ELF");
    CHECK(code.images[0].version_major == 9);
    CHECK(code.images[1].version_minor == 8);
}

TEST_CASE("the pitfall files of real toolkits: a fake region, PTX and options as text beside the real code") {
    const std::string fake = build_region({.entries = {sass(120), ptx(120)}});
    CHECK(images(build_library({{".rodata", fake + ".version 9.0\n.target sm_100a\n -arch sm_120a "},
                                {".nv_fatbin", build_region({.entries = {sass(80)}})},
                                {".data", fake}})) == "sm_80");
}

TEST_CASE("linked code comes first, relocatable code after it") {
    const std::string linked = build_region({.entries = {sass(80)}});
    const std::string relocatable = build_region({.entries = {sass(80), ptx(80)}});
    CHECK(images(build_library({{"__nv_relfatbin", relocatable}, {".nv_fatbin", linked}})) ==
          "sm_80, sm_80, compute_80");
    CHECK(images(build_library({{"__nv_relfatbin", relocatable}})) == "sm_80, compute_80");
    const std::string object = build_elf(
        {.type = 1,
         .sections = {{.name = ".nv_fatbin", .content = linked}, {.name = "__nv_relfatbin", .content = relocatable}}});
    CHECK(images(object) == "sm_80, sm_80, compute_80");
    const PeSpec image = {
        .sections = {{.name = "__nv_relfatbin", .content = relocatable}, {.name = ".nv_fatbin", .content = linked}}};
    CHECK(images(build_pe(image)) == "sm_80, sm_80, compute_80");
}

TEST_CASE("LTO-IR is listed and not opened") {
    const EntrySpec lto = {.kind = 8,
                           .arch = 90,
                           .payload = "obfuscated",
                           .pack = Pack::zstd,
                           .flags = kBit64 | kBitLinux | kBitObfuscated,
                           .stored = "???"};
    CHECK(images(build_elf(
              {.type = 1,
               .sections = {{.name = "__nv_relfatbin", .content = build_region({.entries = {lto, sass(80)}})}}})) ==
          "lto_90, sm_80");
}

TEST_CASE("entries of unknown kind are listed by number and not opened") {
    const EntrySpec tile = {
        .kind = 0x80, .arch = 90, .payload = "tile ir", .pack = Pack::zstd, .version_major = 3333, .stored = "???"};
    const EntrySpec old = {.kind = 4, .arch = 35, .payload = "text cubin"};
    CHECK(images(library_of({sass(90), tile, old})) == "sm_90, kind 128, kind 4");
}

TEST_CASE("an alternate ELF counts as SASS") {
    EntrySpec alternate = sass(80);
    alternate.kind = 0x10;
    CHECK(images(library_of({alternate})) == "sm_80");
}

TEST_CASE("compression and debug are kept for the report") {
    EntrySpec debug = sass(80);
    debug.flags |= kBitDebug;
    EntrySpec small = sass(86);
    small.pack = Pack::lz4;
    EntrySpec smaller = ptx(86);
    smaller.pack = Pack::zstd;
    const DeviceCode code = read_bytes(library_of({debug, small, smaller}));
    CHECK(images(code) == "sm_80, sm_86, compute_86");
    CHECK(code.images[0].debug);
    CHECK(code.images[0].compression == Compression::none);
    CHECK(code.images[1].compression == Compression::lz4);
    CHECK(code.images[1].opened_size == small.payload.size());
    CHECK(code.images[1].size == packed(small.payload, Pack::lz4).size());
    CHECK(code.images[2].compression == Compression::zstd);
    CHECK(code.findings.empty());
}

TEST_CASE("an image can be opened again later") {
    EntrySpec packed_ptx = ptx(90);
    packed_ptx.pack = Pack::zstd;
    const std::string file = library_of({sass(80), packed_ptx});
    // As a stored member of a wheel: its offsets count from the start of the wheel.
    const ByteView view(file.data(), file.size(), 0x1000);
    const DeviceCode code = read_device_code(view, FileFormat::elf, {});
    PayloadReader reader;
    CHECK(open_image(view, code.images.at(0), reader).text() == sass(80).payload);
    CHECK(open_image(view, code.images.at(1), reader).text() == packed_ptx.payload);
}

TEST_CASE("a cubin filed under another arch: the entry header counts, and it is said") {
    EntrySpec wrong = sass(80);
    wrong.arch = 86;
    const DeviceCode code = read_bytes(library_of({wrong, wrong}));
    CHECK(images(code) == "sm_86, sm_86");
    REQUIRE(code.findings.size() == 1);
    CHECK(code.findings[0].rule == "header-differs");
    CHECK(code.findings[0].severity == Severity::warning);
    CHECK(
        code.findings[0].message ==
        "the image at offset 0xa0 is filed as sm_86, but its cubin was built for sm_80; the driver goes by the former");
    CHECK(code.findings[0].fix == "pack the cubin under its own arch");
}

TEST_CASE("bare cubins") {
    const DeviceCode code = read_bytes(build_cubin({.arch = 100, .a = CubinA::in_compat}));
    CHECK(images(code) == "sm_100a");
    CHECK(code.format == FileFormat::cubin);
    CHECK(code.machine == 0);
    REQUIRE(code.regions.size() == 1);
    CHECK(code.regions[0].offset == 0);
    CHECK(code.sections.size() == 1);
    CHECK(code.images[0].version_major == 1);
    CHECK(code.images[0].version_minor == 8);
    CHECK(images(build_cubin({.arch = 90, .abi = 7, .a = CubinA::in_flags})) == "sm_90a");
    CHECK(images(build_cubin({.arch = 75, .kernels = {}})) == "sm_75 (empty)");
}

TEST_CASE("bare PTX and bare fatbins") {
    CHECK(images(build_ptx("sm_90a", kPtxKernel)) == "compute_90a");
    CHECK(images(build_ptx("sm_90", "")) == "compute_90 (empty)");
    CHECK(images(build_region({.entries = {sass(80), ptx(90)}}) + zeros(8) + build_region({.entries = {sass(86)}})) ==
          "sm_80, compute_90, sm_86");
    CHECK(error_text([] {
              read_bytes(build_region({.entries = {sass(80)}}) + "some junk");
          }).find("expected a fatbin region") != std::string::npos);
}

TEST_CASE("an archive's images, object by object") {
    const auto object = [](const EntrySpec& entry) {
        return build_elf(
            {.type = 1, .sections = {{.name = ".nv_fatbin", .content = build_region({.entries = {entry}})}}});
    };
    const DeviceCode code = read_bytes(build_ar(
        {.members = {{.name = "a.o", .content = object(sass(90))}, {.name = "b.o", .content = object(sass(80))}}}));
    CHECK(images(code) == "sm_90, sm_80");
    CHECK(code.images[1].section == 1);
    CHECK(code.images[1].region == 1);
    CHECK(code.sections[1].name == "b.o:.nv_fatbin");
}

TEST_CASE("more archs than there are is no library") {
    std::vector<EntrySpec> entries;
    for (std::uint32_t arch = 10; arch < 10 + 201; ++arch) {
        entries.push_back({.arch = arch, .payload = zeros(kAlwaysOpened + 1), .pack = Pack::zstd});
    }
    CHECK(
        error_text([&] { read_bytes(library_of(entries)); }).starts_with("more than 200 different archs in one file"));
}

TEST_CASE("damage to a file with device code gives an answer or an Error") {
    EntrySpec compressed = stub(90);
    compressed.pack = Pack::lz4;
    const std::string library = library_of({ptx(80), compressed, {.kind = 8, .arch = 90, .payload = "lto"}});
    check_damage(library, [](ByteView bytes) { read_bytes(std::string(bytes.text())); });
}

TEST_CASE("damage to bare code gives an answer or an Error") {
    const auto read = [](ByteView bytes) { read_bytes(std::string(bytes.text())); };
    check_damage(build_region({.entries = {ptx(80), stub(90)}}), read);
    check_damage(build_cubin({.arch = 100, .kernels = {}}), read);
    check_damage(build_ptx("sm_80", kPtxKernel), read);
}

}  // namespace
}  // namespace wheelarch
