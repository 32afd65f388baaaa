#include "base/text.hpp"

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

TEST_CASE("text that is UTF-8 stays as it is") {
    for (const std::string text : {"plain", "grün", "€", "漢字", "😀", ""}) {
        CHECK(valid_utf8(text) == text);
        CHECK(printable(text) == text);
    }
}

TEST_CASE("bytes that are not UTF-8 are replaced one by one") {
    CHECK(valid_utf8("a\xff"
                     "b") ==
          "a\xef\xbf\xbd"
          "b");
    CHECK(valid_utf8("\xc0\xaf") == "\xef\xbf\xbd\xef\xbf\xbd");                  // not the shortest form
    CHECK(valid_utf8("\xed\xa0\x80") == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
    CHECK(valid_utf8("\xf4\x90\x80\x80").size() == 12);                           // past U+10FFFF
    CHECK(valid_utf8("\xe2\x82") == "\xef\xbf\xbd\xef\xbf\xbd");                  // cut short
    CHECK(printable("a\xff"
                    "b") == "a\\xffb");
}

TEST_CASE("control characters are shown, not sent") {
    CHECK(printable("a\nb\r\tc") == "a\\nb\\r\\tc");
    CHECK(printable("\x1b[31mred") == "\\x1b[31mred");
    CHECK(printable(std::string("\0\x7f", 2)) == "\\x00\\x7f");
    CHECK(printable("\xc2\x85") == "\\xc2\\x85");  // NEL, a line end to some
    CHECK(printable("a\xe2\x80\xae"
                    "b") == "a\\xe2\\x80\\xaeb");  // right-to-left override
    CHECK(printable("a\xe2\x80\x8b"
                    "b") == "a\\xe2\\x80\\x8bb");  // zero width space
    CHECK(printable("a\xe2\x81\xa6"
                    "b") ==
          "a\\xe2\\x81\\xa6"
          "b");  // isolate
}

TEST_CASE("what a runner would take for a command is broken") {
    CHECK(printable("::error::x") == ": :error::x");
    CHECK(printable("  ::set-output name=a::b") == "  : :set-output name=a::b");
    CHECK(printable("a ::b") == "a ::b");
    CHECK(printable("##[group]a") == "# #[group]a");
    CHECK(printable("x ##[add-mask]a ##[error]b") == "x # #[add-mask]a # #[error]b");
    CHECK(printable("###[error]b").find("##[") == std::string::npos);
    CHECK(printable("\n::error::x") == "\\n::error::x");  // one line: the command is not at its start
}

TEST_CASE("lists are cut with a count of the rest") {
    CHECK(enumerate({}, 3).empty());
    CHECK(enumerate({"a"}, 3) == "a");
    CHECK(enumerate({"a", "b", "c"}, 3) == "a, b, c");
    CHECK(enumerate({"a", "b", "c", "d"}, 3) == "a, b, c and 1 more");
}

TEST_CASE("counts agree with their noun") {
    CHECK(count_of(0, "image") == "0 images");
    CHECK(count_of(1, "image") == "1 image");
    CHECK(count_of(2, "image") == "2 images");
}

TEST_CASE("the nearest name is a typing error away, or none") {
    const std::vector<std::string> known = {"inspect", "assert", "coverage", "lint"};
    CHECK(nearest_name("inspct", known) == "inspect");
    CHECK(nearest_name("asert", known) == "assert");
    CHECK(nearest_name("coverages", known) == "coverage");
    CHECK(nearest_name("lnt", known) == "lint");
    CHECK(nearest_name("publish", known).empty());
    CHECK(nearest_name("", known).empty());
    CHECK(nearest_name(std::string(1 << 20, 'i'), known).empty());
}

}  // namespace
}  // namespace wheelarch
