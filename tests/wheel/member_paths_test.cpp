#include "wheel/member_paths.hpp"

#include <doctest/doctest.h>

#include "support/zip_builder.hpp"
#include "wheel/zip_records.hpp"

namespace wheelarch {
namespace {

// `severity path: message`, a line each, of an archive with these names.
std::string check(const std::vector<std::string>& names, std::uint32_t mode = 0100644,
                  const std::string& platform = "linux_x86_64") {
    std::vector<ZipMember> members;
    for (const std::string& name : names) {
        ZipMember member;
        member.name = name;
        member.flags = kUtf8Flag;
        member.external_attributes = mode << 16U;
        members.push_back(member);
    }
    std::string text;
    for (const Finding& finding : check_member_paths(members, "pkg-1.0.dist-info", {platform})) {
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

TEST_CASE("member paths: two members that are one file once installed") {
    const std::string other = ": it is installed as the same file as pkg/_C.so, and the one overwrites the other\n";
    for (const std::string path : {"pkg-1.0.data/purelib/pkg/_C.so", "pkg-1.0.data/platlib/pkg/_C.so",
                                   "pkg-1.0.data/data/lib/python3.12/site-packages/pkg/_C.so"}) {
        CHECK(check({"pkg/_C.so", path}) == "error " + path + other);
    }
    for (const std::string path : {"pkg//_C.so", "./pkg/_C.so", "pkg/./_C.so"}) {
        CHECK(check({"pkg/_C.so", path}) ==
              "warning " + path + ": the path has an empty part or `.`, which installers leave out\nerror " + path +
                  other);
    }
    CHECK(check({"pkg-1.0.data/scripts/run", "pkg-1.0.data/data/bin/run"}).starts_with("error"));
    CHECK(check({"pkg-1.0.data/scripts/run", "pkg-1.0.data/data/share/run", "run", "pkg-1.0.data/headers/run"}) == "");
}

TEST_CASE("member paths: a file where a folder must be") {
    for (const std::vector<std::string>& names : {std::vector<std::string>{"pkg", "pkg/a"},
                                                  {"pkg/a", "pkg"},
                                                  {"pkg/", "pkg"},
                                                  {"pkg", "pkg-1.0.data/purelib/pkg/a"}}) {
        CHECK(check(names).find("a file, where") != std::string::npos);
    }
}

TEST_CASE("member paths: names that are one on Windows, or on macOS") {
    for (const char* path : {"pkg/_c.so", "PKG/_C.so", "pkg/_C.so.", "pkg/_C.so ", "pkg/_C.so:s", "pkg./_C.so"}) {
        CAPTURE(path);
        CHECK(check({"pkg/_C.so", path}) == "");
        CHECK(check({"pkg/_C.so", path}, 0100644, "any").find("on Windows or macOS it is the same file") !=
              std::string::npos);
        CHECK(check({"pkg/_C.so", path}, 0100644, "win_amd64").find("it is the same file as") != std::string::npos);
    }
    CHECK(check({"pkg/\xc3\xa9", "pkg/\xc3\x89"}, 0100644, "any").starts_with("error"));
    CHECK(check({"pkg/x."}, 0100644, "win_amd64") ==
          "error pkg/x.: this file cannot be installed: on Windows, the dots and blanks at the end of a name are left "
          "out\n");
    CHECK(check({"pkg/Con.py"}, 0100644, "win_amd64").find("'Con.py' is a device") != std::string::npos);
    CHECK(check({"pkg/a:b"}, 0100644, "win32").find("a stream of another file") != std::string::npos);
    CHECK(check({"pkg/con.py", "pkg/console.py", "pkg/a:b"}, 0100644, "any") == "");
    CHECK(check({"pkg/console.py", "pkg/com0.py", "pkg/..x"}, 0100644, "win_amd64") == "");
}

TEST_CASE("member paths: folders for other places") {
    CHECK(check({"pkg-1.0.data/purelib/a", "pkg-1.0.data/headers/a.h", "pkg-1.0.data/scripts/x", "pkg-1.0.data/",
                 "pkg-1.0.data/data/share/x", "pkg-1.0.DATA/x", "pkg/x.data/y"}) == "");
    for (const char* path : {"pkg-1.0.data/evil/x", "pkg-1.0.data/x", "pkg-1.0.data/Purelib/x", "pkg-1.0.data",
                             "pkg-1.0.data/purelib", "other-1.0.data/purelib/x", "x.data", ".data/x",
                             "pkg-1.0.data/scripts/sub/x", "./pkg-1.0.data/purelib/x", "pkg-1.0.data//purelib/x"}) {
        CAPTURE(path);
        CHECK(check({path}).starts_with("error"));
    }
}

TEST_CASE("member paths: names that installers refuse or read in two ways") {
    const std::string bad[] = {"pkg/\xff", "pkg/\xe2\x80\xaex", "pkg/.", std::string(256, 'n'),
                               "./pkg-1.0.dist-info/x"};
    for (const std::string& path : bad) {
        CHECK(check({path}).starts_with("error"));
    }
}

TEST_CASE("member paths: symbolic links") {
    CHECK(check({"pkg/libx.so"}, 0120777) ==
          "warning pkg/libx.so: a symbolic link: installers write the name of its target into a file instead\n");
    CHECK(check({"pkg/"}, 040755) == "");
}

}  // namespace wheelarch
