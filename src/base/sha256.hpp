// SHA-256: in lowercase hex as reports spell it, and in RECORD's base64.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_view.hpp"

namespace wheelarch {

using Sha256Digest = std::array<unsigned char, 32>;

// Hashes what comes in pieces.
class Sha256 {
public:
    Sha256();
    ~Sha256();

    void add(ByteView bytes);
    // Of all that was added; the object starts anew.
    Sha256Digest finish();

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

Sha256Digest sha256_of(std::string_view bytes);

// Lowercase hex, and the URL-safe base64 without padding in which RECORD has it (RFC 4648, section 5).
std::string to_hex(const Sha256Digest& digest);
std::string to_base64url(const Sha256Digest& digest);
// Nothing if `text` is not the one spelling of a digest; trailing `=` are let pass, since some writers pad.
std::optional<Sha256Digest> digest_from_hex(std::string_view text);
std::optional<Sha256Digest> digest_from_base64url(std::string_view text);

// Of a file's content, in lowercase hex. Memory does not grow with the file.
std::string sha256_hex(const std::filesystem::path& path);

}  // namespace wheelarch
