#include "binary/payload.hpp"

#include <doctest/doctest.h>

#include "support/bytes.hpp"
#include "support/damage.hpp"
#include "support/fatbin_builder.hpp"

namespace wheelarch {
namespace {

// The payload of the only entry, opened.
std::string opened_section(const std::string& section) {
    std::string content;
    for_each_region(ByteView(section), [&](FatbinRegion region) {
        PayloadReader reader;
        content = reader.open(region.entries.at(0)).text();
    });
    return content;
}

std::string opened(const EntrySpec& spec) {
    return opened_section(build_region({.entries = {spec}}));
}

std::string error_of(const EntrySpec& spec) {
    return error_text([&] { opened(spec); });
}

const std::string kContent = "a payload, a payload, a payload and one more payload";
constexpr const char* kDamaged = "\nfix: the file is damaged: build or download it again";

TEST_CASE("raw, LZ4 and zstd payloads") {
    CHECK(opened({.payload = kContent}).substr(0, kContent.size()) == kContent);
    CHECK(opened({.payload = kContent, .pack = Pack::lz4}) == kContent);
    CHECK(opened({.payload = kContent, .pack = Pack::zstd}) == kContent);
}

TEST_CASE("a raw payload is not copied") {
    const std::string section = build_region({.entries = {{.payload = kContent}}});
    for_each_region(ByteView(section), [&](FatbinRegion region) {
        PayloadReader reader;
        CHECK(reader.open(region.entries.at(0)).data() == region.entries.at(0).payload.data());
        CHECK(reader.open_head(region.entries.at(0), 8).data() == region.entries.at(0).payload.data());
        CHECK(reader.open_head(region.entries.at(0), 8).size() == 8);
    });
}

TEST_CASE("payloads that do not decompress to what the header says") {
    for (const Pack pack : {Pack::lz4, Pack::zstd}) {
        for (const std::uint64_t size : {kContent.size() - 1, kContent.size() + 1, std::size_t{0}}) {
            CHECK(error_of({.payload = kContent, .pack = pack, .opened_size = size}) ==
                  "offset 0x50: an image for 80 does not decompress to its " + std::to_string(size) + " bytes" +
                      kDamaged);
        }
        std::string cut = packed(kContent, pack);
        cut.pop_back();
        CHECK(error_of({.payload = kContent, .pack = pack, .stored = cut}) ==
              "offset 0x50: an image for 80 does not decompress to its 52 bytes" + std::string(kDamaged));
        CHECK(
            error_of(
                {.arch = 90, .payload = kContent, .pack = pack, .flags = kBit64 | kBitA, .stored = "not compressed"}) ==
            "offset 0x50: an image for 90a does not decompress to its 52 bytes" + std::string(kDamaged));
    }
}

TEST_CASE("a payload that claims to be huge is not opened") {
    CHECK(error_of({.payload = kContent, .pack = Pack::zstd, .opened_size = kMaxOpenedImage + 1}) ==
          "offset 0x50: an image claims 536870913 bytes after decompression; at most 536870912 are opened\nfix: the "
          "file is damaged: build or download it again");
    CHECK(error_of({.payload = kContent, .pack = Pack::lz4, .opened_size = ~std::uint64_t{0}}) ==
          "offset 0x50: an image claims 18446744073709551615 bytes after decompression; at most 536870912 are "
          "opened\nfix: the file is damaged: build or download it again");
}

TEST_CASE("what cannot be opened is an error, no guess") {
    const std::string text =
        "offset 0x50: an image is stored in a way that is not known, so whether it holds code cannot be told\n"
        "fix: check the file with cuobjdump, and report it";
    CHECK(error_of({.payload = kContent, .pack = Pack::zstd, .flags = kBit64 | kBitObfuscated}) == text);
    CHECK(error_of({.payload = kContent, .header = [](std::string& header) { poke(header, 0x10, le32(8)); }}) == text);
}

// The first bytes of the payload of the only entry.
std::string head_of(const EntrySpec& spec, std::uint64_t size) {
    const std::string section = build_region({.entries = {spec}});
    std::string head;
    for_each_region(ByteView(section), [&](FatbinRegion region) {
        PayloadReader reader;
        head = reader.open_head(region.entries.at(0), size).text();
    });
    return head;
}

TEST_CASE("the head of a payload") {
    std::string content;
    for (int i = 0; i < 20'000; ++i) {
        content += std::to_string(i);
    }
    for (const Pack pack : {Pack::raw, Pack::lz4, Pack::zstd}) {
        const EntrySpec entry = {.payload = content, .pack = pack};
        for (const std::uint64_t size : {1U, 100U, 70'000U}) {
            const std::string head = head_of(entry, size);
            CHECK(!head.empty());
            CHECK(head.size() <= size);
            CHECK(content.starts_with(head));
        }
        CHECK(head_of(entry, 0).empty());
        CHECK(head_of(entry, content.size() + 100).substr(0, content.size()) == content);
    }
}

TEST_CASE("the head of a payload that is damaged from its start") {
    for (const Pack pack : {Pack::lz4, Pack::zstd}) {
        const EntrySpec entry = {.payload = kContent, .pack = pack, .stored = "\xff\xff\xff\xff\xff\xff\xff\xff"};
        CHECK(error_text([&] { head_of(entry, 40); }) ==
              "offset 0x50: an image for 80 does not decompress to its 52 bytes" + std::string(kDamaged));
    }
    CHECK(error_text([&] {
              head_of({.payload = kContent, .pack = Pack::zstd, .flags = kBit64 | kBitObfuscated}, 40);
          }).starts_with("offset 0x50: an image is stored in a way that is not known"));
}

TEST_CASE("the head of a payload needs no memory for the rest") {
    const std::string head = head_of({.payload = kContent, .pack = Pack::zstd, .opened_size = ~std::uint64_t{0}}, 10);
    CHECK(head == kContent.substr(0, 10));
}

TEST_CASE("one reader opens many payloads, large after small and damaged ones between") {
    const std::string large(100'000, 'x');
    EntrySpec damaged = {.payload = kContent, .pack = Pack::zstd, .stored = packed(kContent, Pack::zstd).substr(0, 20)};
    const std::string section = build_region({.entries = {{.payload = kContent, .pack = Pack::zstd},
                                                          damaged,
                                                          {.payload = large, .pack = Pack::lz4},
                                                          {.payload = large, .pack = Pack::zstd},
                                                          {.payload = "small", .pack = Pack::zstd}}});
    PayloadReader reader;
    for_each_region(ByteView(section), [&](FatbinRegion region) {
        CHECK(reader.open(region.entries.at(0)).text() == kContent);
        CHECK_THROWS_AS(reader.open(region.entries.at(1)), Error);
        CHECK(reader.open(region.entries.at(2)).text() == large);
        CHECK(reader.open_head(region.entries.at(3), 5).text() == "xxxxx");
        CHECK(reader.open(region.entries.at(3)).text() == large);
        CHECK(reader.open(region.entries.at(4)).text() == "small");
    });
}

TEST_CASE("damage to a compressed payload gives an answer or an Error") {
    for (const Pack pack : {Pack::lz4, Pack::zstd}) {
        const std::string section = build_region({.entries = {{.payload = kContent, .pack = pack}}});
        check_truncations(section, [](ByteView bytes) { opened_section(std::string(bytes.text())); });
        // The fields of sizes above 2^26 only cost time.
        check_bit_flips(section, 0, 0x10 + 0x3b, [](ByteView bytes) { opened_section(std::string(bytes.text())); });
        check_bit_flips(section, 0x10 + 0x40, section.size(),
                        [](ByteView bytes) { opened_section(std::string(bytes.text())); });
    }
}

}  // namespace
}  // namespace wheelarch
