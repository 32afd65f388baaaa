#include "wheel/dist_info.hpp"

#include <doctest/doctest.h>

#include "support/damage.hpp"
#include "support/zip_builder.hpp"

namespace wheelarch {
namespace {

using Texts = std::vector<std::string>;

Texts folders(const std::vector<std::string>& names) {
    std::vector<ZipMember> members;
    for (const std::string& name : names) {
        members.emplace_back().name = name;
    }
    return dist_info_folders(members);
}

TEST_CASE("dist-info folders are those at the top") {
    CHECK(folders({"pkg/a.py", "pkg-1.0.dist-info/METADATA", "pkg-1.0.dist-info/RECORD"}) ==
          Texts{"pkg-1.0.dist-info"});
    CHECK(folders({"b.dist-info/", "a.dist-info/RECORD"}) == Texts{"a.dist-info", "b.dist-info"});
    CHECK(folders({"pkg/_vendor/x-1.dist-info/METADATA", "pkg-1.0.dist-info", "x.dist-info.d/y"}).empty());
    CHECK(folders({}).empty());
}

TEST_CASE("a small member is read whole, a large one refused") {
    const std::string archive = build_zip({.entries = {{.name = "a/WHEEL", .content = "Tag: x\n"}}});
    const std::vector<ZipMember> members = read_zip(ByteView(archive));
    CHECK(find_member(members, "a/RECORD") == nullptr);
    const ZipMember* member = find_member(members, "a/WHEEL");
    REQUIRE(member != nullptr);
    CHECK(read_small(*member, 7) == "Tag: x\n");
    CHECK(error_text([&] { read_small(*member, 6); }) ==
          "a/WHEEL: the file is 7 bytes long, the limit is 6\nfix: no build writes one of that size: find out what "
          "did");
}

}  // namespace
}  // namespace wheelarch
