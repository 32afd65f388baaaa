#include "wheel/zip.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/error.hpp"
#include "wheel/inflate.hpp"
#include "wheel/zip_records.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kBufferSize = std::uint64_t{256} << 10U;  // fits the second-level cache
constexpr std::uint64_t kStoredPiece = std::uint64_t{1} << 20U;
constexpr std::uint64_t kUsedStep = std::uint64_t{16} << 20U;

// Throws unless the directory lies where the end record says, and ends where that one begins.
ByteView find_directory(ByteView file, const EndRecord& end) {
    if (end.directory_size > end.offset) {
        throw unchecked(fmt::format("the central directory is said to be {} long, but only {} come before its end",
                                    bytes_text(end.directory_size), end.offset),
                        kDamaged)
            .at(file.origin() + end.offset);
    }
    const std::uint64_t start = end.offset - end.directory_size;
    const ByteView directory = file.slice(start, end.directory_size, "the central directory");
    if (start > end.directory_offset && directory.starts_with(kCentralSignature)) {
        throw unchecked(fmt::format("{} before the first member", bytes_text(start - end.directory_offset)),
                        "the package index refuses such a wheel: pack it again")
            .at(file.origin());
    }
    if (start != end.directory_offset) {
        throw unchecked(fmt::format("the central directory is said to be at offset {:#x}, but its end and its size "
                                    "put it at {:#x}",
                                    end.directory_offset, start),
                        kDamaged)
            .at(file.origin() + end.offset);
    }
    return directory;
}

// Tells the caller in big steps which compressed bytes are done with.
class Progress {
public:
    Progress(ByteView data, const InputUsed& used) : data_(data), used_(used) {}

    void reached(std::uint64_t position) {
        if (position - told_ >= kUsedStep) {
            tell(position);
        }
    }
    void tell(std::uint64_t position) {
        if (used_ && position > told_) {
            used_(data_.clipped(told_, position - told_));
        }
        told_ = position;
    }

private:
    ByteView data_;
    const InputUsed& used_;
    std::uint64_t told_ = 0;
};

// The size and CRC-32 of what came out so far.
class Checksum {
public:
    explicit Checksum(const ZipMember& member) : member_(member) {}

    // Throws before more than the declared size is handed on.
    ByteView add(const unsigned char* data, std::uint64_t size) {
        if (size > member_.size - size_) {
            throw unchecked(
                fmt::format("the member inflates to more than the {} it declares", bytes_text(member_.size)), kDamaged);
        }
        crc32_ = ::crc32(crc32_, data, static_cast<uInt>(size));
        const ByteView piece(data, size, size_);
        size_ += size;
        return piece;
    }

    void check() const {
        if (size_ != member_.size) {
            throw unchecked(fmt::format("the member inflates to {}, expected {}", bytes_text(size_), member_.size),
                            kDamaged);
        }
        if (crc32_ != member_.crc32) {
            throw unchecked(
                fmt::format("the CRC-32 of the member is {:#010x}, expected {:#010x}", crc32_, member_.crc32),
                kDamaged);
        }
    }

private:
    const ZipMember& member_;
    std::uint64_t size_ = 0;
    uLong crc32_ = ::crc32(0, nullptr, 0);
};

void read_stored(const ZipMember& member, const TakePiece& take, Progress& progress) {
    Checksum checksum(member);
    for (std::uint64_t at = 0; at < member.data.size(); at += kStoredPiece) {
        const ByteView piece = member.data.clipped(at, kStoredPiece);
        const bool more = take(checksum.add(piece.data(), piece.size()));
        progress.reached(at + piece.size());
        if (!more) {
            return;
        }
    }
    checksum.check();
}

void read_deflated(const ZipMember& member, const TakePiece& take, Progress& progress) {
    Inflater inflater(member.data);
    Checksum checksum(member);
    // One byte more than a small member has, so that one that is too long shows.
    const auto capacity = static_cast<std::size_t>(std::min(kBufferSize, member.size + 1));
    const std::unique_ptr<unsigned char[]> buffer(new unsigned char[capacity]);
    while (!inflater.finished()) {
        const std::size_t size = inflater.read(buffer.get(), capacity);
        const ByteView piece = checksum.add(buffer.get(), size);
        progress.reached(inflater.used());
        if (!piece.empty() && !take(piece)) {
            return;
        }
    }
    checksum.check();
    if (inflater.used() != member.data.size()) {
        throw unchecked(fmt::format("{} of trailing data after the deflate stream",
                                    bytes_text(member.data.size() - inflater.used())),
                        kDamaged);
    }
}

}  // namespace

bool is_zip(ByteView file) noexcept {
    return file.starts_with(kLocalSignature) || file.starts_with(kEndSignature) || file.starts_with(kZip64EndSignature);
}

std::vector<ZipMember> read_zip(ByteView file) {
    const EndRecord end = read_end_record(file);
    const ByteView directory = find_directory(file, end);
    const ByteView contents = file.slice(0, end.directory_offset, "the members");
    std::vector<ZipMember> members = read_central_directory(directory, end.members);
    for (ZipMember& member : members) {
        inside(member.name, [&] { read_local_header(contents, member); });
    }
    check_layout(contents, members);
    return members;
}

ByteView archive_comment(ByteView file) {
    return read_end_record(file).comment;
}

void read_member(const ZipMember& member, const TakePiece& take, const InputUsed& used) {
    inside(member.name, [&] {
        Progress progress(member.data, used);
        if (member.method == kStored) {
            read_stored(member, take, progress);
        } else {
            read_deflated(member, take, progress);
        }
        progress.tell(member.data.size());
    });
}

std::string read_head(const ZipMember& member, std::uint64_t size) {
    return inside(member.name, [&] {
        const auto wanted = static_cast<std::size_t>(std::min(size, member.size));
        if (member.method == kStored) {
            return std::string(member.data.clipped(0, wanted).text());
        }
        std::string head(wanted, '\0');
        const std::size_t got = Inflater(member.data).read(reinterpret_cast<unsigned char*>(head.data()), wanted);
        if (got != wanted) {
            throw unchecked(fmt::format("the member inflates to {}, expected {}", bytes_text(got), member.size),
                            kDamaged);
        }
        return head;
    });
}

}  // namespace wheelarch
