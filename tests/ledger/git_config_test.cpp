#include "ledger/git_config.hpp"

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "support/damage.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

std::string listed(std::string_view text) {
    std::string list;
    for (const GitSetting& setting : parse_git_config(text)) {
        list += std::to_string(setting.line) + " " + setting.key + (setting.value ? "=<" + *setting.value + ">" : "") +
                "\n";
    }
    return list;
}

TEST_CASE("settings are read as git reads them") {
    CHECK(listed("\xef\xbb\xbf[Core]\n\tBare = false # x\n  symlinks\n[remote \"Ori.gin\"] Url=a\\tb\r\n") ==
          "2 core.bare=<false>\n3 core.symlinks\n4 remote.Ori.gin.url=<a\tb>\n");
    CHECK(listed("[a.B \"c\"]d=1\n[X.Y]z=\"2 ; \" ; 3\n") == "1 a.b.c.d=<1>\n2 x.y.z=<2 ; >\n");
    CHECK(listed("[a]b = one\\\n two\n# [c]\\\nd = \"x\\n\\\"y\\\\\"  \n[e \"a\\\"\\b]\"]f=") ==
          "1 a.b=<one two>\n4 a.d=<x\n\"y\\>\n5 e.a\"b].f=<>\n");
    CHECK(listed("").empty());
    const GitSetting setting = parse_git_config("[remote \"x.y\"]url\n").front();
    CHECK(setting.subsection() == "x.y");
    CHECK(setting.text() == "true");
    CHECK(parse_git_config("[core]sshCommand=x").front().written == "core.sshCommand");
    CHECK(parse_git_config("[core]a=x").front().subsection().empty());
}

TEST_CASE("what git cannot read is an error, and so is a byte 0") {
    for (const char* text :
         {"a = b\n", "[a\nb = c\n", "[]\na = b\n", "[a]\n= b\n", "[a]\nb c\n", "[a]\nb = \"c\n", "[a]\nb = \\x\n",
          "[a \"b]\nc = d\n", "[a \"b\" c]\n", "[a b]\nc = d\n", "[a]\n1b = c\n", "\xef\xbb[a]\nb = c\n", "[a \"b\\"}) {
        CHECK_THROWS_AS(parse_git_config(text), Error);
    }
    CHECK(error_text([] { parse_git_config("[a]\n\nb c\n"); }) ==
          "line 3 is no line of git's configuration: `=` is expected after the name\n"
          "fix: correct the file: `git config --file FILE --list` reads it too");
    CHECK_THROWS_AS(parse_git_config(std::string_view("[a]\nb = c\0d\n", 12)), Error);
}

TEST_CASE("a configuration cut short anywhere is read or an error") {
    const std::string whole = "[a \"b\\\"c\"]\r\n\td = \"e\\n\" ; f\n[g.h]i\n";
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        try {
            parse_git_config(std::string_view(whole).substr(0, size));
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::unchecked);
        }
    }
}

TEST_CASE("a file that is not there has no settings; a folder or a large one is an error") {
    const TemporaryFolder folder;
    CHECK(read_git_config(folder.path() / "none").empty());
    CHECK_THROWS_AS(read_git_config(folder.path()), Error);
    const auto large = folder.write("large", std::string((1 << 20) + 1, '\n'));
    CHECK_THROWS_AS(read_git_config(large), Error);
}

}  // namespace
}  // namespace wheelarch
