#include <doctest/doctest.h>

#include "binary/fatbin.hpp"
#include "support/bytes.hpp"
#include "support/damage.hpp"
#include "support/fatbin_builder.hpp"

namespace wheelarch {
namespace {

constexpr const char* kDamaged =
    "\nfix: the file is damaged or of a layout not known yet: compare with cuobjdump, and report it";

// The only region of `section`, which must outlive it.
FatbinRegion region_of(const std::string& section) {
    FatbinRegion found;
    for_each_region(ByteView(section), [&](FatbinRegion region) { found = std::move(region); });
    return found;
}

// An entry without its payload's bytes.
FatbinEntry entry_of(const EntrySpec& spec) {
    const std::string section = build_region({.entries = {spec}});
    FatbinRegion region = region_of(section);
    CHECK(region.entries.size() == 1);
    FatbinEntry entry = region.entries.at(0);
    entry.payload = ByteView(nullptr, 0, entry.payload.origin());
    return entry;
}

std::string error_of(const EntrySpec& spec) {
    const std::string section = build_region({.entries = {spec}});
    return error_text([&] { region_of(section); });
}

TEST_CASE("kinds") {
    const auto kind = [](std::uint16_t raw) { return entry_of({.kind = raw, .payload = "x"}); };
    CHECK(kind(1).kind == ImageKind::ptx);
    CHECK(kind(2).kind == ImageKind::sass);
    CHECK(kind(0x10).kind == ImageKind::sass);  // cuobjdump lists it as ELF
    CHECK(kind(8).kind == ImageKind::lto_ir);
    // A text cubin of old, Tile IR, and what nobody has named yet: stepped over, and reported by number.
    for (const int number : {0, 3, 4, 0x20, 0x40, 0x80, 0xffff}) {
        const auto raw = static_cast<std::uint16_t>(number);
        CHECK(kind(raw).kind == ImageKind::other);
        CHECK(kind(raw).raw_kind == raw);
    }
}

TEST_CASE("an entry of unknown kind hides no neighbour") {
    const std::string section =
        build_region({.entries = {sass(80), {.kind = 0x80, .arch = 0, .payload = "tile"}, ptx(90)}});
    const FatbinRegion region = region_of(section);
    REQUIRE(region.entries.size() == 3);
    CHECK(region.entries[1].payload.text().starts_with("tile"));
    CHECK(region.entries[2].kind == ImageKind::ptx);
}

TEST_CASE("arch and suffix stand in the header") {
    CHECK(sass_name(entry_of({.arch = 75}).arch) == "sm_75");
    CHECK(sass_name(entry_of({.arch = 121}).arch) == "sm_121");
    CHECK(sass_name(entry_of({.arch = 1000}).arch) == "sm_1000");
    CHECK(sass_name(entry_of({.arch = 90, .flags = kBit64 | kBitLinux | kBitA}).arch) == "sm_90a");
    CHECK(sass_name(entry_of({.arch = 100, .flags = kBit64 | kBitLinux | kBitF}).arch) == "sm_100f");
    CHECK(ptx_name(entry_of({.kind = 1, .arch = 103, .flags = kBit64 | kBitF}).arch) == "compute_103f");
}

TEST_CASE("the flags of real files, in full") {
    // nvcc 13.0: sm_100, 100a, 100f, 90a, and PTX 120f
    CHECK(sass_name(entry_of({.arch = 100, .flags = 0x1000011}).arch) == "sm_100");
    CHECK(sass_name(entry_of({.arch = 100, .flags = 0x1100011}).arch) == "sm_100a");
    CHECK(sass_name(entry_of({.arch = 100, .flags = 0x1200011}).arch) == "sm_100f");
    CHECK(sass_name(entry_of({.arch = 90, .flags = 0x100011}).arch) == "sm_90a");
    const FatbinEntry ptx = entry_of({.kind = 1, .arch = 120, .payload = "x", .pack = Pack::zstd, .flags = 0x208011});
    CHECK(ptx_name(ptx.arch) == "compute_120f");
    CHECK(ptx.compression == Compression::zstd);
    // and of Windows
    CHECK(sass_name(entry_of({.arch = 86, .flags = kBit64 | kBitWindows}).arch) == "sm_86");
}

TEST_CASE("archs and suffixes that cannot be") {
    CHECK(error_of({.arch = 0}) == "offset 0x2c: an entry's SM number is 0" + std::string(kDamaged));
    CHECK(error_of({.arch = 9}) == "offset 0x2c: an entry's SM number is 9" + std::string(kDamaged));
    CHECK(error_of({.kind = 1, .arch = 10000}) == "offset 0x2c: an entry's SM number is 10000" + std::string(kDamaged));
    CHECK(error_of({.arch = 100, .flags = kBit64 | kBitA | kBitF}) ==
          "offset 0x38: an entry for 100 has the flags of suffix a and of suffix f" + std::string(kDamaged));
    CHECK(error_of({.kind = 0x80, .arch = 0}) == "no error");  // what is not known need not name an arch
}

TEST_CASE("versions: the PTX ISA, and the cubin's") {
    const FatbinEntry ptx = entry_of({.kind = 1, .version_major = 8, .version_minor = 7});
    CHECK(ptx.version_major == 8);
    CHECK(ptx.version_minor == 7);
    const FatbinEntry cubin = entry_of({.version_major = 1, .version_minor = 8});
    CHECK(cubin.version_major == 1);
    CHECK(cubin.version_minor == 8);
}

TEST_CASE("debug code and obfuscated code are told by their flags") {
    CHECK(entry_of({.flags = 0x8013, .stored = "x"}).debug);
    CHECK_FALSE(entry_of({}).debug);
    CHECK(entry_of({.kind = 8, .flags = 0x11 | kBitObfuscated}).obfuscated);
    CHECK_FALSE(entry_of({.kind = 8}).obfuscated);
}

TEST_CASE("the payload begins behind the header, however long that is") {
    for (const std::uint32_t size :
         {0x40u, 0x48u, 0x50u, 0x58u, 0x60u, 0x68u, 0x70u, 0x78u, 0x80u, 0x88u, 0x90u, 0x1000u}) {
        const std::string section = build_region(
            {.entries = {{.payload = "payload!", .header_size = size}, {.arch = 90, .payload = "next one"}}});
        const FatbinRegion region = region_of(section);
        REQUIRE(region.entries.size() == 2);
        CHECK(region.entries[0].payload.text() == "payload!");
        CHECK(region.entries[1].payload.text() == "next one");
    }
}

TEST_CASE("an entry without a payload") {
    CHECK(entry_of({.payload = ""}).size == 0);
}

TEST_CASE("sizes: stored, padded and opened") {
    const std::string content(1000, 'x');
    for (const Pack pack : {Pack::lz4, Pack::zstd}) {
        const std::string section = build_region({.entries = {{.payload = content, .pack = pack}}});
        const FatbinRegion region = region_of(section);
        const FatbinEntry& entry = region.entries.at(0);
        CHECK(entry.compression == (pack == Pack::lz4 ? Compression::lz4 : Compression::zstd));
        CHECK(entry.size == 1000);
        CHECK(entry.payload.text() == packed(content, pack));  // without padding
    }
    const std::string raw = build_region({.entries = {{.payload = "12345"}}});
    CHECK(region_of(raw).entries.at(0).compression == Compression::none);
    CHECK(region_of(raw).entries.at(0).size == 8);  // a raw payload is padded, and nothing tells by how much
    CHECK(region_of(raw).entries.at(0).payload.text() == std::string("12345\0\0\0", 8));
}

TEST_CASE("compressed may be larger than not") {
    const std::string incompressible = "\x01\x02\x03\x04";
    const std::string section = build_region({.entries = {{.payload = incompressible, .pack = Pack::zstd}}});
    const FatbinRegion region = region_of(section);
    CHECK(region.entries.at(0).payload.size() > region.entries.at(0).size);
}

TEST_CASE("a compressed size without a known algorithm") {
    const FatbinEntry entry =
        entry_of({.payload = "x", .header = [](std::string& header) { poke(header, 0x10, le32(1)); }});
    CHECK(entry.compression == Compression::unknown);
}

TEST_CASE("the compressed size may equal the padded one, but not exceed it") {
    const auto with_size = [](std::uint32_t size) {
        return EntrySpec{.payload = "12345678", .flags = kBit64 | kBitZstd, .header = [size](std::string& header) {
                             poke(header, 0x10, le32(size));
                         }};
    };
    CHECK(entry_of(with_size(8)).compression == Compression::zstd);
    CHECK(error_of(with_size(9)) ==
          "offset 0x20: an entry has 9 compressed bytes in a payload of 8" + std::string(kDamaged));
}

TEST_CASE("a header size below that of a header cannot make the reader turn in circles") {
    for (const std::uint32_t size : {0u, 8u, 0x3fu}) {
        const auto text =
            error_of({.payload = "x", .header = [size](std::string& header) { poke(header, 4, le32(size)); }});
        CHECK(text.starts_with("offset 0x14: an entry's header size is 0x"));
        CHECK(text.ends_with(", expected at least 0x40" + std::string(kDamaged)));
    }
}

TEST_CASE("an entry that goes past its region") {
    CHECK(error_of({.payload = "12345678", .header = [](std::string& header) { poke(header, 8, le64(16)); }}) ==
          cut_short("offset 0x50: a fatbin payload needs 16 bytes here, but the data ends at 0x58"));
    CHECK(error_of({.payload = "12345678",
                    .header = [](std::string& header) { poke(header, 8, le64(0xffffffffffffffc0)); }}) ==
          cut_short("offset 0x50: a fatbin payload needs 18446744073709551552 bytes here, but the data ends at 0x58"));
    CHECK(error_of({.payload = "12345678", .header = [](std::string& header) { poke(header, 4, le32(0x1000)); }})
              .starts_with("offset 0x1010: a fatbin entry"));
}

TEST_CASE("a payload that ends before its region leaves a second entry, or an error") {
    CHECK(error_of({.payload = "12345678", .header = [](std::string& header) { poke(header, 8, le64(0)); }}) ==
          cut_short("offset 0x50: a fatbin entry header needs 64 bytes here, but the data ends at 0x58"));
}

}  // namespace
}  // namespace wheelarch
