// The central directory (APPNOTE 4.3.12): one header for each member, and the extra fields behind its name.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "wheel/zip_records.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kHeaderSize = 46;
constexpr std::uint16_t kEncryptedFlags = 0x2041;  // encrypted, strongly so, directory encrypted too (APPNOTE 4.4.4)
constexpr std::uint16_t kPatchFlag = 0x0020;

std::string members_text(std::uint64_t count) {
    return fmt::format("{} member{}", count, count == 1 ? "" : "s");
}

std::string method_text(std::uint16_t method) {
    constexpr std::array<std::pair<std::uint16_t, std::string_view>, 13> names = {{{1, "shrunk"},
                                                                                   {6, "imploded"},
                                                                                   {9, "deflate64"},
                                                                                   {10, "PKWARE implode"},
                                                                                   {12, "bzip2"},
                                                                                   {14, "lzma"},
                                                                                   {20, "zstd"},
                                                                                   {93, "zstd"},
                                                                                   {94, "mp3"},
                                                                                   {95, "xz"},
                                                                                   {97, "wavpack"},
                                                                                   {98, "ppmd"},
                                                                                   {99, "AES"}}};
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const auto& known) { return known.first == method; });
    return found == names.end() ? fmt::format("{}", method) : fmt::format("{} ({})", method, found->second);
}

std::string checked_name(ByteView bytes) {
    const std::string_view name = bytes.text();
    const bool clean = std::none_of(name.begin(), name.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7f;
    });
    if (name.empty() || !clean) {
        throw unchecked(name.empty() ? "a member without a name"
                                     : fmt::format("control characters in the member name '{}'", printable(name)),
                        kPackAgain)
            .at(bytes.origin());
    }
    return std::string(name);
}

void check_readable(const ZipMember& member) {
    if ((member.flags & kEncryptedFlags) != 0) {
        throw unchecked(fmt::format("the member is encrypted (general purpose flags {:#06x})", member.flags),
                        "pack the wheel again without a password");
    }
    if ((member.flags & kPatchFlag) != 0) {
        throw unchecked("the member is a compressed patch, not a file", "pack the wheel again");
    }
    if (member.method != kStored && member.method != kDeflated) {
        throw unchecked(fmt::format("the member is compressed by method {}; a wheel may hold only 0 (stored) and "
                                    "8 (deflated)",
                                    method_text(member.method)),
                        "pack the wheel again with deflate");
    }
}

void check_sizes(const ZipMember& member) {
    if (member.size > kMaxMemberSize) {
        throw unchecked(fmt::format("the member is {} long, the limit is {}", bytes_text(member.size), kMaxMemberSize),
                        "no real wheel holds such a member: the header is damaged or hostile");
    }
    if (member.method == kStored && member.size != member.compressed_size) {
        throw unchecked(fmt::format("the stored member is {} long, but takes {} in the archive",
                                    bytes_text(member.size), bytes_text(member.compressed_size)),
                        kDamaged);
    }
    if (member.is_directory() && member.size != 0) {
        throw unchecked(fmt::format("a directory with {} of data, which no installer unpacks", bytes_text(member.size)),
                        kPackAgain);
    }
}

void fill(ZipMember& member, ByteView header, ByteView extra) {
    member.made_by = header.u16(4, "the version made by");
    member.version_needed = header.u16(6, "the version needed");
    member.time = header.u32(12, "the time");
    member.internal_attributes = header.u16(36, "the internal attributes");
    member.external_attributes = header.u32(38, "the external attributes");
    member.extra = extra;
    member.flags = header.u16(8, "the flags");
    member.method = header.u16(10, "the method");
    check_readable(member);
    if (header.u16(34, "the disk number") != 0) {
        throw unchecked("the member starts on another disk: the archive is one part of a split one",
                        "join the parts into one file");
    }
    const WideFields fields =
        widen({header.u32(24, "the size"), header.u32(20, "the compressed size"), header.u32(42, "the offset")}, extra);
    member.crc32 = header.u32(16, "the CRC-32");
    member.size = fields.size;
    member.compressed_size = fields.compressed_size;
    member.header_offset = fields.header_offset;
    check_sizes(member);
    check_unicode_path(extra, member.name);
}

