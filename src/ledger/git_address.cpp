#include "ledger/git_address.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

// Splits `user@host:port`; `[::1]:80` too.
GitAddress with_host(GitAddress::Kind kind, std::string_view authority, std::string_view usual_port) {
    authority.remove_prefix(authority.rfind('@') == std::string_view::npos ? 0 : authority.rfind('@') + 1);
    const std::size_t from = authority.starts_with('[') ? std::min(authority.find(']'), authority.size()) : 0;
    const std::size_t colon = std::min(authority.find(':', from), authority.size());
    const std::string_view port = authority.substr(std::min(colon + 1, authority.size()));
    return {kind, lower_case(authority.substr(0, colon)), std::string(port == usual_port ? "" : port)};
}

// `name::address` calls the program git-remote-name.
bool names_helper(std::string_view url) {
    const std::size_t end = url.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+.-");
    return end != std::string_view::npos && url.substr(end).starts_with("::");
}

}  // namespace

GitAddress parse_git_address(std::string_view url) {
    using Kind = GitAddress::Kind;
    if (url.empty() || url.front() == '-' || names_helper(url)) {
        return {};
    }
    const std::size_t mark = url.find("://");
    if (mark != std::string_view::npos) {
        const std::string_view scheme = url.substr(0, mark);
        const std::string_view rest = url.substr(mark + 3);
        const std::string_view authority = rest.substr(0, rest.find_first_of("/?#\\"));
        return scheme == "https"  ? with_host(Kind::https, authority, "443")
               : scheme == "http" ? with_host(Kind::http, authority, "80")
               : scheme == "ssh"  ? with_host(Kind::ssh, authority, "22")
               : scheme == "file" ? GitAddress{.kind = Kind::folder}
                                  : GitAddress{};
    }
    const std::size_t colon = url.find(':');
#ifdef _WIN32
    const bool is_path = colon == 1 || url.find_first_of("/\\") < colon;  // `C:` is a drive
#else
    const bool is_path = url.find('/') < colon;
#endif
    if (colon == std::string_view::npos || is_path) {
        return {.kind = Kind::folder};
    }
    return with_host(Kind::ssh, url.substr(0, colon), "");
}

bool is_same_server(const GitAddress& a, const GitAddress& b) {
    const bool by_one_door = !(a.is_web() && b.is_web()) || (a.kind == b.kind && a.port == b.port);
    return !a.host.empty() && a.host == b.host && by_one_door;
}

TokenRule token_rule(std::string_view asked, std::string_view used) {
    const GitAddress to = parse_git_address(used);
    if (!to.is_web()) {
        return TokenRule::no_web;
    }
    // From http to https of one server: nothing is lost.
    GitAddress from = parse_git_address(asked);
    if (from.kind == GitAddress::Kind::http && to.kind == GitAddress::Kind::https && from.port.empty()) {
        from.kind = to.kind;
    }
    if (!is_same_server(from, to)) {
        return TokenRule::other_server;
    }
    const bool is_safe =
        to.kind == GitAddress::Kind::https || is_same_server(to, parse_git_address(environment("GITHUB_SERVER_URL")));
    return is_safe ? TokenRule::sent : TokenRule::in_clear;
}

std::string without_user(std::string_view url) {
    const std::size_t scheme = url.find("://");
    if (scheme == std::string_view::npos) {
        return std::string(url);
    }
    const std::size_t host = scheme + 3;
    const std::size_t end = std::min(url.find_first_of("/?#", host), url.size());
    const std::size_t at = url.substr(0, end).rfind('@');
    if (at == std::string_view::npos || at < host) {
        return std::string(url);
    }
    return fmt::format("{}{}", url.substr(0, host), url.substr(at + 1));
}

}  // namespace wheelarch
