// Payload: the bytes of a fatbin entry after decompression. Kind and arch never need it; whether an image holds code
// does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "binary/fatbin.hpp"

namespace wheelarch {

// No real image comes near it; what claims more is not opened.
inline constexpr std::uint64_t kMaxOpenedImage = std::uint64_t{512} << 20;

// Can the stored bytes give the size that the entry's header claims? A bound that needs no unpacking; throws an Error
// if not.
void check_size(const FatbinEntry& entry);

// Opens payloads one after the other; what it returns lives until the next call. It keeps its memory between calls,
// since a library has thousands of small images.
class PayloadReader {
public:
    PayloadReader();
    PayloadReader(const PayloadReader&) = delete;
    PayloadReader& operator=(const PayloadReader&) = delete;
    ~PayloadReader();

    // The whole payload. Throws an Error if it is obfuscated, damaged, of an unknown compression, or too large.
    ByteView open(const FatbinEntry& entry);

    // Its first `size` bytes, or a few less; all there are if it is shorter. Damage further on is not seen.
    ByteView open_head(const FatbinEntry& entry, std::uint64_t size);

private:
    struct Zstd;

    bool inflate(const FatbinEntry& entry);
    bool inflate_head(const FatbinEntry& entry);

    std::unique_ptr<Zstd> zstd_;
    std::string buffer_;
};

}  // namespace wheelarch
