#include "ledger/git_handles.hpp"

#include <array>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelarch {

void check_git(int code, std::string_view doing, const char* fix) {
    if (code < 0) {
        const git_error* error = git_error_last();
        const std::string reason =
            error == nullptr || error->message == nullptr ? "no reason given" : printable(error->message);
        throw unchecked(fmt::format("cannot {}: {}", doing, reason), fix);
    }
}

git_oid oid_of(const GitId& id) {
    git_oid oid = {};
    if (id.size() != GIT_OID_SHA1_HEXSIZE || git_oid_fromstr(&oid, id.c_str()) < 0) {
        throw unchecked(fmt::format("'{}' is no object id of git: expected 40 hex digits", printable(id)), kSeeFsck);
    }
    return oid;
}

GitId id_of(const git_oid& oid) {
    std::array<char, GIT_OID_SHA1_HEXSIZE> hex = {};
    git_oid_fmt(hex.data(), &oid);
    return {hex.data(), hex.size()};
}

}  // namespace wheelarch
