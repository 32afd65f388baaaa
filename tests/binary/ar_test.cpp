#include "binary/ar.hpp"

#include <doctest/doctest.h>

#include "support/ar_builder.hpp"
#include "support/bytes.hpp"
#include "support/damage.hpp"

namespace wheelarch {
namespace {

const std::string kLongName = "a_name_of_more_than_sixteen_bytes.cu.o";

std::string error_of(const ArSpec& spec) {
    const std::string file = build_ar(spec);
    return error_text([&] { read_ar(ByteView(file)); });
}

TEST_CASE("members in file order, whatever the style of their names") {
    for (const ArNames names : {ArNames::gnu, ArNames::bsd, ArNames::microsoft}) {
        for (const bool symbol_table : {true, false}) {
            const std::string file = build_ar({.names = names,
                                               .symbol_table = symbol_table,
                                               .members = {{.name = "a.o", .content = "odd"},
                                                           {.name = kLongName, .content = "even"},
                                                           {.name = "another_" + kLongName, .content = ""},
                                                           {.name = "b.o", .content = "last"}}});
            CHECK(is_ar(ByteView(file)));
            const std::vector<ArMember> members = read_ar(ByteView(file));
            REQUIRE(members.size() == 4);
            CHECK(members[0].name == "a.o");
            CHECK(members[0].bytes.text() == "odd");
            CHECK(members[1].name == kLongName);
            CHECK(members[1].bytes.text() == "even");
            CHECK(members[2].name == "another_" + kLongName);
            CHECK(members[2].bytes.empty());
            CHECK(members[3].name == "b.o");
            CHECK(members[3].bytes.text() == "last");
            CHECK(file.substr(static_cast<std::size_t>(members[3].bytes.origin())) == "last");
        }
    }
}

TEST_CASE("names with a space, a path or one letter") {
    const std::string bsd = build_ar(
        {.names = ArNames::bsd, .members = {{.name = "a b.o", .content = "x"}, {.name = "c", .content = "y"}}});
    CHECK(read_ar(ByteView(bsd)).at(0).name == "a b.o");
    CHECK(read_ar(ByteView(bsd)).at(0).bytes.text() == "x");
    CHECK(read_ar(ByteView(bsd)).at(1).name == "c");
    const std::string microsoft =
        build_ar({.names = ArNames::microsoft, .members = {{.name = "build\\objects\\a.obj", .content = "x"}}});
    CHECK(read_ar(ByteView(microsoft)).at(0).name == "build\\objects\\a.obj");
}

TEST_CASE("tables of other writers are no members") {
    const std::string file = build_ar({.symbol_table = false,
                                       .members = {{.content = "table!", .header_name = "/SYM64/"},
                                                   {.content = "table!", .header_name = "/"},
                                                   {.content = "table!", .header_name = "/<ECSYMBOLS>/"},
                                                   {.content = "table!", .header_name = "/<XFGHASHMAP>/"},
                                                   {.content = "table!", .header_name = "__.SYMDEF"},
                                                   {.name = "a.o", .content = "x"}}});
    const std::vector<ArMember> members = read_ar(ByteView(file));
    REQUIRE(members.size() == 1);
    CHECK(members[0].name == "a.o");
}

TEST_CASE("an archive without members, and one whose last odd member lacks its padding") {
    CHECK(read_ar(ByteView(std::string_view("!<arch>\n"))).empty());
    std::string file = build_ar({.members = {{.name = "a.o", .content = "odd"}}});
    file.pop_back();
    CHECK(read_ar(ByteView(file)).at(0).bytes.text() == "odd");
}

TEST_CASE("a thin archive holds no objects") {
    CHECK(is_ar(ByteView(build_ar({.thin = true}))));
    CHECK(error_of({.thin = true}) ==
          "a thin archive: its objects lie outside of it\nfix: ship a regular archive (ar without --thin)");
}

TEST_CASE("member headers that are none") {
    CHECK(error_of({.symbol_table = false, .members = {{.name = "a.o", .content = "x", .header_end = "xx"}}})
              .starts_with("offset 0x8: an archive member header does not end as one"));
    for (const char* size : {"", "12x", "-1", "0x10", "1 2", "1.5"}) {
        CHECK(error_of({.symbol_table = false, .members = {{.name = "a.o", .header_size = size}}})
                  .starts_with("offset 0x38: the size of an archive member is not a decimal number"));
    }
    CHECK(error_of({.symbol_table = false, .members = {{.content = "x", .header_name = "/1x"}}})
              .starts_with("offset 0x9: the name offset of an archive member is not a decimal number"));
    CHECK(error_of({.symbol_table = false, .members = {{.content = "x", .header_name = "#1/x"}}})
              .starts_with("offset 0xb: the name length of an archive member is not a decimal number"));
}

TEST_CASE("members and names past the end") {
    CHECK(
        error_of({.symbol_table = false, .members = {{.name = "a.o", .content = "xx", .header_size = "9999999999"}}}) ==
        cut_short("offset 0x44: an archive member needs 9999999999 bytes here, but the data ends at 0x46"));
    CHECK(error_of({.symbol_table = false, .members = {{.content = "xx", .header_name = "#1/3"}}}) ==
          cut_short("offset 0x44: a member name needs 3 bytes here, but the data ends at 0x46"));
    CHECK(error_of({.symbol_table = false, .members = {{.content = "xx", .header_name = "/5"}}})
              .starts_with("offset 0x5: a long member name"));
    const std::string file = build_ar({.members = {{.name = "a.o", .content = "xx"}}}) + "junk";
    CHECK(error_text([&] { read_ar(ByteView(file)); }) ==
          cut_short("offset 0x86: an archive member header needs 60 bytes here, but the data ends at 0x8a"));
}

TEST_CASE("damage to an archive gives an answer or an Error") {
    const auto read = [](ByteView bytes) {
        if (is_ar(bytes)) {
            read_ar(bytes);
        }
    };
    for (const ArNames names : {ArNames::gnu, ArNames::bsd, ArNames::microsoft}) {
        const std::string file = build_ar(
            {.names = names, .members = {{.name = "a.o", .content = "odd"}, {.name = kLongName, .content = "even"}}});
        check_damage(file, read);
    }
}

}  // namespace
}  // namespace wheelarch
