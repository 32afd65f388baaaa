#include "wheel/record.hpp"

#include <doctest/doctest.h>

#include "support/damage.hpp"

namespace wheelarch {
namespace {

// `path|hash|size` of each row, and what stopped the reading.
std::string rows(std::string_view text) {
    const Record record = parse_record(text);
    std::string result;
    for (const RecordRow& row : record.rows) {
        result += row.path + "|" + row.hash + "|" + row.size + "\n";
    }
    return result + record.problem;
}

TEST_CASE("rows are read, whatever ends their lines") {
    const char* expected = "a.py|sha256=x|1\nRECORD||\n";
    CHECK(rows("a.py,sha256=x,1\nRECORD,,\n") == expected);
    CHECK(rows("a.py,sha256=x,1\r\nRECORD,,\r\n") == expected);
    CHECK(rows("a.py,sha256=x,1\rRECORD,,") == expected);
    CHECK(rows("\n\na.py,sha256=x,1\n\nRECORD,,\n\n") == expected);
    CHECK(rows("") == "");
}

TEST_CASE("quoted fields") {
    CHECK(rows("\"a, b.py\",sha256=x,1\n") == "a, b.py|sha256=x|1\n");
    CHECK(rows("\"say \"\"hi\"\".py\",\"\",\"\"\n") == "say \"hi\".py||\n");
    CHECK(rows("\"two\nlines\",,\nb,,\n") == "two\nlines||\nb||\n");
    CHECK(rows("a\"b,,\n") == "a\"b||\n");
    CHECK(rows("\"a\"b,,\n") == "ab||\n");  // as Python's csv module
}

TEST_CASE("lines are counted") {
    const Record record = parse_record("a,,\n\n\"b\nc\",,\r\nd,,\n");
    REQUIRE(record.rows.size() == 3);
    CHECK(record.rows[0].line == 1);
    CHECK(record.rows[1].line == 3);
    CHECK(record.rows[2].line == 5);
}

TEST_CASE("backslashes become slashes, and are remembered") {
    const Record record = parse_record("pkg\\_C.pyd,sha256=x,1\npkg/a.py,,\n");
    REQUIRE(record.rows.size() == 2);
    CHECK(record.rows[0].path == "pkg/_C.pyd");
    CHECK(record.rows[0].backslashes);
    CHECK_FALSE(record.rows[1].backslashes);
}

TEST_CASE("what is no row of RECORD") {
    CHECK(rows("a,,\nb,c\n") == "a||\nline 2: 2 fields, expected 3 (path, hash, size)");
    CHECK(rows("a,,\n\nb,c,d,e") == "a||\nline 3: 4 fields, expected 3 (path, hash, size)");
    CHECK(rows("word\n") == "line 1: 1 field, expected 3 (path, hash, size)");
    CHECK(rows("a,,\n\"b,,\nc,,\n") == "a||\nline 2: a quote is not closed");
}

TEST_CASE("rows are written with LF, quoted where it is needed") {
    CHECK(write_record({{"a.py", "sha256=x", "1"}, {"a, b", "", ""}, {"say \"hi\"", "", ""}, {"two\nlines", "", ""}}) ==
          "a.py,sha256=x,1\n\"a, b\",,\n\"say \"\"hi\"\"\",,\n\"two\nlines\",,\n");
    CHECK(write_record({}) == "");
}

TEST_CASE("what is written is read again, and damage is survived") {
    const std::string text = "a.py,sha256=x,1\r\n\"a, \"\"b\"\"\",,\npkg\\c,sha256=y,22\n";
    check_damage(text, [](ByteView bytes) {
        const Record record = parse_record(bytes.text());
        CHECK(rows(write_record(record.rows)) + record.problem == rows(bytes.text()));
    });
}

}  // namespace
}  // namespace wheelarch
