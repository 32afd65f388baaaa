#include "binary/embedded.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "binary/cubin.hpp"
#include "binary/elf.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kBlock = 64;
constexpr std::uint64_t kHeader = 0x50;  // what looks_like() reads at most: a region's header and its first entry's
constexpr std::uint64_t kReleaseStep = std::uint64_t{32} << 20U;
// Entries that are read in vain: beyond all that data can have by chance.
constexpr std::uint64_t kMostWasted = 10'000'000;
constexpr std::string_view kBundle = "__CLANG_OFFLOAD_BUNDLE__";

// Where the first two bytes of a magic stand in a block. Written so that compilers make vector instructions of it.
bool has_magic_pair(const unsigned char* at) {
    unsigned hit = 0;
    for (std::uint64_t i = 0; i < kBlock; ++i) {
        const unsigned a = at[i];
        const unsigned b = at[i + 1];
        hit |= static_cast<unsigned>((a == 0x50) & (b == 0xed)) | static_cast<unsigned>((a == 0x7f) & (b == 'E')) |
               static_cast<unsigned>((a == 'B') & (b == 'C')) | static_cast<unsigned>((a == 'C') & (b == 'C')) |
               static_cast<unsigned>((a == '_') & (b == '_'));
    }
    return hit != 0;
}

bool is_region_head(ByteView data) {
    if (data.size() < kHeader || data.u32(0, "magic") != 0xBA55ED50 || data.u16(4, "version") - 1U > 1 ||
        data.u16(6, "header size") != 0x10) {
        return false;
    }
    const std::uint64_t size = data.u64(8, "size");
    const std::uint64_t header = data.u32(0x14, "header size");
    const std::uint64_t payload = data.u64(0x18, "payload size");
    const std::uint32_t number = data.u32(0x2c, "SM number");
    return size >= 0x40 && header >= 0x40 && header <= size && payload <= size - header && number >= 10 &&
           number <= 9999;
}

bool is_cubin_head(ByteView data) {
    return data.size() >= 0x40 && is_cubin(data) && data.u8(4, "EI_CLASS") == 2 && data.u8(5, "EI_DATA") == 1 &&
           data.u8(6, "EI_VERSION") == 1 && data.u16(0x10, "e_type") - 1U <= 1 && data.u16(0x34, "e_ehsize") == 0x40 &&
           data.u16(0x3a, "e_shentsize") == 0x40 && data.u16(0x3c, "e_shnum") != 0;
}

// `BC C0 DE`, then the head of an identification block, or of a module by an LLVM before 3.9.
bool is_bitcode_head(ByteView data) {
    return data.starts_with(std::string_view("BC\xc0\xde\x35\x14\0\0", 8)) ||
           data.starts_with(std::string_view("BC\xc0\xde\x21\x0c\0\0", 8));
}

// `CCOB`, version 1 to 3, method 0 (zlib) or 1 (zstd), and a size that is not absurd.
bool is_compressed_bundle_head(ByteView data) {
    return data.size() >= 24 && data.starts_with("CCOB") && data.u16(4, "version") - 1U <= 2 &&
           data.u16(6, "method") <= 1 && data.u32(8, "size") >= 24;
}

bool is_bundle_head(ByteView data) {
    if (data.size() < 0x40 || !data.starts_with(kBundle)) {
        return false;
    }
    const std::uint64_t count = data.u64(24, "number of entries");
    return count > 0 && count <= 1000;
}

bool looks_like_code(ByteView data) {
    return is_region_head(data) || is_cubin_head(data) || is_bitcode_head(data) || is_compressed_bundle_head(data) ||
           is_bundle_head(data);
}

class Search {
public:
    explicit Search(ByteView data) : data_(data) {}

    std::optional<Embedded> at(std::uint64_t offset) {
        const ByteView rest = data_.clipped(offset, data_.size());
        if (is_region_head(rest)) {
            return region(rest);
        }
        if (is_cubin_head(rest)) {
            return cubin(rest);
        }
        if (is_bitcode_head(rest)) {
            return Embedded{EmbeddedKind::bitcode, rest.clipped(0, 8)};
        }
        if (is_compressed_bundle_head(rest)) {
            return compressed_bundle(rest);
        }
        return is_bundle_head(rest) ? bundle(rest) : std::nullopt;
    }

private:
    std::optional<Embedded> region(ByteView rest) {
        const std::uint64_t size = 0x10 + rest.u64(8, "size");
        if (size > rest.size()) {
            return std::nullopt;
        }
        const ByteView bytes = rest.clipped(0, size);
        std::uint64_t entries = 0;
        if (holds(bytes, entries)) {
            return Embedded{EmbeddedKind::fatbin, bytes};
        }
        wasted_ += entries + 1;
        if (wasted_ > kMostWasted) {
            throw unchecked("its data is full of what looks like device code and is none",
                            "leave the file out of the wheel, or name it with --exclude");
        }
        return std::nullopt;
    }

    // Do all entries hold? They are walked here without their names, since a mistake in one is no Error.
    static bool holds(ByteView region, std::uint64_t& entries) {
        std::uint64_t at = 0x10;
        for (; at + 0x40 <= region.size(); ++entries) {
            const std::uint64_t header = region.u32(at + 0x04, "header size");
            const std::uint64_t payload = region.u64(at + 0x08, "payload size");
            const std::uint32_t number = region.u32(at + 0x1c, "SM number");
            const std::uint64_t left = region.size() - at;
            if (header < 0x40 || header > left || payload > left - header || number < 10 || number > 9999 ||
                region.u32(at + 0x10, "compressed size") > payload) {
                return false;
            }
            at += header + payload;
        }
        return at == region.size();
    }

