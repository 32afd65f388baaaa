// Regions and what lies between them. What is in a region: fatbin_entry_test.cpp.
#include "binary/fatbin.hpp"

#include <doctest/doctest.h>

#include "support/bytes.hpp"
#include "support/damage.hpp"
#include "support/fatbin_builder.hpp"

namespace wheelarch {
namespace {

constexpr const char* kDamaged =
    "\nfix: the file is damaged or of a layout not known yet: compare with cuobjdump, and report it";

std::vector<FatbinRegion> regions(ByteView section) {
    std::vector<FatbinRegion> found;
    for_each_region(section, [&](FatbinRegion region) { found.push_back(std::move(region)); });
    return found;
}

std::size_t count(const std::string& section) {
    return regions(ByteView(section)).size();
}

std::string error_of(const std::string& section) {
    return error_text([&] { regions(ByteView(section)); });
}

EntrySpec small(std::uint32_t arch) {
    return {.arch = arch, .payload = "payload!"};
}

const std::string kRegion = build_region({.entries = {small(80), small(90)}});

TEST_CASE("regions in order, with their place in the file") {
    const std::string section = kRegion + build_region({.entries = {small(86)}});
    const std::vector<FatbinRegion> found = regions(ByteView(section.data(), section.size(), 0x1000));
    REQUIRE(found.size() == 2);
    CHECK(found[0].offset == 0x1000);
    CHECK(found[0].end == 0x1000 + kRegion.size());
    CHECK(found[0].entries.size() == 2);
    CHECK(found[0].entries[1].arch.number == 90);
    CHECK(found[0].entries[0].payload.origin() == 0x1000 + 0x10 + 0x40);
    CHECK(found[1].offset == found[0].end);
    CHECK(found[1].entries.size() == 1);
}

TEST_CASE("zero words before, between and after regions are stepped over") {
    for (const std::uint64_t gap : {8U, 16U, 24U, 32U, 64U, 224U, 4096U}) {
        CHECK(count(zeros(gap) + kRegion) == 1);
        CHECK(count(kRegion + zeros(gap) + kRegion) == 2);
        CHECK(count(kRegion + zeros(gap)) == 1);
    }
    CHECK(count("") == 0);
    CHECK(count(zeros(64)) == 0);
}

TEST_CASE("a tail of less than a word is not looked at: clang adds one NUL") {
    CHECK(count(kRegion + zeros(1)) == 1);
    CHECK(count(kRegion + zeros(7)) == 1);
    CHECK(count(kRegion + "junk") == 1);
    CHECK(count("junk") == 0);
}

TEST_CASE("a gap of half a word is an error") {
    CHECK(error_of(kRegion + zeros(4) + kRegion) ==
          "offset 0xa0: expected a fatbin region (magic 0xba55ed50) or zero padding, found 0x0" +
              std::string(kDamaged));
}

TEST_CASE("anything else than a region is an error") {
    CHECK(error_of("junkjunk" + kRegion) ==
          "offset 0x0: expected a fatbin region (magic 0xba55ed50) or zero padding, found 0x6b6e756a" +
              std::string(kDamaged));
    CHECK(error_of(kRegion + "junkjunk") ==
          "offset 0xa0: expected a fatbin region (magic 0xba55ed50) or zero padding, found 0x6b6e756a" +
              std::string(kDamaged));
    CHECK(error_of(zeros(7) + "x" + kRegion) ==
          "offset 0x0: expected a fatbin region (magic 0xba55ed50) or zero padding, found 0x0" + std::string(kDamaged));
}

TEST_CASE("a section at an odd offset of the file reads the same") {
    const std::string odd = "x" + kRegion + kRegion;
    const std::vector<FatbinRegion> found = regions(ByteView(odd).from(1, "a section"));
    REQUIRE(found.size() == 2);
    CHECK(found[0].offset == 1);
    CHECK(found[1].entries.size() == 2);
}

TEST_CASE("a region may be empty") {
    const std::string section = build_region({}) + kRegion;
    const std::vector<FatbinRegion> found = regions(ByteView(section));
    REQUIRE(found.size() == 2);
    CHECK(found[0].entries.empty());
    CHECK(found[0].end == 0x10);
}

TEST_CASE("version 1 is written and 2 is read too") {
    CHECK(count(build_region(
              {.entries = {small(80)}, .header = [](std::string& header) { poke(header, 4, le16(2)); }})) == 1);
    CHECK(error_of(build_region({.header = [](std::string& header) { poke(header, 4, le16(3)); }})) ==
          "offset 0x4: a fatbin region of version 3, expected 1" + std::string(kDamaged));
    CHECK(error_of(build_region({.header = [](std::string& header) { poke(header, 6, le16(24)); }})) ==
          "offset 0x6: a region's header size is 0x18, expected 0x10" + std::string(kDamaged));
}

TEST_CASE("a region that is larger than what is left") {
    CHECK(error_of(build_region({.entries = {small(80)}, .size = 0x100})) ==
          cut_short("offset 0x10: a fatbin region needs 256 bytes here, but the data ends at 0x58"));
    CHECK(error_of(build_region({.entries = {small(80)}, .size = 0xfffffffffffffff8})) ==
          cut_short("offset 0x10: a fatbin region needs 18446744073709551608 bytes here, but the data ends at 0x58"));
    CHECK(error_of(kRegion.substr(0, 12)) ==
          cut_short("offset 0x0: a fatbin region header needs 16 bytes here, but the data ends at 0xc"));
}

TEST_CASE("a region that ends within an entry") {
    CHECK(error_of(build_region({.entries = {small(80)}, .size = 0x40})) ==
          cut_short("offset 0x50: a fatbin payload needs 8 bytes here, but the data ends at 0x50"));
    CHECK(error_of(build_region({.entries = {small(80)}, .size = 0x38})) ==
          cut_short("offset 0x10: a fatbin entry header needs 64 bytes here, but the data ends at 0x48"));
}

TEST_CASE("a raw fatbin is known by its magic") {
    CHECK(is_fatbin(ByteView(kRegion)));
    CHECK_FALSE(is_fatbin(ByteView(std::string_view(kRegion).substr(0, 3))));
    CHECK_FALSE(is_fatbin(ByteView("x" + kRegion)));
}

TEST_CASE("damage to a section gives an answer or an Error") {
    const std::string section =
        zeros(8) + kRegion + zeros(16) + build_region({}) + build_region({.entries = {small(86)}}) + zeros(1);
    check_damage(section, [](ByteView bytes) { regions(bytes); });
}

}  // namespace
}  // namespace wheelarch
