#include "base/sha256.hpp"

#include <cstdint>

#include "base/mapped_file.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Digits of `width` bits each, the highest first; the last one is filled up with zeros.
std::string to_digits(const Sha256Digest& digest, std::string_view digits, unsigned width) {
    std::string text;
    unsigned pending = 0;
    unsigned bits = 0;
    for (const unsigned char byte : digest) {
        pending = pending << 8U | byte;
        for (bits += 8; bits >= width; bits -= width) {
            text += digits[pending >> (bits - width) & ((1U << width) - 1)];
        }
        pending &= (1U << bits) - 1;
    }
    if (bits > 0) {
        text += digits[pending << (width - bits)];
    }
    return text;
}

std::optional<Sha256Digest> from_digits(std::string_view text, std::string_view digits, unsigned width) {
    Sha256Digest digest = {};
    unsigned pending = 0;
    unsigned bits = 0;
    std::size_t size = 0;
    for (const char digit : text) {
        const std::size_t value = digits.find(digit);
        if (value == std::string_view::npos) {
            return std::nullopt;
        }
        pending = pending << width | static_cast<unsigned>(value);
        bits += width;
        if (bits >= 8 && size < digest.size()) {
            bits -= 8;
            digest[size++] = static_cast<unsigned char>(pending >> bits);
            pending &= (1U << bits) - 1;
        }
        if (bits >= 8) {
            return std::nullopt;  // longer than a digest
        }
    }
    const bool whole = size == digest.size() && bits < width && pending == 0;
    return whole ? std::optional(digest) : std::nullopt;
}

}  // namespace

Sha256Digest sha256_of(std::string_view bytes) {
    Sha256 hash;
    hash.add(ByteView(bytes));
    return hash.finish();
}

std::string to_hex(const Sha256Digest& digest) {
    return to_digits(digest, kHexDigits, 4);
}

std::string to_base64url(const Sha256Digest& digest) {
    return to_digits(digest, kBase64Digits, 6);
}

std::optional<Sha256Digest> digest_from_hex(std::string_view text) {
    return from_digits(text, kHexDigits, 4);
}

std::optional<Sha256Digest> digest_from_base64url(std::string_view text) {
    return from_digits(text.substr(0, text.find_last_not_of('=') + 1), kBase64Digits, 6);
}

std::string sha256_hex(const std::filesystem::path& path) {
    constexpr std::uint64_t kPiece = std::uint64_t{8} << 20;
    const MappedFile file(path);
    const ByteView bytes = file.view();
    Sha256 hash;
    for (std::uint64_t at = 0; at < bytes.size(); at += kPiece) {
        const ByteView piece = bytes.clipped(at, kPiece);
        hash.add(piece);
        release_pages(piece);
    }
    return to_hex(hash.finish());
}

}  // namespace wheelarch
