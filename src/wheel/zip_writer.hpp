// ZipWriter: the plan of a new archive, made of members of an old one and of new ones. It holds the new bytes and views
// of the old ones, so that a plan costs no more memory than the headers.
//
// What it writes is the narrow subset that every reader takes the same way: no data descriptors, no member comments,
// no bytes between records, zip64 fields only where a value needs them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_view.hpp"
#include "wheel/zip.hpp"

namespace wheelarch {

// Bytes of the old archive after new bytes; either may be empty.
struct ZipPiece {
    std::string made;
    ByteView copied;
    std::uint64_t size() const noexcept { return made.size() + copied.size(); }
};

class ZipWriter {
public:
    // As read_zip has it: name, compressed bytes, method, CRC-32, time, attributes and extra fields stay. Throws an
    // Error if extra fields of zip64 find no room.
    void copy(const ZipMember& member);

    // A new member, stored; what `header` has of version made by, time and attributes is used, and its name.
    void store(const ZipMember& header, std::string_view content);

    // Writes the directory. No call may follow.
    void finish(ByteView comment);

    const std::vector<ZipPiece>& pieces() const noexcept { return pieces_; }
    std::uint64_t size() const noexcept { return size_; }

private:
    void add(const ZipMember& member, ByteView copied, std::string_view stored);
    void push(std::string made, ByteView copied);

    std::vector<ZipPiece> pieces_;
    std::uint64_t size_ = 0;
    std::string directory_;
    std::uint64_t members_ = 0;
};

// MS-DOS date and time of a moment in seconds since 1970, in UTC; moments outside of 1980 to 2107 become the nearest
// one inside.
std::uint32_t dos_time(std::int64_t seconds);

}  // namespace wheelarch
