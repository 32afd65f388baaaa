#include "binary/payload.hpp"

#include <limits>

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

// One LZ4 block without a frame; its sizes stand in the entry header.
bool inflate_lz4(ByteView stored, std::string& out) {
    if (stored.size() > std::numeric_limits<int>::max()) {
        return false;
    }
    const int size = LZ4_decompress_safe(reinterpret_cast<const char*>(stored.data()), out.data(),
                                         static_cast<int>(stored.size()), static_cast<int>(out.size()));
    return size >= 0 && static_cast<std::size_t>(size) == out.size();
}

bool inflate_zstd(ByteView stored, std::string& out) {
    const std::size_t size = ZSTD_decompress(out.data(), out.size(), stored.data(), static_cast<std::size_t>(stored.size()));
    return ZSTD_isError(size) == 0 && size == out.size();
}

}  // namespace

ByteView open_payload(const FatbinEntry& entry, std::string& buffer) {
    if (entry.obfuscated || entry.compression == Compression::unknown) {
        throw unchecked("an image is stored in a way that is not known, so whether it holds code cannot be told",
                        "check the file with cuobjdump, and report it")
            .at(entry.payload.origin());
    }
    if (entry.compression == Compression::none) {
        return entry.payload;
    }
    if (entry.size > kMaxOpenedImage) {
        throw unchecked(fmt::format("an image claims {} bytes after decompression; at most {} are opened", entry.size,
                                    kMaxOpenedImage))
            .at(entry.payload.origin());
    }
    buffer.resize(static_cast<std::size_t>(entry.size));
    const bool whole = entry.compression == Compression::zstd ? inflate_zstd(entry.payload, buffer)
                                                              : inflate_lz4(entry.payload, buffer);
    if (!whole) {
        throw unchecked(fmt::format("an image for {} does not decompress to its {} bytes", bare_name(entry.arch), entry.size),
                        "the file is damaged: build or download it again")
            .at(entry.payload.origin());
    }
    return {buffer.data(), buffer.size(), 0};
}

}  // namespace wheelarch
