// How the members lie in the archive: local headers (APPNOTE 4.3.7), data, data descriptors (4.3.9).
#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "wheel/zip_records.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kHeaderSize = 30;
// Bits of the general purpose flag that decide how the bytes are read: encryption, data descriptor, patch.
constexpr std::uint32_t kReadingFlags = 0x2069;

// `field` is in words, the two values as they should be shown.
Error disagree(std::string_view field, std::string_view local, std::string_view central) {
    return unchecked(
        fmt::format("its local header and the central directory disagree on the {}: {} and {}", field, local, central),
        kPackAgain);
}

// With a data descriptor, the local header may hold zeros where the writer did not know yet.
void check_number(const ZipMember& member, std::string_view field, std::uint64_t local, std::uint64_t central) {
    if (local != central && (local != 0 || !has_descriptor(member))) {
        throw disagree(field, std::to_string(local), std::to_string(central));
    }
}

void check_fields(ByteView header, ByteView extra, const ZipMember& member) {
    const std::uint32_t flags = header.u16(6, "the flags");
    if (((flags ^ member.flags) & kReadingFlags) != 0) {
        throw disagree("general purpose flags", fmt::format("{:#06x}", flags), fmt::format("{:#06x}", member.flags));
    }
    const std::uint16_t method = header.u16(8, "the method");
    if (method != member.method) {
        throw disagree("method", std::to_string(method), std::to_string(member.method));
    }
    const std::uint32_t crc32 = header.u32(14, "the CRC-32");
    if (crc32 != member.crc32 && (crc32 != 0 || !has_descriptor(member))) {
        throw disagree("CRC-32", fmt::format("{:#010x}", crc32), fmt::format("{:#010x}", member.crc32));
    }
    const WideFields sizes = widen({header.u32(22, "the size"), header.u32(18, "the compressed size"), 0}, extra);
    check_number(member, "size", sizes.size, member.size);
    check_number(member, "compressed size", sizes.compressed_size, member.compressed_size);
}

Error past_the_end(std::string_view what, std::uint64_t offset, ByteView contents) {
    return unchecked(fmt::format("{} at offset {:#x} goes past the start of the central directory at {:#x}", what,
                                 offset, contents.size()),
                     kDamaged);
}

// Descriptors have no length of their own: the signature is optional, and the sizes take 8 bytes in zip64 archives.
// What tells the four shapes apart is the room that the next record leaves.
void check_descriptor(ByteView room, const ZipMember& member) {
    const bool is_signed = room.size() == 16 || room.size() == 24;
    const bool wide = room.size() == 20 || room.size() == 24;
    if (!is_signed && !wide && room.size() != 12) {
        throw unchecked(
            fmt::format("{} after its data, expected a data descriptor of 12, 16, 20 or 24", bytes_text(room.size())),
            kPackAgain);
    }
    const std::uint64_t crc = is_signed ? 4 : 0;
    const std::uint64_t compressed_size = crc + 4;
    const auto size_at = [&](std::uint64_t offset) {
        return wide ? room.u64(offset, "a size") : room.u32(offset, "a size");
    };
    if ((is_signed && !room.starts_with(kDescriptorSignature)) || room.u32(crc, "the CRC-32") != member.crc32 ||
        size_at(compressed_size) != member.compressed_size ||
        size_at(compressed_size + (wide ? 8 : 4)) != member.size) {
        throw unchecked(fmt::format("the data descriptor ({}) does not repeat the CRC-32 and the sizes of the central "
                                    "directory",
                                    bytes_text(room.size())),
                        kPackAgain);
    }
}

// What lies between the end of a member's data and the next record.
void check_room(ByteView room, const ZipMember& member) {
    if (has_descriptor(member)) {
        check_descriptor(room, member);
    } else if (!room.empty()) {
        throw unchecked(fmt::format("{} after its data, at offset {:#x}, belong to no member", bytes_text(room.size()),
                                    room.origin()),
                        kPackAgain);
    }
}

}  // namespace

void read_local_header(ByteView contents, ZipMember& member) {
    const std::uint64_t offset = member.header_offset;
    if (contents.size() < kHeaderSize || offset > contents.size() - kHeaderSize) {
        throw past_the_end("its local header", offset, contents);
    }
    const ByteView header = contents.slice(offset, kHeaderSize, "a local header");
    if (!header.starts_with(kLocalSignature)) {
        throw unchecked(fmt::format("no local header at offset {:#x}, where the central directory says", offset),
                        kDamaged);
    }
    const std::uint64_t name_size = header.u16(26, "the name length");
    const std::uint64_t extra_size = header.u16(28, "the extra field length");
    const std::uint64_t start = offset + kHeaderSize + name_size + extra_size;
    if (start > contents.size() || member.compressed_size > contents.size() - start) {
        throw past_the_end(fmt::format("its data ({})", bytes_text(member.compressed_size)), start, contents);
    }
    if (contents.slice(offset + kHeaderSize, name_size, "a member name").text() != member.name) {
        throw unchecked("its local header has another name than the central directory", kPackAgain);
    }
    member.local_extra = contents.slice(start - extra_size, extra_size, "the extra fields");
    check_unicode_path(member.local_extra, member.name);
    check_fields(header, member.local_extra, member);
    member.data = contents.slice(start, member.compressed_size, "the data of a member");
}

void check_layout(ByteView contents, const std::vector<ZipMember>& members) {
    std::vector<const ZipMember*> sorted(members.size());
    std::transform(members.begin(), members.end(), sorted.begin(), [](const ZipMember& member) { return &member; });
    std::sort(sorted.begin(), sorted.end(),
              [](const auto* left, const auto* right) { return left->header_offset < right->header_offset; });
    const std::uint64_t first = sorted.empty() ? contents.size() : sorted.front()->header_offset;
    if (first != 0) {
        throw unchecked(fmt::format("{} before the first member", bytes_text(first)),
                        "the package index refuses such a wheel: pack it again")
            .at(contents.origin());
    }
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const ZipMember& member = *sorted[i];
        const std::uint64_t end = member.data.origin() - contents.origin() + member.data.size();
        const std::uint64_t next = i + 1 == sorted.size() ? contents.size() : sorted[i + 1]->header_offset;
        inside(member.name, [&] {
            if (next < end) {
                throw unchecked(
                    fmt::format("its data reaches to offset {:#x}, into '{}' at {:#x}", end, sorted[i + 1]->name, next),
                    "overlapping members are how zip bombs are made; pack the wheel again");
            }
            check_room(contents.slice(end, next - end, "the room after a member"), member);
        });
    }
}

}  // namespace wheelarch
