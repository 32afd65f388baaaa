#include "support/zip_builder.hpp"

#include <stdexcept>

#include <zlib.h>

namespace wheelarch {
namespace {

std::string little_endian(std::uint64_t value, std::size_t size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) {
        bytes += static_cast<char>(value >> (8 * i) & 0xffU);
    }
    return bytes;
}

std::uint32_t crc32_of(std::string_view content) {
    return static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
}

constexpr std::uint32_t kEscape = 0xffffffff;

constexpr std::uint16_t kVersion = 45;

class Writer {
public:
    std::string write(const ZipArchive& archive) {
        bytes_ = archive.prefix;
        for (const ZipEntry& entry : archive.entries) {
            write_member(entry);
        }
        const std::uint64_t directory_offset = bytes_.size();
        bytes_ += directory_;
        write_end(archive, directory_offset);
        return archive.outer + bytes_ + archive.comment + archive.trailing;
    }

private:
    struct Facts {
        std::string data;
        std::uint32_t crc32;
        std::uint64_t compressed_size;
        std::uint64_t size;
        std::uint64_t offset;
    };

    void write_member(const ZipEntry& entry) {
        const std::string data = entry.compressed.value_or(entry.method == 8 ? deflated(entry.content) : entry.content);
        const Facts facts = {data, entry.crc32.value_or(crc32_of(entry.content)),
                             entry.compressed_size.value_or(data.size()), entry.size.value_or(entry.content.size()),
                             bytes_.size()};
        bytes_ += local_header(entry, facts) + data + descriptor(entry, facts) + entry.after;
        if (entry.in_directory) {
            directory_ += central_header(entry, facts);
            ++members_;
        }
    }

    static ZipHeader common(const ZipEntry& entry, const Facts& facts) {
        ZipHeader header;
        header.flags = entry.descriptor == ZipDescriptor::none ? 0 : 8;
        header.method = entry.method;
        header.crc32 = facts.crc32;
        header.compressed_size = static_cast<std::uint32_t>(facts.compressed_size);
        header.size = static_cast<std::uint32_t>(facts.size);
        header.name = entry.name;
        return header;
    }

    static void lie(ZipHeader& header, const ZipEntry& entry, const std::function<void(ZipHeader&)>& own) {
        if (entry.both) {
            entry.both(header);
        }
        if (own) {
            own(header);
        }
    }

    static std::string local_header(const ZipEntry& entry, const Facts& facts) {
        ZipHeader header = common(entry, facts);
        header.signature = "PK\3\4";
        const bool later = entry.descriptor != ZipDescriptor::none;
        if (entry.zip64_local) {
            header.extra = zip_extra(1, le64(later ? 0 : facts.size) + le64(later ? 0 : facts.compressed_size));
        }
        if (entry.zip64_local || later) {
            header.size = header.compressed_size = entry.zip64_local ? kEscape : 0;
            header.crc32 = later ? 0 : header.crc32;
        }
        lie(header, entry, entry.local);
        return header.signature + le16(header.version_needed) + le16(header.flags) + le16(header.method) +
               le32(header.time) + le32(header.crc32) + le32(header.compressed_size) + le32(header.size) +
               le16(header.name.size()) + le16(header.extra.size()) + header.name + header.extra;
    }

    static std::string descriptor(const ZipEntry& entry, const Facts& facts) {
        const ZipDescriptor shape = entry.descriptor;
        if (shape == ZipDescriptor::none) {
            return {};
        }
        const bool wide = shape == ZipDescriptor::plain64 || shape == ZipDescriptor::signed64;
        const bool with_signature = shape == ZipDescriptor::signed32 || shape == ZipDescriptor::signed64;
        std::string bytes = with_signature ? "PK\7\10" : "";
        bytes += le32(facts.crc32);
        bytes += little_endian(facts.compressed_size, wide ? 8 : 4) + little_endian(facts.size, wide ? 8 : 4);
        if (entry.descriptor_bytes) {
            entry.descriptor_bytes(bytes);
        }
        return bytes;
    }

