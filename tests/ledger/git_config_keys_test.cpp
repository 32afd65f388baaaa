#include "ledger/git_config_keys.hpp"

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

// Of `git help --config` in 2.39, and of the documentation of 2.55.
constexpr const char* kDocumented[] = {
#include "git_config_keys.inc"
};

TEST_CASE("every key that git documents is classified") {
    std::size_t count = 0;
    for (std::string key : kDocumented) {
        // `section.*` stands for keys that are listed one by one, or that only others define.
        if (key.ends_with(".*") && key != "alias.*") {
            continue;
        }
        std::replace(key.begin(), key.end(), '<', 'x');
        std::replace(key.begin(), key.end(), '>', 'x');
        CHECK_MESSAGE(git_key_power(key) != GitKeyPower::unknown, key);
        ++count;
    }
    CHECK(count > 950);
}

TEST_CASE("keys with power have it however they are spelled") {
    CHECK(git_key_power("core.sshCommand") == GitKeyPower::by_shape);
    CHECK(git_key_power("CORE.PAGER") == GitKeyPower::runs);
    CHECK(git_key_power("diff.a.b.textconv") == GitKeyPower::runs);
    CHECK(git_key_power("diff.context") == GitKeyPower::none);
    CHECK(git_key_power("filter.a.clean") == GitKeyPower::runs);
    CHECK(git_key_power("filter.a.process") == GitKeyPower::runs);
    CHECK(git_key_power("http.proxy") == GitKeyPower::moves);
    CHECK(git_key_power("http.extraheader") == GitKeyPower::moves);
    CHECK(git_key_power("http.https://example.org/.proxy") == GitKeyPower::moves);
    CHECK(git_key_power("http.https://example.org/.extraheader") == GitKeyPower::by_shape);
    CHECK(git_key_power("remote.url.uploadpack") == GitKeyPower::runs);
    CHECK(git_key_power("credential.https://x.helper") == GitKeyPower::runs);
    CHECK(git_key_power("url.x.pushinsteadof") == GitKeyPower::moves);
    CHECK(git_key_power("tar.x.command") == GitKeyPower::runs);
}

TEST_CASE("a key that no documentation has is unknown") {
    for (const char* key : {"core.new", "http2.x", "remote.x.new", "extensions.new", "x", "", ".", "a.b.c", "core",
                            "core.x.pager2", "transfer.new", "fetch.new"}) {
        CHECK_MESSAGE(git_key_power(key) == GitKeyPower::unknown, key);
    }
}

}  // namespace
}  // namespace wheelarch
