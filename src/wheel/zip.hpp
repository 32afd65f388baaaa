// Zip: the container of wheels, read by its central directory as PKWARE's APPNOTE.TXT has it. Field names in messages
// are APPNOTE's. Serves stored and deflated members, zip64 and data descriptors.
//
// Hostile archives end in an Error: members that overlap, local headers that disagree with the directory, sizes that
// do not hold, encrypted members, other methods, split archives. So does every byte that belongs to no record: before
// the first member, between members, after the end record. What is left reads the same from the directory and from
// the first local header on, so nothing that an installer may unpack can hide from an inspection. The package index
// draws the same line (and a stricter one: it refuses data descriptors too); pip does not.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/byte_view.hpp"

namespace wheelarch {

struct ZipMember {
    std::string name;  // as it is stored: not empty, no control characters, otherwise whatever the writer made of it
    std::uint16_t method = 0;  // 0 stored, 8 deflated
    std::uint32_t crc32 = 0;
    std::uint64_t compressed_size = 0;
    std::uint64_t size = 0;
    std::uint64_t header_offset = 0;  // of the local file header
    ByteView data;                    // the compressed bytes
    std::uint16_t flags = 0;          // general purpose bit flag
    // What only a writer needs, from the central header unless it is said otherwise.
    std::uint16_t made_by = 0;
    std::uint16_t version_needed = 0;
    std::uint32_t time = 0;  // MS-DOS date and time, the date in the upper half
    std::uint16_t internal_attributes = 0;
    std::uint32_t external_attributes = 0;
    ByteView extra;
    ByteView local_extra;  // of the local header; its fields are whole, but for padding of less than 4 bytes
    ByteView comment;
    bool is_directory() const noexcept { return !name.empty() && name.back() == '/'; }
};

// What may be inflated of one archive; more is an Error, and no real wheel comes near.
inline constexpr std::uint64_t kMaxMemberSize = std::uint64_t{8} << 30U;
inline constexpr std::uint64_t kMaxArchiveSize = std::uint64_t{32} << 30U;
inline constexpr std::uint64_t kMaxMembers = 1'000'000;

// Does it begin like an archive? One that does not may still be read, to say what is in front of the first member.
bool is_zip(ByteView file) noexcept;

// The members in the order of the central directory; their names differ. The bytes of `file` must outlive them.
std::vector<ZipMember> read_zip(ByteView file);

// The comment of the archive that read_zip has read.
ByteView archive_comment(ByteView file);

// A piece of a member; its origin is the offset in the member. The bytes live as long as the call. False ends the
// reading.
using TakePiece = std::function<bool(ByteView piece)>;
// Compressed bytes that will not be read again, about 16 MiB at a time: where a caller that maps the archive calls
// `release_pages`, so that memory does not grow with it.
using InputUsed = std::function<void(ByteView compressed)>;

// Inflates a member and hands it on in pieces, in order; returns early when `take` returns false. A whole member is
// checked against its size and CRC-32 after its last piece. Memory does not grow with the member.
// Every Error that leaves it, those of `take` included, is marked as inside the member: callers need not do so.
void read_member(const ZipMember& member, const TakePiece& take, const InputUsed& used = {});

// The first `size` bytes of a member, or all there are; not checked against the CRC-32. Errors as in `read_member`.
std::string read_head(const ZipMember& member, std::uint64_t size);

}  // namespace wheelarch
