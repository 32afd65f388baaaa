#include "binary/payload.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

constexpr const char* kDamaged = "the file is damaged: build or download it again";

bool fits_lz4(ByteView stored, const std::string& out) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
    return stored.size() <= kMost && out.size() <= kMost;
}

// One LZ4 block without a frame; its sizes stand in the entry header.
bool inflate_lz4(ByteView stored, std::string& out) {
    if (!fits_lz4(stored, out)) {
        return false;
    }
    const int size = LZ4_decompress_safe(reinterpret_cast<const char*>(stored.data()), out.data(),
                                         static_cast<int>(stored.size()), static_cast<int>(out.size()));
    return size >= 0 && static_cast<std::size_t>(size) == out.size();
}

bool inflate_lz4_head(ByteView stored, std::string& out) {
    if (!fits_lz4(stored, out)) {
        return false;
    }
    const int room = static_cast<int>(out.size());
    const int size = LZ4_decompress_safe_partial(reinterpret_cast<const char*>(stored.data()), out.data(),
                                                 static_cast<int>(stored.size()), room, room);
    out.resize(static_cast<std::size_t>(std::max(size, 0)));
    return size >= 0;
}

void check_known(const FatbinEntry& entry) {
    if (entry.obfuscated || entry.compression == Compression::unknown) {
        throw unchecked("an image is stored in a way that is not known, so whether it holds code cannot be told",
                        "check the file with cuobjdump, and report it")
            .at(entry.payload.origin());
    }
}

Error damaged(const FatbinEntry& entry) {
    return unchecked(
               fmt::format("an image for {} does not decompress to its {} bytes", bare_name(entry.arch), entry.size),
               kDamaged)
        .at(entry.payload.origin());
}

// Can the stored bytes give what the header claims? Asked before memory is taken for it.
bool is_plausible(const FatbinEntry& entry) {
    if (entry.compression == Compression::lz4) {
        constexpr std::uint64_t kMostRatio = 255;  // of the LZ4 block format
        return entry.size / kMostRatio <= entry.payload.size();
    }
    constexpr std::uint64_t kMostRatio = (128 << 10) / 4;  // a block of 4 bytes in zstd's format gives at most 128 KiB
    const unsigned long long told =
        ZSTD_getFrameContentSize(entry.payload.data(), static_cast<std::size_t>(entry.payload.size()));
    return told == entry.size || (told == ZSTD_CONTENTSIZE_UNKNOWN && entry.size / kMostRatio <= entry.payload.size());
}

}  // namespace

void check_size(const FatbinEntry& entry) {
    const bool is_known = entry.compression == Compression::lz4 || entry.compression == Compression::zstd;
    if (is_known && !entry.obfuscated && !is_plausible(entry)) {
        throw unchecked(
            fmt::format("an image for {} claims {} bytes once it is decompressed, which its {} bytes cannot "
                        "give",
                        bare_name(entry.arch), entry.size, entry.payload.size()),
            kDamaged)
            .at(entry.payload.origin());
    }
}

struct PayloadReader::Zstd {
    ZSTD_DCtx* context = ZSTD_createDCtx();
    Zstd() = default;
    Zstd(const Zstd&) = delete;
    Zstd& operator=(const Zstd&) = delete;
    ~Zstd() { ZSTD_freeDCtx(context); }
};

PayloadReader::PayloadReader() : zstd_(std::make_unique<Zstd>()) {}
PayloadReader::~PayloadReader() = default;

bool PayloadReader::inflate(const FatbinEntry& entry) {
    if (entry.compression == Compression::lz4) {
        return inflate_lz4(entry.payload, buffer_);
    }
    const std::size_t size = ZSTD_decompressDCtx(zstd_->context, buffer_.data(), buffer_.size(), entry.payload.data(),
                                                 static_cast<std::size_t>(entry.payload.size()));
    return ZSTD_isError(size) == 0 && size == buffer_.size();
}

bool PayloadReader::inflate_head(const FatbinEntry& entry) {
    if (entry.compression == Compression::lz4) {
        return inflate_lz4_head(entry.payload, buffer_);
    }
    ZSTD_DCtx_reset(zstd_->context, ZSTD_reset_session_only);
    ZSTD_inBuffer in = {entry.payload.data(), static_cast<std::size_t>(entry.payload.size()), 0};
    ZSTD_outBuffer out = {buffer_.data(), buffer_.size(), 0};
    while (out.pos < out.size) {
        const std::size_t before = out.pos + in.pos;
        const std::size_t left = ZSTD_decompressStream(zstd_->context, &out, &in);
        if (ZSTD_isError(left) != 0) {
            return false;
        }
        if (left == 0 || out.pos + in.pos == before) {
            break;
        }
    }
    buffer_.resize(out.pos);
    return true;
}

ByteView PayloadReader::open(const FatbinEntry& entry) {
    check_known(entry);
    if (entry.compression == Compression::none) {
        return entry.payload;
    }
    if (entry.size > kMaxOpenedImage) {
        throw unchecked(fmt::format("an image claims {} bytes after decompression; at most {} are opened", entry.size,
                                    kMaxOpenedImage),
                        kDamaged)
            .at(entry.payload.origin());
    }
    if (!is_plausible(entry)) {
        throw damaged(entry);
    }
    buffer_.resize(static_cast<std::size_t>(entry.size));
    if (!inflate(entry)) {
        throw damaged(entry);
    }
    return {buffer_.data(), buffer_.size(), 0};
}

ByteView PayloadReader::open_head(const FatbinEntry& entry, std::uint64_t size) {
    check_known(entry);
    if (entry.compression == Compression::none) {
        return entry.payload.clipped(0, size);
    }
    buffer_.resize(static_cast<std::size_t>(std::min(size, entry.size)));
    if (!inflate_head(entry)) {
        throw damaged(entry);
    }
    return {buffer_.data(), buffer_.size(), 0};
}

}  // namespace wheelarch