    static std::string central_header(const ZipEntry& entry, const Facts& facts) {
        ZipHeader header = common(entry, facts);
        header.signature = "PK\1\2";
        header.offset = static_cast<std::uint32_t>(facts.offset);
        std::string wide;
        const auto widen = [&](unsigned which, std::uint32_t& field, std::uint64_t value) {
            if ((entry.zip64_central & which) != 0) {
                field = kEscape;
                wide += le64(value);
            }
        };
        widen(kWideSize, header.size, facts.size);
        widen(kWideCompressedSize, header.compressed_size, facts.compressed_size);
        widen(kWideOffset, header.offset, facts.offset);
        header.extra = wide.empty() ? "" : zip_extra(1, wide);
        lie(header, entry, entry.central);
        return header.signature + le16(header.made_by) + le16(header.version_needed) + le16(header.flags) +
               le16(header.method) + le32(header.time) + le32(header.crc32) + le32(header.compressed_size) +
               le32(header.size) + le16(header.name.size()) + le16(header.extra.size()) + le16(header.comment.size()) +
               le16(header.disk) + le16(header.internal_attributes) + le32(header.external_attributes) +
               le32(header.offset) + header.name + header.extra + header.comment;
    }

    void write_end(const ZipArchive& archive, std::uint64_t directory_offset) {
        ZipEnd end;
        end.members = end.members_here = members_;
        end.directory_size = directory_.size();
        end.directory_offset = directory_offset;
        end.record_offset = bytes_.size();
        if (archive.zip64) {
            write_zip64_end(archive, end);
            if (archive.escape_end) {
                end.members = end.members_here = 0xffff;
                end.directory_size = end.directory_offset = kEscape;
            }
        }
        if (archive.end) {
            archive.end(end);
        }
        bytes_ += "PK\5\6" + le16(end.disk) + le16(end.directory_disk) + le16(end.members_here) + le16(end.members) +
                  le32(end.directory_size) + le32(end.directory_offset) +
                  le16(end.comment_size.value_or(static_cast<std::uint16_t>(archive.comment.size())));
    }

    void write_zip64_end(const ZipArchive& archive, ZipEnd end) {
        if (archive.zip64_end) {
            archive.zip64_end(end);
        }
        bytes_ += "PK\6\6" + le64(end.record_size) + le16(kVersion) + le16(kVersion) + le32(end.disk) +
                  le32(end.directory_disk) + le64(end.members_here) + le64(end.members) + le64(end.directory_size) +
                  le64(end.directory_offset);
        bytes_ += "PK\6\7" + le32(0) + le64(end.record_offset) + le32(end.disks);
    }

    std::string bytes_;
    std::string directory_;
    std::uint64_t members_ = 0;
};

}  // namespace

std::string build_zip(const ZipArchive& archive) {
    return Writer().write(archive);
}

std::string le16(std::uint64_t value) {
    return little_endian(value, 2);
}
std::string le32(std::uint64_t value) {
    return little_endian(value, 4);
}
std::string le64(std::uint64_t value) {
    return little_endian(value, 8);
}

std::string zip_extra(std::uint16_t id, std::string_view data) {
    return le16(id) + le16(data.size()) + std::string(data);
}

std::string deflated(std::string_view content) {
    z_stream stream = {};
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::runtime_error("cannot set up zlib");
    }
    std::string compressed(deflateBound(&stream, static_cast<uLong>(content.size())), '\0');
    std::string input(content);
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
    stream.avail_out = static_cast<uInt>(compressed.size());
    const int result = deflate(&stream, Z_FINISH);
    const auto size = static_cast<std::size_t>(stream.total_out);
    deflateEnd(&stream);
    if (result != Z_STREAM_END) {
        throw std::runtime_error("cannot deflate");
    }
    return compressed.substr(0, size);
}

}  // namespace wheelarch
