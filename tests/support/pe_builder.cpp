#include "support/pe_builder.hpp"

#include <stdexcept>

#include "support/bytes.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kSectionAlignment = 0x1000;
constexpr std::uint64_t kFileAlignment = 0x200;
constexpr std::uint64_t kLfanew = 0x80;
constexpr std::uint64_t kHeaders = 0x400;  // room for all headers of an image

std::uint64_t rounded(std::uint64_t size, std::uint64_t alignment) {
    return (size + alignment - 1) / alignment * alignment;
}

std::uint64_t room_in_memory(const PeSectionSpec& section) {
    return rounded(section.content.size() + 1, kSectionAlignment);
}

// Collects names longer than 8 bytes; its first four bytes are its own size.
class StringTable {
public:
    std::string field(const std::string& name) {
        if (name.size() <= 8) {
            return name + zeros(8 - name.size());
        }
        const std::string reference = "/" + std::to_string(4 + names_.size());
        names_ += name + '\0';
        return reference + zeros(8 - reference.size());
    }
    std::string bytes() const { return le32(4 + names_.size()) + names_; }

private:
    std::string names_;
};

std::string short_name(const std::string& name) {
    const std::string cut = name.substr(0, 8);
    return cut + zeros(8 - cut.size());
}

struct Written {
    std::string headers;
    std::string contents;
};

// `first` is the offset of the first section's content, `alignment` that of each.
Written write_sections(const PeSpec& spec, StringTable* names, std::uint64_t first, std::uint64_t alignment,
                       bool is_image) {
    Written written;
    std::uint64_t rva = kSectionAlignment;
    for (const PeSectionSpec& section : spec.sections) {
        std::string padded = section.content;
        pad(padded, alignment);
        const std::uint64_t pointer = padded.empty() ? 0 : first + written.contents.size();
        written.headers += names != nullptr ? names->field(section.name) : short_name(section.name);
        written.headers +=
            le32(section.virtual_size.value_or(static_cast<std::uint32_t>(is_image ? section.content.size() : 0)));
        written.headers += le32(is_image ? rva : 0);
        written.headers += le32(
            section.raw_size.value_or(static_cast<std::uint32_t>(is_image ? padded.size() : section.content.size())));
        written.headers += le32(section.raw_pointer.value_or(static_cast<std::uint32_t>(pointer)));
        written.headers += zeros(12) + le32(section.characteristics);
        written.contents += padded;
        rva += room_in_memory(section);
    }
    return written;
}

}  // namespace

std::string build_pe(const PeSpec& spec) {
    StringTable names;
    const Written written = write_sections(spec, spec.long_names ? &names : nullptr, kHeaders, kFileAlignment, true);
    const std::uint64_t string_table = kHeaders + written.contents.size();

    std::string optional = le16(spec.is64 ? 0x20b : 0x10b) + zeros(22);
    optional += spec.is64 ? le64(spec.image_base) : le32(0) + le32(spec.image_base);
    optional += zeros((spec.is64 ? 0xf0 : 0xe0) - optional.size());

    std::string file = "MZ" + zeros(0x3a) + le32(kLfanew) + zeros(kLfanew - 0x40);
    file += std::string("PE\0\0", 4) + le16(spec.machine) + le16(spec.sections.size()) + le32(0);
    file += le32(spec.long_names ? string_table : 0) + le32(0) + le16(optional.size()) + le16(0x2022);
    file += optional + written.headers;
    if (file.size() > kHeaders) {
        throw std::logic_error("too many sections for a test image");
    }
    file += zeros(kHeaders - file.size());
    return file + written.contents + (spec.long_names ? names.bytes() : std::string());
}

std::uint64_t address_in_pe(const PeSpec& spec, const std::string& name) {
    std::uint64_t rva = kSectionAlignment;
    for (const PeSectionSpec& section : spec.sections) {
        if (section.name == name) {
            return spec.image_base + rva;
        }
        rva += room_in_memory(section);
    }
    throw std::logic_error("no section " + name + " in the description");
}

std::string build_coff(const PeSpec& spec, ObjectHeader header) {
    const bool big = header == ObjectHeader::bigobj;
    const std::uint64_t first = (big ? 56 : 20) + 40 * spec.sections.size();
    StringTable names;
    const Written written = write_sections(spec, &names, first, 4, false);
    const std::uint64_t symbols = first + written.contents.size();
    std::string file;
    if (big) {
        // ANON_OBJECT_HEADER_BIGOBJ: Sig1, Sig2, Version, Machine, TimeDateStamp, ClassID, ...
        file = le16(0) + le16(0xffff) + le16(2) + le16(spec.machine) + le32(0);
        file += std::string("\xc7\xa1\xba\xd1\xee\xba\xa9\x4b\xaf\x20\xfa\xf8\x26\xa2\x34\x6d", 16) + zeros(16);
        file += le32(spec.sections.size()) + le32(symbols) + le32(0);
    } else {
        file = le16(spec.machine) + le16(spec.sections.size()) + le32(0) + le32(symbols) + le32(0) + le16(0) + le16(0);
    }
    return file + written.headers + written.contents + names.bytes();
}

}  // namespace wheelarch
