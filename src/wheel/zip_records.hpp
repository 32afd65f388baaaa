// The records of a zip archive, in the order in which read_zip goes through them. Only zip.hpp is for other parts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_view.hpp"
#include "wheel/zip.hpp"

namespace wheelarch {

inline constexpr std::uint16_t kStored = 0;
inline constexpr std::uint16_t kDeflated = 8;

inline constexpr std::string_view kLocalSignature = "PK\3\4";
inline constexpr std::string_view kCentralSignature = "PK\1\2";
inline constexpr std::string_view kDescriptorSignature = "PK\7\10";
inline constexpr std::string_view kEndSignature = "PK\5\6";
inline constexpr std::string_view kZip64EndSignature = "PK\6\6";
inline constexpr std::string_view kZip64LocatorSignature = "PK\6\7";

inline constexpr std::uint16_t kZip64Extra = 0x0001;
inline constexpr std::uint64_t kExtraHeaderSize = 4;  // id and size (APPNOTE 4.5.1)
inline constexpr std::uint64_t kZip64EndSize = 56;    // without extensible data
inline constexpr std::uint16_t kDescriptorFlag = 0x0008;
inline constexpr std::uint16_t kUtf8Flag = 0x0800;

// A 16- or 32-bit field with this value has its true one in the zip64 extra field (APPNOTE 4.4.1.4).
inline constexpr std::uint16_t kEscape16 = 0xffff;
inline constexpr std::uint32_t kEscape32 = 0xffffffff;

// What to do about the two sorts of bad archive.
inline constexpr char kDamaged[] = "the file is cut short or damaged: build or download it again";
inline constexpr char kPackAgain[] =
    "installers would refuse it or see other files than these: pack the wheel again (`wheel unpack`, `wheel pack`)";

// The central directory as the end record (APPNOTE 4.3.16) or the zip64 end record (4.3.14) describes it.
struct EndRecord {
    std::uint64_t offset = 0;  // of the first of these records: where the directory must end
    std::uint64_t members = 0;
    std::uint64_t directory_offset = 0;
    std::uint64_t directory_size = 0;
    ByteView comment;
};
// Throws an Error if there is none, or bytes after it. Where the directory lies is not checked.
EndRecord read_end_record(ByteView file);

// The members without their data; `directory` must hold `count` headers and nothing else.
std::vector<ZipMember> read_central_directory(ByteView directory, std::uint64_t count);

// Finds the data of `member`, and throws an Error if its local header says anything else than the central directory.
// `contents` is what lies before the directory.
void read_local_header(ByteView contents, ZipMember& member);

// Throws an Error unless the members with their data descriptors fill `contents`, each byte once.
void check_layout(ByteView contents, const std::vector<ZipMember>& members);

// The fields that zip64 can widen, in the order of its extra field (APPNOTE 4.5.3).
struct WideFields {
    std::uint64_t size = 0;
    std::uint64_t compressed_size = 0;
    std::uint64_t header_offset = 0;
};
// Those that are escaped are read from the zip64 extra field among `extra`, which must be there then.
WideFields widen(WideFields narrow, ByteView extra);

// The data of the extra field `id`, or an empty view without data if there is none; twice the same one is an Error.
ByteView find_extra(ByteView extra, std::uint16_t id);

// Info-ZIP's Unicode Path (APPNOTE 4.6.9), in either header, may give another name, which some readers take and others
// do not: that is an Error.
void check_unicode_path(ByteView extra, const std::string& name);

// `1 byte`, `2 bytes`.
std::string bytes_text(std::uint64_t count);

inline bool has_descriptor(const ZipMember& member) noexcept {
    return (member.flags & kDescriptorFlag) != 0;
}

}  // namespace wheelarch
