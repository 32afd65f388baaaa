// Addresses of git repositories, as far as it matters who is asked.
#pragma once

#include <string>
#include <string_view>

namespace wheelarch {

struct GitAddress {
    enum class Kind {
        https,
        http,
        ssh,     // `ssh://…`, or `user@host:path`
        folder,  // a path, or `file://…`
        other,   // `ext::…`, `git://…`, a remote helper
    };
    Kind kind = Kind::other;
    std::string host = {};  // in lower case, without user and port; empty for folders
    std::string port = {};  // empty if it is the usual one of its kind

    bool is_web() const noexcept { return kind == Kind::https || kind == Kind::http; }
};

// As git takes it (its connect.c and transport.c).
GitAddress parse_git_address(std::string_view url);

// Do both lead to the same server? For two of the web, by the same door.
bool is_same_server(const GitAddress& a, const GitAddress& b);

// May a token go to `used`, which git makes of `asked` by `insteadOf`? Only to the server that was asked for, and only
// by https: by http if that is how the workflow itself reaches its server (GITHUB_SERVER_URL).
enum class TokenRule { sent, no_web, other_server, in_clear };
TokenRule token_rule(std::string_view asked, std::string_view used);

// `https://user:password@host/x` without the part before the `@`.
std::string without_user(std::string_view url);

}  // namespace wheelarch