// Reads the header at the start of `rest`, and takes it off.
ZipMember take_header(ByteView& rest) {
    const ByteView header = rest.slice(0, kHeaderSize, "a central directory header");
    if (!header.starts_with(kCentralSignature)) {
        throw unchecked("expected a central directory header, found something else", kDamaged).at(rest.origin());
    }
    const std::uint64_t name_size = header.u16(28, "the name length");
    const std::uint64_t extra_size = header.u16(30, "the extra field length");
    const std::uint64_t comment_size = header.u16(32, "the comment length");
    ZipMember member;
    member.name = checked_name(rest.slice(kHeaderSize, name_size, "the name of a member"));
    const ByteView extra = rest.slice(kHeaderSize + name_size, extra_size, "the extra fields of a member");
    inside(member.name, [&] { fill(member, header, extra); });
    const std::uint64_t comment_start = kHeaderSize + name_size + extra_size;
    member.comment = rest.slice(comment_start, comment_size, "the comment of a member");
    rest = rest.from(comment_start + comment_size, "the comment of a member");
    return member;
}

void check_names(const std::vector<ZipMember>& members) {
    std::vector<std::string_view> names(members.size());
    std::transform(members.begin(), members.end(), names.begin(),
                   [](const ZipMember& member) -> std::string_view { return member.name; });
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) {
        throw unchecked("two members have this name, and installers differ on which they take",
                        "pack the wheel again, with one of them")
            .inside(std::string(*twice));
    }
}

}  // namespace

std::string bytes_text(std::uint64_t count) {
    return fmt::format("{} byte{}", count, count == 1 ? "" : "s");
}

ByteView find_extra(ByteView extra, std::uint16_t id) {
    ByteView found;
    // Fewer bytes than a header are padding that some writers leave.
    for (ByteView rest = extra; rest.size() >= kExtraHeaderSize;) {
        const std::uint64_t size = rest.u16(2, "an extra field length");
        if (size > rest.size() - kExtraHeaderSize) {
            throw unchecked(fmt::format("the extra field {:#06x} is {} long, but only {} left", rest.u16(0, "an id"),
                                        bytes_text(size), rest.size() - kExtraHeaderSize),
                            kDamaged);
        }
        if (rest.u16(0, "an extra field id") == id) {
            if (found.data() != nullptr) {
                throw unchecked(fmt::format("two extra fields {:#06x}, and readers differ on which they take", id),
                                kPackAgain);
            }
            found = rest.slice(kExtraHeaderSize, size, "an extra field");
        }
        rest = rest.from(kExtraHeaderSize + size, "an extra field");
    }
    return found;
}

void check_unicode_path(ByteView extra, const std::string& name) {
    constexpr std::uint16_t kUnicodePathExtra = 0x7075;
    constexpr std::uint64_t prefix = 5;  // version, CRC-32 of the stored name
    const ByteView field = find_extra(extra, kUnicodePathExtra);
    if (field.data() != nullptr && field.clipped(prefix, field.size()).text() != name) {
        throw unchecked("the Unicode Path extra field gives the member another name", kPackAgain);
    }
}

WideFields widen(WideFields narrow, ByteView extra) {
    const ByteView wide = find_extra(extra, kZip64Extra);
    std::uint64_t at = 0;
    for (std::uint64_t* field : {&narrow.size, &narrow.compressed_size, &narrow.header_offset}) {
        if (*field != kEscape32) {
            continue;
        }
        if (wide.size() < at + sizeof *field) {
            throw unchecked(fmt::format("the zip64 extra field is {} long, too short for the fields that need it",
                                        bytes_text(wide.size())),
                            kDamaged);
        }
        *field = wide.u64(at, "a zip64 field");
        at += sizeof *field;
    }
    return narrow;
}

std::vector<ZipMember> read_central_directory(ByteView directory, std::uint64_t count) {
    if (count > kMaxMembers || count > directory.size() / kHeaderSize) {
        throw unchecked(fmt::format("the end record counts {}, too many for a central directory of {} (the limit is "
                                    "{})",
                                    members_text(count), bytes_text(directory.size()), kMaxMembers),
                        kDamaged);
    }
    std::vector<ZipMember> members;
    members.reserve(static_cast<std::size_t>(count));
    std::uint64_t total = 0;
    for (ByteView rest = directory; !rest.empty();) {
        if (members.size() == count) {
            throw unchecked(
                fmt::format("the end record counts {}, but the central directory goes on", members_text(count)),
                kDamaged)
                .at(rest.origin());
        }
        members.push_back(take_header(rest));
        total += members.back().size;
    }
    if (members.size() != count) {
        throw unchecked(
            fmt::format("the end record counts {}, the central directory has {}", members_text(count), members.size()),
            kDamaged)
            .at(directory.origin() + directory.size());
    }
    if (total > kMaxArchiveSize) {
        throw unchecked(
            fmt::format("the members are {} long together, the limit is {}", bytes_text(total), kMaxArchiveSize),
            "no real wheel is that big: the archive is damaged or hostile");
    }
    check_names(members);
    return members;
}

}  // namespace wheelarch
