// The records at the end of an archive: zip64 end record, its locator, end record. A reader begins with the last one.
#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "wheel/zip_records.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kEndSize = 22;  // without the archive comment
constexpr std::uint64_t kMaxComment = 0xffff;
constexpr std::uint64_t kLocatorSize = 20;

// The last signature with room for a record, as every reader that searches from the end finds it. A comment may hold
// a signature too; such a comment makes the archive ambiguous, and the checks on the rest of it then fail.
std::uint64_t find_end_record(ByteView file) {
    const std::uint64_t window = std::min(file.size(), kEndSize + kMaxComment);
    const ByteView tail = file.from(file.size() - window, "the end of the archive");
    const std::size_t found = window < kEndSize
                                  ? std::string_view::npos
                                  : tail.text().rfind(kEndSignature, static_cast<std::size_t>(window - kEndSize));
    if (found == std::string_view::npos) {
        throw unchecked("no end of central directory record: not a zip archive, or its end is missing", kDamaged);
    }
    return file.size() - window + found;
}

void check_comment(ByteView file, std::uint64_t offset) {
    const std::uint64_t length = file.u16(offset + 20, "the archive comment length");
    const std::uint64_t left = file.size() - offset - kEndSize;
    if (length > left) {
        throw unchecked(fmt::format("the archive comment is said to be {} long, but the file ends after {}",
                                    bytes_text(length), left),
                        kDamaged)
            .at(file.origin() + offset + kEndSize);
    }
    if (length < left) {
        throw unchecked(fmt::format("{} of trailing data after the end record", bytes_text(left - length)),
                        "the package index refuses such a wheel: cut the file off there, or pack it again")
            .at(file.origin() + offset + kEndSize + length);
    }
}

Error split_archive(std::uint64_t offset) {
    return unchecked("the end record speaks of several disks: one part of a split archive",
                     "join the parts into one file (`zip -s 0 part.zip --out whole.zip`)")
        .at(offset);
}

// A field of the end record that zip64 repeats; the two may differ only where the narrow one is escaped.
std::uint64_t reconcile(std::string_view field, std::uint64_t narrow, std::uint64_t escape, std::uint64_t wide) {
    if (narrow != wide && narrow != escape) {
        throw unchecked(
            fmt::format("the end record and the zip64 end record disagree on the {}: {} and {}", field, narrow, wide),
            kPackAgain);
    }
    return wide;
}

ByteView zip64_end_record(ByteView file, std::uint64_t locator_offset) {
    const ByteView locator = file.slice(locator_offset, kLocatorSize, "the zip64 end of central directory locator");
    // Some writers count no disk instead of one.
    if (locator.u32(4, "the disk number") != 0 || locator.u32(16, "the number of disks") > 1) {
        throw split_archive(locator.origin());
    }
    const std::uint64_t offset = locator.u64(8, "the zip64 end record offset");
    // The record's own size leaves out its first 12 bytes. Longer records hold an "extensible data sector" (4.3.14.2),
    // which nobody writes and readers do not agree on.
    if (locator_offset < kZip64EndSize || offset != locator_offset - kZip64EndSize) {
        throw unchecked(fmt::format("the zip64 end record is said to be at offset {:#x}, expected {} right before its "
                                    "locator",
                                    offset, bytes_text(kZip64EndSize)),
                        kPackAgain)
            .at(locator.origin());
    }
    const ByteView record = file.slice(offset, kZip64EndSize, "the zip64 end record");
    if (!record.starts_with(kZip64EndSignature) || record.u64(4, "the zip64 record size") != kZip64EndSize - 12) {
        throw unchecked("no zip64 end record where its locator says", kDamaged).at(record.origin());
    }
    return record;
}

EndRecord merge(ByteView zip64, std::uint64_t offset, ByteView end, const EndRecord& narrow) {
    const std::uint64_t members = zip64.u64(32, "the number of members");
    if (zip64.u32(16, "the disk number") != 0 || zip64.u32(20, "the disk of the directory") != 0 ||
        zip64.u64(24, "the members on this disk") != members) {
        throw split_archive(zip64.origin());
    }
    reconcile("disk number", end.u16(4, "the disk number"), kEscape16, 0);
    reconcile("disk of the directory", end.u16(6, "the disk of the directory"), kEscape16, 0);
    reconcile("members on this disk", end.u16(8, "the members on this disk"), kEscape16, members);
    return {offset, reconcile("number of members", narrow.members, kEscape16, members),
            reconcile("directory offset", narrow.directory_offset, kEscape32, zip64.u64(48, "the directory offset")),
            reconcile("directory size", narrow.directory_size, kEscape32, zip64.u64(40, "the directory size")),
            narrow.comment};
}

}  // namespace

EndRecord read_end_record(ByteView file) {
    const std::uint64_t offset = find_end_record(file);
    check_comment(file, offset);
    const ByteView end = file.slice(offset, kEndSize, "the end record");
    const EndRecord narrow = {offset, end.u16(10, "the number of members"), end.u32(16, "the directory offset"),
                              end.u32(12, "the directory size"), file.from(offset + kEndSize, "the archive comment")};
    // The locator alone tells zip64: there are writers that escape no field although they add the records, and one
    // that has exactly 65,535 members without them.
    if (offset >= kLocatorSize && file.from(offset - kLocatorSize, "the locator").starts_with(kZip64LocatorSignature)) {
        const ByteView zip64 = zip64_end_record(file, offset - kLocatorSize);
        return merge(zip64, zip64.origin() - file.origin(), end, narrow);
    }
    if (end.u16(4, "the disk number") != 0 || end.u16(6, "the disk of the directory") != 0 ||
        end.u16(8, "the members on this disk") != narrow.members) {
        throw split_archive(end.origin());
    }
    return narrow;
}

}  // namespace wheelarch