    std::optional<Embedded> cubin(ByteView rest) {
        try {
            const std::uint64_t end = end_of_elf(rest);
            const ByteView bytes = rest.clipped(0, end);
            cubin_arch(bytes);
            return Embedded{EmbeddedKind::cubin, bytes};
        } catch (const Error&) {
            wasted_ += 1000;
            return std::nullopt;
        }
    }

    // Past its tables and sections, whichever is last.
    static std::uint64_t end_of_elf(ByteView rest) {
        std::uint64_t end = rest.u64(0x28, "e_shoff") + rest.u16(0x3c, "e_shnum") * std::uint64_t{0x40};
        if (const std::uint64_t segments = rest.u64(0x20, "e_phoff"); segments != 0) {
            end = std::max(end, segments + rest.u16(0x38, "e_phnum") * std::uint64_t{0x38});
        }
        visit_sections(rest, [&](const ElfSection& section) {
            if (!section.bytes.empty()) {
                end = std::max(end, section.bytes.origin() - rest.origin() + section.bytes.size());
            }
            return true;
        });
        return rest.slice(0, end, "a cubin").size();
    }

    static std::optional<Embedded> compressed_bundle(ByteView rest) {
        // Version 2 has the size of all of it at 8; in version 1 the size once it is unpacked stands there.
        const bool has_size = rest.u16(4, "version") > 1;
        const std::uint64_t size = has_size ? rest.u32(8, "size") : 24;
        if (size > rest.size()) {
            return std::nullopt;
        }
        const ByteView body = rest.clipped(rest.u16(4, "version") == 1 ? 20 : 24, 16);
        const bool is_zstd = body.text().find("\x28\xb5\x2f\xfd") != std::string_view::npos;
        const bool is_zlib = body.text().find('\x78') != std::string_view::npos;
        if (!(rest.u16(6, "method") == 1 ? is_zstd : is_zlib)) {
            return std::nullopt;
        }
        return Embedded{EmbeddedKind::amd, rest.clipped(0, size)};
    }

    // Entries of offset, size, length of a target's name, and that name.
    static std::optional<Embedded> bundle(ByteView rest) {
        const std::uint64_t count = rest.u64(24, "number of entries");
        bool is_amd = false;
        std::uint64_t at = 32;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (at + 24 > rest.size()) {
                return std::nullopt;
            }
            const std::uint64_t length = rest.u64(at + 16, "length of a target");
            if (length == 0 || length > 256 || rest.clipped(at + 24, length).size() < length ||
                rest.u64(at, "offset") > rest.size()) {
                return std::nullopt;
            }
            const std::string_view target = rest.clipped(at + 24, length).text();
            is_amd = is_amd || target.starts_with("hip") || target.find("amdgcn") != std::string_view::npos;
            at += 24 + length;
        }
        return is_amd ? std::optional(Embedded{EmbeddedKind::amd, rest.clipped(0, at)}) : std::nullopt;
    }

    ByteView data_;
    std::uint64_t wasted_ = 0;
};

// Calls `visit` with each offset from `from` on at which a magic may begin, until it returns false.
template <typename Visit>
void for_each_pair(ByteView data, std::uint64_t from, const Visit& visit) {
    const unsigned char* bytes = data.data();
    for (std::uint64_t at = from; at + 8 <= data.size();) {
        const std::uint64_t left = data.size() - at;
        if (left > kBlock && !has_magic_pair(bytes + at)) {
            at += kBlock;
            continue;
        }
        const std::uint64_t end = at + std::min(kBlock, left);
        while (at < end) {
            const unsigned char a = bytes[at];
            const bool may_begin = a == 0x50 || a == 0x7f || a == 'B' || a == 'C' || a == '_';
            const std::optional<std::uint64_t> next = may_begin ? visit(at) : std::optional(at + 1);
            if (!next) {
                return;
            }
            at = *next;
        }
    }
}

}  // namespace

void find_embedded(ByteView data, const std::function<void(const Embedded&)>& visit,
                   const std::function<void(ByteView)>& done) {
    Search search(data);
    for (std::uint64_t from = 0; from < data.size();) {
        const std::uint64_t end = std::min(data.size(), from + kReleaseStep);
        std::uint64_t next = end;
        // A little further than the step, so that no magic is cut in two.
        for_each_pair(data.clipped(0, end + kBlock), from, [&](std::uint64_t at) -> std::optional<std::uint64_t> {
            if (at >= end) {
                return std::nullopt;
            }
            const std::optional<Embedded> hit = search.at(at);
            if (!hit) {
                return at + 1;
            }
            visit(*hit);
            const std::uint64_t past = at + std::max<std::uint64_t>(hit->bytes.size(), 1);
            next = std::max(next, past);
            return past >= end ? std::nullopt : std::optional(past);
        });
        done(data.clipped(from, next - from));
        from = next;
    }
}

void EmbeddedScout::add(ByteView piece) {
    const auto look = [&](ByteView bytes) {
        for_each_pair(bytes, 0, [&](std::uint64_t at) -> std::optional<std::uint64_t> {
            found_ = found_ || looks_like_code(bytes.clipped(at, kHeader));
            return found_ ? std::nullopt : std::optional(at + 1);
        });
    };
    if (found_) {
        return;
    }
    tail_ += piece.clipped(0, 2 * kHeader).text();
    look(ByteView(tail_));
    look(piece);
    const std::uint64_t kept = std::min<std::uint64_t>(piece.size(), kHeader);
    tail_.append(piece.clipped(std::max(2 * kHeader, piece.size() - kept), kept).text());
    tail_.erase(0, tail_.size() - std::min<std::size_t>(tail_.size(), kHeader));
}

}  // namespace wheelarch
