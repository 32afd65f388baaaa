#include "ledger/git_address.hpp"

#include <string>

#include <doctest/doctest.h>

#include "base/setting.hpp"

namespace wheelarch {
namespace {

std::string text_of(std::string_view url) {
    const GitAddress address = parse_git_address(url);
    static constexpr std::string_view kKinds[] = {"https", "http", "ssh", "folder", "other"};
    return std::string(kKinds[static_cast<std::size_t>(address.kind)]) + " " + address.host + " " + address.port;
}

TEST_CASE("an address of git tells who is asked, and how") {
    CHECK(text_of("https://me:secret@GitHub.com/o/n") == "https github.com ");
    CHECK(text_of("https://github.com:443/o/n") == "https github.com ");
    CHECK(text_of("https://ghes.example.org:8443") == "https ghes.example.org 8443");
    CHECK(text_of("http://[::1]:81/x") == "http [::1] 81");
    CHECK(text_of("https://example.org\\@github.com/") == "https example.org ");
    CHECK(text_of("https://example.org?@github.com/") == "https example.org ");
    CHECK(text_of("ssh://git@github.com:22/o/n") == "ssh github.com ");
    CHECK(text_of("git@github.com:o/n") == "ssh github.com ");
    CHECK(text_of("github.com:o/n") == "ssh github.com ");
    CHECK(text_of("file:///srv/x") == "folder  ");
    CHECK(text_of("/srv/x:y") == "folder  ");
    CHECK(text_of("../x") == "folder  ");
    for (const char* other :
         {"ext::sh -c x", "git://example.org/x", "a-b::c", "https::https://example.org/", "ftp://example.org/x",
          "HTTPS://example.org/x", "-oProxyCommand=x", "", "git-remote.x+y::z", "::x", "git+ssh://example.org/x"}) {
        CHECK_MESSAGE(text_of(other) == "other  ", other);
    }
}

TEST_CASE("a token goes to the server that was asked for, by https") {
    const Setting none("GITHUB_SERVER_URL", "");
    CHECK(token_rule("https://github.com/o/n", "https://github.com/o/n") == TokenRule::sent);
    CHECK(token_rule("git@github.com:o/n", "https://github.com/o/n") == TokenRule::sent);
    CHECK(token_rule("http://github.com/o/n", "https://github.com/o/n") == TokenRule::sent);
    CHECK(token_rule("https://github.com/o/n", "git@github.com:o/n") == TokenRule::no_web);
    CHECK(token_rule("https://github.com/o/n", "https://mirror.example.org/o/n") == TokenRule::other_server);
    CHECK(token_rule("https://github.com/o/n", "https://github.com:8443/o/n") == TokenRule::other_server);
    CHECK(token_rule("https://github.com/o/n", "http://github.com/o/n") == TokenRule::other_server);
    CHECK(token_rule("o", "https://github.com/o/n") == TokenRule::other_server);
    CHECK(token_rule("http://ghes.example.org/o", "http://ghes.example.org/o") == TokenRule::in_clear);
}

TEST_CASE("by http only if the workflow reaches its server so") {
    const Setting server("GITHUB_SERVER_URL", "http://ghes.example.org:81");
    CHECK(token_rule("http://ghes.example.org:81/o", "http://ghes.example.org:81/o") == TokenRule::sent);
    CHECK(token_rule("http://ghes.example.org/o", "http://ghes.example.org/o") == TokenRule::in_clear);
    CHECK(token_rule("http://other.example.org:81/o", "http://other.example.org:81/o") == TokenRule::in_clear);
}

TEST_CASE("the user is taken out of a URL") {
    CHECK(without_user("https://a:b@example.org/x@y") == "https://example.org/x@y");
    CHECK(without_user("https://a@b@example.org?q") == "https://example.org?q");
    CHECK(without_user("https://example.org/@x") == "https://example.org/@x");
    CHECK(without_user("git@example.org:x") == "git@example.org:x");
    CHECK(without_user("https://") == "https://");
    CHECK(without_user("") == "");
}

}  // namespace
}  // namespace wheelarch
