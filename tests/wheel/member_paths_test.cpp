#include "wheel/member_paths.hpp"

#include <doctest/doctest.h>

#include "support/zip_builder.hpp"

namespace wheelarch {
namespace {

// `severity path: message`, a line each, of an archive with these names.
std::string check(const std::vector<std::string>& names, std::uint32_t mode = 0100644) {
    std::vector<ZipMember> members;
    for (const std::string& name : names) {
        ZipMember member;
        member.name = name;
        member.external_attributes = mode << 16U;
        members.push_back(member);
    }
    std::string text;
    for (const Finding& finding : check_member_paths(members, "pkg-1.0.dist-info")) {
        CHECK(finding.rule == "member-path");
        CHECK_FALSE(finding.fix.empty());
        text += std::string(name(finding.severity)) + " " + finding.place + ": " + finding.message + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("member paths: those of good wheels") {
    CHECK(check({"pkg/a.py", "pkg/..b/c..d", "pkg/", "ab:c/d", "pkg-1.0.dist-info/_build_info.json", "...", "C"}) ==
          "");
}

TEST_CASE("member paths: out of the folder") {
    for (const char* path : {"../evil.py", "pkg/../../evil.py", "pkg/..", "/abs.py", "C:/x", "c:x", "pkg\\a.py"}) {
        CHECK(check({path}) ==
              std::string("error ") + path + ": the path leads out of the folder that the wheel is unpacked into\n");
    }
}

TEST_CASE("member paths: a folder in the stamp's place") {
    CHECK(check({"pkg-1.0.dist-info/_build_info.json/x"}) ==
          "error pkg-1.0.dist-info/_build_info.json/x: it lies where the stamp has to\n");
    CHECK(check({"pkg-1.0.dist-info/_build_info.json.bak/x"}) == "");
}

TEST_CASE("member paths: symbolic links") {
    CHECK(check({"pkg/libx.so"}, 0120777) ==
          "warning pkg/libx.so: a symbolic link: installers write the name of its target into a file instead\n");
    CHECK(check({"pkg/"}, 040755) == "");
}

}  // namespace wheelarch
