// Builds zip archives in memory from a readable description: good ones, and ones that lie in a given field.
//
//   build_zip({.entries = {{.name = "pkg/a.py", .content = "x = 1\n"}}})
//   build_zip({.entries = {{.name = "b", .content = "b", .central = [](ZipHeader& h) { h.method = 12; }}}})
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

// The fields of a local or a central header, before they are written; the central one alone has disk, offset,
// version made by and attributes.
struct ZipHeader {
    std::string signature;
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t crc32 = 0;
    std::uint32_t compressed_size = 0;
    std::uint32_t size = 0;
    std::string name;
    std::string extra;
    std::string comment;
    std::uint16_t disk = 0;
    std::uint32_t offset = 0;
    std::uint16_t made_by = 45;
    std::uint16_t version_needed = 45;
    std::uint32_t time = 0x58210000;
    std::uint16_t internal_attributes = 0;
    std::uint32_t external_attributes = 0;
};

// The end record or, with wider fields, the zip64 end record and its locator.
struct ZipEnd {
    std::uint32_t disk = 0;
    std::uint32_t directory_disk = 0;
    std::uint64_t members_here = 0;
    std::uint64_t members = 0;
    std::uint64_t directory_size = 0;
    std::uint64_t directory_offset = 0;
    std::uint64_t record_size = 44;             // zip64 only
    std::uint64_t record_offset = 0;            // zip64 only, in the locator
    std::uint32_t disks = 1;                    // zip64 only, in the locator
    std::optional<std::uint16_t> comment_size;  // end record only; left out: that of the comment
};

enum class ZipDescriptor { none, plain32, signed32, plain64, signed64 };

// What stands in the zip64 extra field of a central header instead of the header.
inline constexpr unsigned kWideSize = 1;
inline constexpr unsigned kWideCompressedSize = 2;
inline constexpr unsigned kWideOffset = 4;

struct ZipEntry {
    std::string name = "member";
    std::string content = {};
    std::uint16_t method = 8;
    // Sets flag bit 3, and zeros in the local header.
    ZipDescriptor descriptor = ZipDescriptor::none;
    bool zip64_local = false;
    unsigned zip64_central = 0;
    bool in_directory = true;
    std::string after = {};  // bytes between this member and the next

    // Departures from the truth, in this order: the compressed bytes, the sizes and the CRC-32 as both headers give
    // them, each header as it is written, the descriptor.
    std::optional<std::string> compressed = {};
    std::optional<std::uint64_t> size = {};
    std::optional<std::uint64_t> compressed_size = {};
    std::optional<std::uint32_t> crc32 = {};
    std::function<void(ZipHeader&)> both = {};
    std::function<void(ZipHeader&)> local = {};
    std::function<void(ZipHeader&)> central = {};
    std::function<void(std::string&)> descriptor_bytes = {};
};

struct ZipArchive {
    std::vector<ZipEntry> entries = {};
    std::string comment = {};
    bool zip64 = false;         // with a zip64 end record and its locator
    bool escape_end = true;     // and the fields of the end record escaped
    std::string prefix = {};    // before the first member; offsets count it
    std::string outer = {};     // before all, as by `cat outer archive`; offsets do not count it
    std::string trailing = {};  // after the end record
    std::function<void(ZipEnd&)> end = {};
    std::function<void(ZipEnd&)> zip64_end = {};
};

std::string build_zip(const ZipArchive& archive);

// Little-endian bytes.
std::string le16(std::uint64_t value);
std::string le32(std::uint64_t value);
std::string le64(std::uint64_t value);

std::string zip_extra(std::uint16_t id, std::string_view data);
// A raw deflate stream.
std::string deflated(std::string_view content);

}  // namespace wheelarch
