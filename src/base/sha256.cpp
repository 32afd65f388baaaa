#include "base/sha256.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include "base/mapped_file.hpp"

namespace wheelarch {

std::string sha256_hex(const std::filesystem::path& path) {
    constexpr std::uint64_t kPiece = std::uint64_t{8} << 20;
    CRYPTO_library_init();  // finds out whether the processor has SHA instructions
    const MappedFile file(path);
    const ByteView bytes = file.view();
    SHA256_CTX context;
    SHA256_Init(&context);
    for (std::uint64_t at = 0; at < bytes.size(); at += kPiece) {
        const ByteView piece = bytes.clipped(at, kPiece);
        SHA256_Update(&context, piece.data(), static_cast<std::size_t>(piece.size()));
        release_pages(piece);
    }
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest = {};
    SHA256_Final(digest.data(), &context);
    std::string hex;
    for (const unsigned char byte : digest) {
        hex += fmt::format("{:02x}", byte);
    }
    return hex;
}

}  // namespace wheelarch
