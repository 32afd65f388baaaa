// The SHA-256 that Windows has built in, which uses the processor's own instructions where it has them.
#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "base/win32.hpp"

#include <bcrypt.h>

namespace wheelarch {
namespace {

void check(NTSTATUS status) {
    if (status < 0) {
        throw unchecked(
            fmt::format("Windows cannot compute a SHA-256 (status {:#010x})", static_cast<unsigned>(status)),
            "see whether bcrypt.dll works on this machine");
    }
}

BCRYPT_ALG_HANDLE algorithm() {
    static const BCRYPT_ALG_HANDLE handle = [] {
        BCRYPT_ALG_HANDLE opened = nullptr;
        check(::BCryptOpenAlgorithmProvider(&opened, BCRYPT_SHA256_ALGORITHM, nullptr, 0));
        return opened;
    }();
    return handle;
}

}  // namespace

struct Sha256::Context {
    Context() { check(::BCryptCreateHash(algorithm(), &hash, nullptr, 0, nullptr, 0, 0)); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context() { ::BCryptDestroyHash(hash); }
    BCRYPT_HASH_HANDLE hash = nullptr;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {}

Sha256::~Sha256() = default;

void Sha256::add(ByteView bytes) {
    constexpr std::uint64_t kPiece = std::uint64_t{1} << 30U;
    for (std::uint64_t at = 0; at < bytes.size(); at += kPiece) {
        const ByteView piece = bytes.clipped(at, kPiece);
        check(::BCryptHashData(context_->hash, const_cast<unsigned char*>(piece.data()),
                               static_cast<ULONG>(piece.size()), 0));
    }
}

Sha256Digest Sha256::finish() {
    Sha256Digest digest = {};
    check(::BCryptFinishHash(context_->hash, digest.data(), static_cast<ULONG>(digest.size()), 0));
    context_ = std::make_unique<Context>();
    return digest;
}

}  // namespace wheelarch
