// Payload: the bytes of a fatbin entry after decompression. Kind and arch never need it; whether an image holds code
// does.
#pragma once

#include <string>

#include "binary/fatbin.hpp"

namespace wheelarch {

// No real image comes near it; what claims more is not opened.
inline constexpr std::uint64_t kMaxOpenedImage = std::uint64_t{512} << 20;

// The payload of an entry. `buffer` holds the bytes where they had to be decompressed, and must outlive the view.
// Throws an Error if the payload is obfuscated, damaged, of an unknown compression, or too large.
ByteView open_payload(const FatbinEntry& entry, std::string& buffer);

}  // namespace wheelarch
