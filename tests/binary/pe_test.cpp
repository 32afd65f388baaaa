#include "binary/pe.hpp"

#include <doctest/doctest.h>

#include "support/bytes.hpp"
#include "support/damage.hpp"
#include "support/pe_builder.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kLfanew = 0x3c;
constexpr std::uint64_t kFirstSection = 0x80 + 24 + 0xf0;  // the first section header of a PE32+ test image

PeSpec two_sections() {
    return {.sections = {{.name = ".text", .content = "host"}, {.name = ".nv_fatbin", .content = "device code"}}};
}

std::string error_of(const std::string& file) {
    return error_text([&] { read_pe(ByteView(file)); });
}

TEST_CASE("the sections of PE32+ and PE32 read alike") {
    for (const bool is64 : {true, false}) {
        PeSpec spec = two_sections();
        spec.is64 = is64;
        spec.image_base = 0x10000000;
        const std::string file = build_pe(spec);
        CHECK(is_pe(ByteView(file)));
        const Pe pe = read_pe(ByteView(file));
        CHECK(pe.machine == kPeMachineX64);
        CHECK(pe.image_base == 0x10000000);
        REQUIRE(pe.sections.size() == 2);
        CHECK(pe.sections[0].virtual_address == 0x1000);
        CHECK(pe.sections[1].name == ".nv_fatb");  // cut to 8 bytes
        CHECK(pe.sections[1].virtual_address == 0x2000);
        CHECK(pe.sections[1].bytes.text() == "device code");  // without the padding to FileAlignment
        CHECK(pe.sections[1].bytes.origin() == 0x600);
    }
}

TEST_CASE("long names come from the string table") {
    PeSpec spec = two_sections();
    spec.long_names = true;
    CHECK(read_pe(ByteView(build_pe(spec))).sections[1].name == ".nv_fatbin");
    spec.sections[1].name = "/x";  // no number: a name like any other
    CHECK(read_pe(ByteView(build_pe(spec))).sections[1].name == "/x");
}

TEST_CASE("a reference to a string table that is not there is a name like any other") {
    PeSpec spec = two_sections();
    spec.sections[1].name = "/4";
    CHECK(read_pe(ByteView(build_pe(spec))).sections[1].name == "/4");
}

TEST_CASE("a reference past the string table") {
    PeSpec spec = two_sections();
    spec.long_names = true;
    std::string file = build_pe(spec);
    poke(file, kFirstSection + 40, std::string("/999\0\0\0\0", 8));
    CHECK_THROWS_AS(read_pe(ByteView(file)), Error);
    poke(file, kFirstSection + 40, "/9999999");
    CHECK_THROWS_AS(read_pe(ByteView(file)), Error);
}

TEST_CASE("what is in the file of a section is the smaller of its two sizes") {
    PeSpec spec = two_sections();
    spec.sections[1].virtual_size = 6;
    CHECK(read_pe(ByteView(build_pe(spec))).sections[1].bytes.text() == "device");
    spec.sections[1].virtual_size = 0x5000;  // the rest is zeros in memory
    CHECK(read_pe(ByteView(build_pe(spec))).sections[1].bytes.size() == 0x200);
    spec.sections[1].virtual_size = 0;  // some linkers leave it out
    CHECK(read_pe(ByteView(build_pe(spec))).sections[1].bytes.size() == 0x200);
}

TEST_CASE("sections that take no room in the file are empty") {
    PeSpec spec = two_sections();
    spec.sections[0] = {.name = ".bss",
                        .characteristics = 0xc0000080,
                        .virtual_size = 0x5000,
                        .raw_size = 0x5000,
                        .raw_pointer = 0x400};
    spec.sections.push_back({.name = ".data", .virtual_size = 0x5000, .raw_size = 0, .raw_pointer = 0});
    const Pe pe = read_pe(ByteView(build_pe(spec)));
    CHECK(pe.sections[0].bytes.empty());
    CHECK(pe.sections[2].bytes.empty());
}

