#include "base/sha256.hpp"

#include <doctest/doctest.h>

#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

// FIPS 180-2, appendix B; the base64 by `openssl dgst -binary | base64`.
constexpr char kAbcHex[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr char kAbcBase64[] = "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0";

TEST_CASE("a digest in its two spellings") {
    const Sha256Digest digest = sha256_of("abc");
    CHECK(to_hex(digest) == kAbcHex);
    CHECK(to_base64url(digest) == kAbcBase64);
    CHECK(digest_from_hex(kAbcHex) == digest);
    CHECK(digest_from_base64url(kAbcBase64) == digest);
    CHECK(digest_from_base64url(std::string(kAbcBase64) + "=") == digest);
}

TEST_CASE("pieces give the hash of the whole, and a hasher can be used again") {
    Sha256 hash;
    hash.add(ByteView(std::string_view("a")));
    hash.add({});
    hash.add(ByteView(std::string_view("bc")));
    CHECK(to_hex(hash.finish()) == kAbcHex);
    CHECK(to_hex(hash.finish()) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("what is no digest") {
    const std::string hex = kAbcHex;
    CHECK(!digest_from_hex(""));
    CHECK(!digest_from_hex(hex.substr(1)));
    CHECK(!digest_from_hex(hex + "0"));
    CHECK(!digest_from_hex(hex + "00"));
    CHECK(!digest_from_hex("BA" + hex.substr(2)));
    const std::string base64 = kAbcBase64;
    CHECK(!digest_from_base64url(""));
    CHECK(!digest_from_base64url("="));
    CHECK(!digest_from_base64url(base64.substr(1)));
    CHECK(!digest_from_base64url(base64 + "A"));
    CHECK(!digest_from_base64url("/" + base64.substr(1)));                     // of the other alphabet
    CHECK(!digest_from_base64url(base64.substr(0, base64.size() - 1) + "1"));  // bits after the last byte
}

TEST_CASE("every digest survives both spellings") {
    Sha256Digest digest = {};
    for (std::size_t i = 0; i < digest.size() * 8; ++i) {
        digest[i / 8] = static_cast<unsigned char>(digest[i / 8] ^ 1U << i % 8);
        CHECK(digest_from_hex(to_hex(digest)) == digest);
        CHECK(digest_from_base64url(to_base64url(digest)) == digest);
    }
}

TEST_CASE("the hash of a file") {
    const TemporaryFolder folder;
    CHECK(sha256_hex(folder.write("abc", "abc")) == kAbcHex);
}

}  // namespace
}  // namespace wheelarch
