// Damaged members and damaged archives: nothing wrong may pass, and nothing may crash.
#include <doctest/doctest.h>

#include "support/zip_builder.hpp"
#include "support/zip_probe.hpp"

namespace wheelarch {
namespace {

std::string error_of_member(ZipEntry entry) {
    entry.name = "pkg/_C.so";
    return zip_error(build_zip({.entries = {std::move(entry)}}));
}

TEST_CASE("content that is not what the headers declare") {
    const std::string content(1000, 'x');
    CHECK(error_of_member({.content = content, .crc32 = 1}) ==
          "pkg/_C.so: the CRC-32 of the member is 0x3b41c9e6, expected 0x00000001");
    CHECK(error_of_member({.content = "stored", .method = 0, .crc32 = 1}) ==
          "pkg/_C.so: the CRC-32 of the member is 0x5643f90b, expected 0x00000001");
    CHECK(error_of_member({.content = content, .size = 1001}) ==
          "pkg/_C.so: the member inflates to 1000 bytes, expected 1001");
    CHECK(error_of_member({.content = content, .size = 999}) ==
          "pkg/_C.so: the member inflates to more than the 999 bytes it declares");
    CHECK(error_of_member({.content = content, .size = 0}) ==
          "pkg/_C.so: the member inflates to more than the 0 bytes it declares");
}

TEST_CASE("a bomb is not inflated beyond what it declares") {
    std::uint64_t total = 0;
    const std::string archive =
        build_zip({.entries = {{.name = "bomb", .content = std::string(std::size_t{50} << 20U, '\0'), .size = 1000}}});
    const ZipMember member = read_zip(ByteView(archive)).at(0);
    CHECK(error_of([&] {
              read_member(member, [&](ByteView piece) {
                  total += piece.size();
                  return true;
              });
          }) == "bomb: the member inflates to more than the 1000 bytes it declares");
    CHECK(total == 0);
}

TEST_CASE("deflate streams that are cut, damaged or followed by something") {
    const std::string content = "some text, some text, some more text";
    const std::string good = deflated(content);
    CHECK(error_of_member({.content = content, .compressed = good.substr(0, good.size() - 1)}) ==
          "pkg/_C.so: the deflate stream goes on after its " + std::to_string(good.size() - 1) + " compressed bytes");
    CHECK(error_of_member({.content = content, .compressed = ""}) ==
          "pkg/_C.so: the deflate stream goes on after its 0 compressed bytes");
    CHECK(error_of_member({.content = content, .compressed = good + "xyz"}) ==
          "pkg/_C.so: 3 bytes of trailing data after the deflate stream");
    CHECK(error_of_member({.content = content, .compressed = "\xff" + good}) ==
          "pkg/_C.so: the deflate stream is damaged at compressed byte 1: invalid block type");
}

TEST_CASE("the head of a damaged member") {
    const std::string content = "some text, some text, some more text";
    const std::string archive = build_zip({.entries = {{.name = "a", .content = content, .size = 1000}}});
    const ZipMember member = read_zip(ByteView(archive)).at(0);
    CHECK(read_head(member, 4) == "some");
    CHECK(error_of([&] { read_head(member, 100); }) == "a: the member inflates to 36 bytes, expected 1000");
}

// One archive of each shape, with all optional records.
std::vector<std::string> samples() {
    const ZipEntry deflated_entry = {.name = "a.py", .content = "print('a')\nprint('a')\n"};
    const ZipEntry stored_entry = {.name = "b", .content = "B", .method = 0};
    ZipEntry wide = deflated_entry;
    wide.zip64_local = true;
    wide.zip64_central = kWideSize | kWideCompressedSize | kWideOffset;
    ZipEntry streamed = deflated_entry;
    streamed.descriptor = ZipDescriptor::signed32;
    ZipEntry streamed_wide = wide;
    streamed_wide.descriptor = ZipDescriptor::plain64;
    return {build_zip({.entries = {deflated_entry, stored_entry}}),
            build_zip({.entries = {stored_entry, wide}, .zip64 = true}),
            build_zip({.entries = {streamed, stored_entry}, .comment = "a comment"}),
            build_zip({.entries = {streamed_wide, stored_entry}, .zip64 = true, .escape_end = false})};
}

TEST_CASE("every truncation of an archive gives an Error") {
    for (const std::string& sample : samples()) {
        CHECK(zip_error(sample) == "no error");
        for (std::size_t size = 0; size < sample.size(); ++size) {
            const std::string cut = sample.substr(0, size);
            CHECK_MESSAGE(zip_error(cut) != "no error", "cut to ", size, " bytes");
        }
    }
}

TEST_CASE("every flipped bit gives an Error or the same members") {
    for (const std::string& sample : samples()) {
        const auto expected = zip_contents(sample);
        for (std::size_t bit = 0; bit < sample.size() * 8; ++bit) {
            std::string flipped = sample;
            flipped[bit / 8] = static_cast<char>(static_cast<unsigned char>(flipped[bit / 8]) ^ (1U << bit % 8));
            std::map<std::string, std::string> contents = expected;
            const std::string error = error_of([&] { contents = zip_contents(flipped); });
            CHECK_MESSAGE(contents == expected, "bit ", bit % 8, " of byte ", bit / 8, ": ", error);
        }
    }
}

}  // namespace
}  // namespace wheelarch