TEST_CASE("a section without bytes may be said to lie anywhere") {
    PeSpec spec = two_sections();
    spec.sections.push_back({.name = ".data", .virtual_size = 0x5000, .raw_size = 0, .raw_pointer = 0x100000});
    CHECK(read_pe(ByteView(build_pe(spec))).sections[2].bytes.empty());
}

TEST_CASE("a section past the end of the file, as a download that stopped") {
    const std::string file = build_pe(two_sections());
    CHECK(error_of(file.substr(0, 0x605)) ==
          cut_short("offset 0x600: a section needs 11 bytes here, but the data ends at 0x605"));
    CHECK(error_of(file.substr(0, 0x1b0)) ==
          cut_short("offset 0x188: the section table needs 80 bytes here, but the data ends at 0x1b0"));
}

TEST_CASE("MZ alone is no PE image") {
    std::string file = build_pe(two_sections());
    CHECK_FALSE(is_pe(ByteView(file.substr(0, 0x3f))));
    CHECK_FALSE(is_pe(ByteView(std::string_view(file).substr(0, 0x83))));
    poke(file, kLfanew, le32(0xfffffff0));
    CHECK_FALSE(is_pe(ByteView(file)));
    poke(file, kLfanew, le32(0x84));
    CHECK_FALSE(is_pe(ByteView(file)));
}

TEST_CASE("virtual addresses are found in the file") {
    const PeSpec spec = two_sections();
    const std::string file = build_pe(spec);
    const Pe pe = read_pe(ByteView(file));
    CHECK(address_in_pe(spec, ".nv_fatbin") == 0x180002000);
    CHECK(find_file_offset(ByteView(file), pe, 0x180002003) == 0x603);
    CHECK_FALSE(find_file_offset(ByteView(file), pe, 0x18000200b));
    CHECK_FALSE(find_file_offset(ByteView(file), pe, 0));
}

TEST_CASE("COFF objects, plain and big") {
    for (const ObjectHeader header : {ObjectHeader::plain, ObjectHeader::bigobj}) {
        PeSpec spec = two_sections();
        spec.machine = 0xaa64;
        const std::string file = build_coff(spec, header);
        CHECK(is_coff_object(ByteView(file)));
        CHECK_FALSE(is_pe(ByteView(file)));
        const Pe object = read_coff_object(ByteView(file));
        CHECK(object.machine == kPeMachineArm64);
        CHECK(object.image_base == 0);
        REQUIRE(object.sections.size() == 2);
        CHECK(object.sections[0].name == ".text");
        CHECK(object.sections[0].bytes.text() == "host");
        CHECK(object.sections[1].name == ".nv_fatbin");
        CHECK(object.sections[1].bytes.text() == "device code");
    }
}

TEST_CASE("objects of other machines, import objects and short files are no COFF objects") {
    PeSpec spec = two_sections();
    spec.machine = 0x14c;  // 32-bit x86, for which there is no CUDA
    CHECK_FALSE(is_coff_object(ByteView(build_coff(spec, ObjectHeader::plain))));
    CHECK_FALSE(is_coff_object(ByteView(le16(0) + le16(0xffff) + le16(0) + le16(0x8664) + zeros(100))));
    CHECK_FALSE(is_coff_object(ByteView(le16(0x8664) + le16(1))));
    CHECK_FALSE(is_coff_object(ByteView()));
}

TEST_CASE("damage to an image gives an answer or an Error") {
    const auto read = [](ByteView bytes) {
        if (is_pe(bytes)) {
            find_file_offset(bytes, read_pe(bytes), 0x180002000);
        }
    };
    PeSpec spec = two_sections();
    spec.long_names = true;
    const std::string file = build_pe(spec);
    check_truncations(file, read);
    check_bit_flips(file, 0, kFirstSection + 80, read);
    check_bit_flips(file, file.size() - 16, file.size(), read);
}

TEST_CASE("damage to an object gives an answer or an Error") {
    const auto read = [](ByteView bytes) {
        if (is_coff_object(bytes)) {
            read_coff_object(bytes);
        }
    };
    check_damage(build_coff(two_sections(), ObjectHeader::plain), read);
    check_damage(build_coff(two_sections(), ObjectHeader::bigobj), read);
}

}  // namespace
}  // namespace wheelarch
