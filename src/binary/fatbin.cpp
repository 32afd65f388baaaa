#include "binary/fatbin.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

constexpr std::uint32_t kMagic = 0xBA55ED50;
constexpr std::uint64_t kRegionHeader = 0x10;
constexpr std::uint64_t kEntryHeader = 0x40;  // the least; names and options may follow
constexpr std::uint64_t kWord = 8;            // what linkers pad with, and clang's single NUL is shorter

constexpr std::uint64_t kFlagDebug = 0x2;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagObfuscated = 0x10000;
constexpr std::uint64_t kFlagSuffixA = 0x100000;
constexpr std::uint64_t kFlagSuffixF = 0x200000;

// A device has no SM number of five digits; what claims one is no entry header.
constexpr std::uint32_t kMaxArch = 9999;

constexpr const char* kDamaged =
    "the file is damaged or of a layout not known yet: compare with cuobjdump, and report it";

ImageKind image_kind(std::uint16_t raw_kind) {
    switch (raw_kind) {
        case 1: return ImageKind::ptx;
        case 2:
        case 0x10:  // "alternate ELF": cuobjdump lists it as ELF
            return ImageKind::sass;
        case 8: return ImageKind::lto_ir;
        default: return ImageKind::other;
    }
}

Compression compression(std::uint64_t compressed_size, std::uint64_t flags) {
    if (compressed_size == 0) {
        return Compression::none;
    }
    return (flags & kFlagZstd) != 0  ? Compression::zstd
           : (flags & kFlagLz4) != 0 ? Compression::lz4
                                     : Compression::unknown;
}

Arch arch_of(ByteView header, ImageKind kind, std::uint64_t flags) {
    const std::uint32_t number = header.u32(0x1c, "the SM number");
    const bool names_arch = kind == ImageKind::sass || kind == ImageKind::ptx;
    if (names_arch && (number < 10 || number > kMaxArch)) {
        throw unchecked(fmt::format("an entry's SM number is {}", number), kDamaged).at(header.origin() + 0x1c);
    }
    if ((flags & kFlagSuffixA) != 0 && (flags & kFlagSuffixF) != 0) {
        throw unchecked(fmt::format("an entry for {} has the flags of suffix a and of suffix f", number), kDamaged)
            .at(header.origin() + 0x28);
    }
    const char suffix = (flags & kFlagSuffixA) != 0 ? 'a' : (flags & kFlagSuffixF) != 0 ? 'f' : '\0';
    return {number, suffix};
}

// Reads the entry at the front of `entries` and takes it off.
FatbinEntry take_entry(ByteView& entries) {
    const ByteView header = entries.slice(0, kEntryHeader, "a fatbin entry header");
    const std::uint64_t header_size = header.u32(0x04, "an entry's header size");
    const std::uint64_t padded_size = header.u64(0x08, "an entry's payload size");
    const std::uint64_t compressed_size = header.u32(0x10, "an entry's compressed size");
    const std::uint64_t flags = header.u64(0x28, "an entry's flags");
    if (header_size < kEntryHeader) {
        throw unchecked(
            fmt::format("an entry's header size is {:#x}, expected at least {:#x}", header_size, kEntryHeader),
            kDamaged)
            .at(header.origin() + 0x04);
    }
    if (compressed_size > padded_size) {
        throw unchecked(
            fmt::format("an entry has {} compressed bytes in a payload of {}", compressed_size, padded_size), kDamaged)
            .at(header.origin() + 0x10);
    }
    const ByteView stored = entries.from(header_size, "a fatbin entry").slice(0, padded_size, "a fatbin payload");

    FatbinEntry entry;
    entry.raw_kind = header.u16(0x00, "an entry's kind");
    entry.kind = image_kind(entry.raw_kind);
    entry.arch = arch_of(header, entry.kind, flags);
    entry.version_minor = header.u16(0x18, "an entry's minor version");
    entry.version_major = header.u16(0x1a, "an entry's major version");
    entry.compression = compression(compressed_size, flags);
    entry.obfuscated = (flags & kFlagObfuscated) != 0;
    entry.debug = (flags & kFlagDebug) != 0;
    entry.size = compressed_size == 0 ? padded_size : header.u64(0x38, "an entry's uncompressed size");
    entry.payload = stored.slice(0, compressed_size == 0 ? padded_size : compressed_size, "a fatbin payload");

    entries = entries.from(header_size + padded_size, "a fatbin entry");
    return entry;
}

// Reads the region at the front of `rest` and takes it off.
FatbinRegion take_region(ByteView& rest) {
    const ByteView header = rest.slice(0, kRegionHeader, "a fatbin region header");
    const std::uint64_t version = header.u16(0x04, "a region's version");
    const std::uint64_t header_size = header.u16(0x06, "a region's header size");
    const std::uint64_t size = header.u64(0x08, "a region's size");
    if (version != 1 && version != 2) {
        throw unchecked(fmt::format("a fatbin region of version {}, expected 1", version), kDamaged)
            .at(header.origin() + 0x04);
    }
    if (header_size != kRegionHeader) {
        throw unchecked(fmt::format("a region's header size is {:#x}, expected {:#x}", header_size, kRegionHeader),
                        kDamaged)
            .at(header.origin() + 0x06);
    }
    ByteView entries = rest.from(kRegionHeader, "a fatbin region").slice(0, size, "a fatbin region");

    FatbinRegion region;
    region.offset = header.origin();
    region.end = entries.origin() + size;
    while (!entries.empty()) {
        region.entries.push_back(take_entry(entries));
    }
    rest = rest.from(kRegionHeader + size, "a fatbin region");
    return region;
}

}  // namespace

bool is_fatbin(ByteView file) noexcept {
    return file.size() >= 4 && file.u32(0, "magic") == kMagic;
}

void for_each_region(ByteView section, const std::function<void(const FatbinRegion&)>& visit,
                     const std::function<void(std::uint64_t)>& reached) {
    constexpr std::uint64_t kStep = 1 << 20;  // of padding, which a hostile file may have gigabytes of
    ByteView rest = section;
    std::uint64_t told = 0;
    while (rest.size() >= kWord) {
        if (rest.u64(0, "padding") == 0) {
            rest = rest.from(kWord, "padding");
        } else if (rest.u32(0, "a region's magic") == kMagic) {
            visit(take_region(rest));
        } else {
            throw unchecked(fmt::format("expected a fatbin region (magic {:#x}) or zero padding, found {:#x}", kMagic,
                                        rest.u32(0, "a region's magic")),
                            kDamaged)
                .at(rest.origin());
        }
        if (section.size() - rest.size() - told >= kStep) {
            told = section.size() - rest.size();
            reached(told);
        }
    }
}

}  // namespace wheelarch
