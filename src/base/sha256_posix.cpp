// The SHA-256 of AWS-LC.
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include "base/sha256.hpp"

namespace wheelarch {

struct Sha256::Context {
    SHA256_CTX value;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
    CRYPTO_library_init();  // finds out whether the processor has SHA instructions
    SHA256_Init(&context_->value);
}

Sha256::~Sha256() = default;

void Sha256::add(ByteView bytes) {
    SHA256_Update(&context_->value, bytes.data(), static_cast<std::size_t>(bytes.size()));
}

Sha256Digest Sha256::finish() {
    Sha256Digest digest = {};
    SHA256_Final(digest.data(), &context_->value);
    SHA256_Init(&context_->value);
    return digest;
}

}  // namespace wheelarch
