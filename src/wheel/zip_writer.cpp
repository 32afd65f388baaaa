#include "wheel/zip_writer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "base/error.hpp"
#include "wheel/zip_records.hpp"

namespace wheelarch {
namespace {

constexpr std::uint16_t kZip64Version = 45;   // APPNOTE 4.4.3.2
constexpr std::uint16_t kStoredVersion = 20;  // what Python's zipfile writes for every member
constexpr std::uint64_t kMaxExtra = 0xffff;

template <typename Unsigned>
void put(std::string& bytes, Unsigned value) {
    for (std::size_t i = 0; i < sizeof value; ++i) {
        bytes += static_cast<char>(value >> (8 * i) & 0xffU);
    }
}

// The whole fields but zip64's, whose place a new one takes.
std::string without_zip64(ByteView extra) {
    std::string kept;
    for (ByteView rest = extra; rest.size() >= kExtraHeaderSize;) {
        const std::uint64_t size = kExtraHeaderSize + rest.u16(2, "an extra field length");
        const ByteView field = rest.slice(0, size, "an extra field");
        if (field.u16(0, "an extra field id") != kZip64Extra) {
            kept += field.text();
        }
        rest = rest.from(size, "an extra field");
    }
    return kept;
}

std::string zip64_extra(std::initializer_list<std::uint64_t> values) {
    std::string extra;
    put(extra, kZip64Extra);
    put(extra, static_cast<std::uint16_t>(values.size() * sizeof(std::uint64_t)));
    for (const std::uint64_t value : values) {
        put(extra, value);
    }
    return extra;
}

std::uint32_t narrow(std::uint64_t value, bool escaped) {
    return escaped ? kEscape32 : static_cast<std::uint32_t>(value);
}

// What local and central headers share, from the version needed to the length of the extra fields.
void put_common(std::string& bytes, const ZipMember& member, bool wide, std::uint64_t extra_size) {
    if (extra_size > kMaxExtra) {
        throw unchecked(fmt::format("its extra fields are {} long, too long to add zip64's", bytes_text(extra_size)),
                        "pack the wheel again: `wheel unpack`, `wheel pack`")
            .inside(member.name);
    }
    put(bytes, wide ? std::max(member.version_needed, kZip64Version) : member.version_needed);
    put(bytes, static_cast<std::uint16_t>(member.flags & ~std::uint32_t{kDescriptorFlag}));
    put(bytes, member.method);
    put(bytes, member.time);
    put(bytes, member.crc32);
    put(bytes, narrow(member.compressed_size, wide));
    put(bytes, narrow(member.size, wide));
    put(bytes, static_cast<std::uint16_t>(member.name.size()));
    put(bytes, static_cast<std::uint16_t>(extra_size));
}

bool is_wide(const ZipMember& member) {
    return member.size >= kEscape32 || member.compressed_size >= kEscape32;
}

std::string local_header(const ZipMember& member) {
    const bool wide = is_wide(member);
    const std::string extra =
        without_zip64(member.local_extra) + (wide ? zip64_extra({member.size, member.compressed_size}) : std::string());
    std::string bytes(kLocalSignature);
    put_common(bytes, member, wide, extra.size());
    return bytes + member.name + extra;
}

// The package index takes a zip64 field of 8 bytes for the size of a stored member, whatever it is: so all three.
std::string central_header(const ZipMember& member, std::uint64_t offset) {
    const bool wide = is_wide(member) || offset >= kEscape32;
    const std::string extra = without_zip64(member.extra) +
                              (wide ? zip64_extra({member.size, member.compressed_size, offset}) : std::string());
    std::string bytes(kCentralSignature);
    put(bytes, member.made_by);
    put_common(bytes, member, wide, extra.size());
    put(bytes, std::uint16_t{0});  // comment length
    put(bytes, std::uint16_t{0});  // disk
    put(bytes, member.internal_attributes);
    put(bytes, member.external_attributes);
    put(bytes, narrow(offset, wide));
    return bytes + member.name + extra;
}

std::string zip64_end(std::uint64_t members, std::uint64_t directory_offset, std::uint64_t directory_size) {
    std::string bytes(kZip64EndSignature);
    put(bytes, kZip64EndSize - 12);
    put(bytes, kZip64Version);
    put(bytes, kZip64Version);
    put(bytes, std::uint32_t{0});  // disks
    put(bytes, std::uint32_t{0});
    put(bytes, members);
    put(bytes, members);
    put(bytes, directory_size);
    put(bytes, directory_offset);
    bytes += kZip64LocatorSignature;
    put(bytes, std::uint32_t{0});
    put(bytes, directory_offset + directory_size);
    put(bytes, std::uint32_t{1});
    return bytes;
}

std::string end_record(std::uint64_t members, std::uint64_t directory_offset, std::uint64_t directory_size,
                       ByteView comment) {
    const bool wide = members >= kEscape16 || directory_offset >= kEscape32 || directory_size >= kEscape32;
    std::string bytes = wide ? zip64_end(members, directory_offset, directory_size) : std::string();
    bytes += kEndSignature;
    put(bytes, std::uint16_t{0});  // disks
    put(bytes, std::uint16_t{0});
    const auto count = static_cast<std::uint16_t>(std::min<std::uint64_t>(members, kEscape16));
    put(bytes, count);
    put(bytes, count);
    put(bytes, static_cast<std::uint32_t>(std::min<std::uint64_t>(directory_size, kEscape32)));
    put(bytes, static_cast<std::uint32_t>(std::min<std::uint64_t>(directory_offset, kEscape32)));
    put(bytes, static_cast<std::uint16_t>(comment.size()));
    return bytes.append(comment.text());
}

}  // namespace

void ZipWriter::copy(const ZipMember& member) {
    add(member, member.data, {});
}

void ZipWriter::store(const ZipMember& header, std::string_view content) {
    ZipMember member;
    member.name = header.name;
    member.made_by = header.made_by;
    member.time = header.time;
    member.external_attributes = header.external_attributes;
    member.version_needed = kStoredVersion;
    const bool ascii = std::all_of(member.name.begin(), member.name.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    member.flags = ascii ? 0 : kUtf8Flag;
    member.method = kStored;
    member.crc32 =
        static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
    member.size = member.compressed_size = content.size();
    add(member, {}, content);
}

void ZipWriter::add(const ZipMember& member, ByteView copied, std::string_view stored) {
    directory_ += central_header(member, size_);
    ++members_;
    push(local_header(member).append(stored), copied);
}

void ZipWriter::push(std::string made, ByteView copied) {
    pieces_.push_back({std::move(made), copied});
    size_ += pieces_.back().size();
}

void ZipWriter::finish(ByteView comment) {
    const std::uint64_t offset = size_;
    const std::uint64_t directory_size = directory_.size();
    push(std::move(directory_) + end_record(members_, offset, directory_size, comment), {});
}

std::uint32_t dos_time(std::int64_t seconds) {
    namespace chrono = std::chrono;
    constexpr auto first = chrono::sys_seconds(chrono::sys_days(chrono::year{1980} / 1 / 1));
    constexpr auto last = chrono::sys_seconds(chrono::sys_days(chrono::year{2108} / 1 / 1)) - chrono::seconds(2);
    const auto moment = chrono::sys_seconds(chrono::seconds(
        std::clamp<std::int64_t>(seconds, first.time_since_epoch().count(), last.time_since_epoch().count())));
    const auto day = chrono::floor<chrono::days>(moment);
    const chrono::year_month_day date(day);
    const chrono::hh_mm_ss time(moment - day);
    const auto years = static_cast<std::uint32_t>(static_cast<int>(date.year()) - 1980);
    return years << 25U | static_cast<unsigned>(date.month()) << 21U | static_cast<unsigned>(date.day()) << 16U |
           static_cast<std::uint32_t>(time.hours().count()) << 11U |
           static_cast<std::uint32_t>(time.minutes().count()) << 5U |
           static_cast<std::uint32_t>(time.seconds().count() / 2);
}

}  // namespace wheelarch
