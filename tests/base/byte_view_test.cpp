#include "base/byte_view.hpp"

#include <doctest/doctest.h>

#include "support/damage.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kBytes("\x01\x02\x03\x04\x05\x06\x07\x88", 8);

TEST_CASE("reads are little-endian and unaligned") {
    const ByteView view(kBytes);
    CHECK(view.u8(7, "x") == 0x88);
    CHECK(view.u16(1, "x") == 0x0302);
    CHECK(view.u32(3, "x") == 0x07060504);
    CHECK(view.u64(0, "x") == 0x8807060504030201);
}

TEST_CASE("a read past the end says what, where and how much there is") {
    const ByteView view(kBytes);
    CHECK(error_text([&] { view.u8(8, "a byte"); }) ==
          cut_short("offset 0x8: a byte needs 1 bytes here, but the data ends at 0x8"));
    CHECK(error_text([&] { view.u16(7, "a short"); }) ==
          cut_short("offset 0x7: a short needs 2 bytes here, but the data ends at 0x8"));
    CHECK(error_text([&] { view.u32(5, "a word"); }) ==
          cut_short("offset 0x5: a word needs 4 bytes here, but the data ends at 0x8"));
    CHECK(error_text([&] { view.u64(1, "a long"); }) ==
          cut_short("offset 0x1: a long needs 8 bytes here, but the data ends at 0x8"));
    CHECK(error_text([&] { view.slice(2, 7, "a table"); }) ==
          cut_short("offset 0x2: a table needs 7 bytes here, but the data ends at 0x8"));
}

TEST_CASE("offsets and sizes near 2^64 do not wrap") {
    const ByteView view(kBytes);
    constexpr std::uint64_t kMost = ~std::uint64_t{0};
    CHECK_THROWS_AS(view.u8(kMost, "x"), Error);
    CHECK_THROWS_AS(view.u64(kMost - 3, "x"), Error);
    CHECK_THROWS_AS(view.slice(1, kMost, "x"), Error);
    CHECK_THROWS_AS(view.slice(kMost, 1, "x"), Error);
    CHECK_THROWS_AS(view.from(kMost, "x"), Error);
    CHECK(view.clipped(kMost, kMost).empty());
}

TEST_CASE("a slice keeps its place in the file, and its bounds") {
    const ByteView view(kBytes.data(), kBytes.size(), 0x100);
    const ByteView slice = view.slice(2, 4, "a table");
    CHECK(slice.origin() == 0x102);
    CHECK(slice.size() == 4);
    CHECK(slice.u8(0, "x") == 3);
    CHECK(view.from(6, "x").origin() == 0x106);
    CHECK(view.from(6, "x").size() == 2);
    CHECK(view.from(8, "x").empty());
    CHECK(error_text([&] { slice.u8(4, "a byte"); }) ==
          cut_short("offset 0x106: a byte needs 1 bytes here, but the data ends at 0x106"));
}

TEST_CASE("clipping takes what there is") {
    const ByteView view(kBytes.data(), kBytes.size(), 0x100);
    CHECK(view.clipped(6, 100).size() == 2);
    CHECK(view.clipped(6, 100).origin() == 0x106);
    CHECK(view.clipped(6, 1).size() == 1);
    CHECK(view.clipped(9, 1).empty());
    CHECK(view.clipped(9, 1).origin() == 0x108);
}

TEST_CASE("C strings end at their NUL, which must be there") {
    const ByteView view(std::string_view("ab\0cd", 5));
    CHECK(view.c_string(0, "a name") == "ab");
    CHECK(view.c_string(2, "a name").empty());
    CHECK(error_text([&] { view.c_string(3, "a name"); }) == cut_short("offset 0x3: a name has no terminating NUL"));
    CHECK(error_text([&] { view.c_string(5, "a name"); }) == cut_short("offset 0x5: a name has no terminating NUL"));
    CHECK_THROWS_AS(view.c_string(6, "a name"), Error);
}

TEST_CASE("an empty view holds nothing and breaks nothing") {
    const ByteView view;
    CHECK(view.empty());
    CHECK(view.text().empty());
    CHECK(view.slice(0, 0, "nothing").empty());
    CHECK(view.from(0, "nothing").empty());
    CHECK(view.starts_with(""));
    CHECK_FALSE(view.starts_with("a"));
    CHECK_THROWS_AS(view.u8(0, "x"), Error);
    CHECK_THROWS_AS(view.c_string(0, "x"), Error);
}

TEST_CASE("a prefix longer than the view is no prefix") {
    CHECK(ByteView(std::string_view("MZ")).starts_with("MZ"));
    CHECK_FALSE(ByteView(std::string_view("M")).starts_with("MZ"));
}

}  // namespace
}  // namespace wheelarch
