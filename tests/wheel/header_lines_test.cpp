#include "wheel/header_lines.hpp"

#include <doctest/doctest.h>

#include "support/damage.hpp"

namespace wheelarch {
namespace {

using Texts = std::vector<std::string>;

std::string problem(std::string_view text) {
    return parse_header_lines(text).problem;
}

TEST_CASE("headers end at the first blank line, and continue on indented ones") {
    const HeaderLines headers = parse_header_lines(
        "Name: pkg\r\nTAG:a\nTag:  b \t\nDescription: x\n  Tag: y\nEmpty:\n z\n\nTag: body\n\xc3\xa9");
    CHECK(headers.problem.empty());
    CHECK(headers.values("name") == Texts{"pkg"});
    CHECK(headers.values("tag") == Texts{"a", "b"});
    CHECK(headers.values("description") == Texts{"x Tag: y"});
    CHECK(headers.values("empty") == Texts{"z"});
    CHECK(headers.values("version").empty());
    CHECK(parse_header_lines("").lines.empty());
}

TEST_CASE("what ends the headers early is a problem") {
    CHECK(problem("A: b\nName : other\nC: d\n") ==
          "line 2 ('Name : other') is not a header, and installers stop reading there");
    CHECK(problem("A: b\nnonsense\n").starts_with("line 2 ('nonsense')"));
    CHECK(problem(" continues nothing\n").starts_with("line 1"));
    CHECK(problem("From a b\n").starts_with("line 1"));
    CHECK(problem(": b\n").starts_with("line 1"));
    CHECK(problem("S\xc3\xbcmmary: b\n").starts_with("line 1"));
    CHECK(problem("A: b\rC: d\n") == "line 1 ('A: b\\rC: d') holds a control character");
    CHECK(problem("\xef\xbb\xbf"
                  "A: b\n") == "it begins with a byte order mark");
    CHECK(problem("A: b\n\n\xff") == "it is not UTF-8");
}

TEST_CASE("damaged headers are survived") {
    check_damage("Name: p\n q\r\nTag: a\n\n", [](ByteView bytes) { parse_header_lines(bytes.text()); });
}

}  // namespace
}  // namespace wheelarch
