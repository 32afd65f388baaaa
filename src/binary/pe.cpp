#include "binary/pe.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kLfanew = 0x3c;  // e_lfanew in the DOS header
constexpr std::string_view kSignature("PE\0\0", 4);
constexpr std::uint64_t kSectionHeader = 40;
constexpr std::uint32_t kUninitialized = 0x80;   // IMAGE_SCN_CNT_UNINITIALIZED_DATA
constexpr std::uint32_t kWritable = 0x80000000;  // IMAGE_SCN_MEM_WRITE
// ANON_OBJECT_HEADER_BIGOBJ: ClassID of /bigobj objects, at offset 12.
constexpr std::string_view kBigobjClass("\xc7\xa1\xba\xd1\xee\xba\xa9\x4b\xaf\x20\xfa\xf8\x26\xa2\x34\x6d", 16);
constexpr std::uint64_t kBigobjHeader = 56;
constexpr std::uint64_t kBigobjSymbol = 20;
constexpr std::uint64_t kSymbol = 18;

// What the two COFF file headers say alike.
struct Coff {
    std::uint64_t section_table = 0;
    std::uint64_t section_count = 0;
    std::uint64_t string_table = 0;  // 0 = none
};

std::string_view until_nul(std::string_view text) {
    return text.substr(0, text.find('\0'));
}

// A name of more than 8 bytes is `/N`: N, in decimal, is its offset in the string table behind the symbols.
std::string section_name(ByteView file, const Coff& coff, ByteView header) {
    const std::string_view name = until_nul(header.slice(0, 8, "a section name").text());
    std::uint64_t offset = 0;
    if (coff.string_table == 0 || name.size() < 2 || name.front() != '/' ||
        std::from_chars(name.data() + 1, name.data() + name.size(), offset).ec != std::errc()) {
        return std::string(name);
    }
    return std::string(file.from(coff.string_table, "the string table").c_string(offset, "a long section name"));
}

ByteView contents(ByteView file, ByteView header, bool is_image) {
    const std::uint64_t virtual_size = header.u32(8, "VirtualSize");
    std::uint64_t size = header.u32(16, "SizeOfRawData");
    const std::uint64_t start = header.u32(20, "PointerToRawData");
    if (start == 0 || size == 0 || (header.u32(36, "Characteristics") & kUninitialized) != 0) {
        return {};
    }
    if (is_image && virtual_size != 0) {
        size = std::min(size, virtual_size);  // the rest is padding to FileAlignment
    }
    return file.slice(start, size, "a section");
}

std::vector<PeSection> read_sections(ByteView file, const Coff& coff, bool is_image) {
    const ByteView table = file.slice(coff.section_table, coff.section_count * kSectionHeader, "the section table");
    std::vector<PeSection> sections;
    for (std::uint64_t i = 0; i < coff.section_count; ++i) {
        const ByteView header = table.slice(i * kSectionHeader, kSectionHeader, "a section header");
        sections.push_back({section_name(file, coff, header), header.u32(12, "VirtualAddress"),
                            (header.u32(36, "Characteristics") & kWritable) != 0, contents(file, header, is_image)});
    }
    return sections;
}

// The header at `at` of images and of plain objects: Machine, NumberOfSections, ..., SizeOfOptionalHeader.
Coff read_file_header(ByteView file, std::uint64_t at) {
    const std::uint64_t symbols = file.u32(at + 8, "PointerToSymbolTable");
    const std::uint64_t symbol_count = file.u32(at + 12, "NumberOfSymbols");
    return {at + 20 + file.u16(at + 16, "SizeOfOptionalHeader"), file.u16(at + 2, "NumberOfSections"),
            symbols == 0 ? 0 : symbols + symbol_count * kSymbol};
}

std::vector<std::uint64_t> read_directories(ByteView file, std::uint64_t optional) {
    constexpr std::uint32_t kMost = 16;
    const std::uint32_t count = std::min(kMost, file.u32(optional + 108, "NumberOfRvaAndSizes"));
    std::vector<std::uint64_t> directories;
    for (std::uint64_t i = 0; i < count; ++i) {
        directories.push_back(file.u32(optional + 112 + 8 * i, "a data directory"));
    }
    return directories;
}

bool is_bigobj(ByteView file) noexcept {
    return file.starts_with(std::string_view("\0\0\xff\xff", 4)) && file.clipped(12, 16).text() == kBigobjClass;
}

}  // namespace

bool is_pe(ByteView file) noexcept {
    if (!file.starts_with("MZ") || file.size() < kLfanew + 4) {
        return false;
    }
    return file.clipped(file.u32(kLfanew, "e_lfanew"), kSignature.size()).text() == kSignature;
}

bool is_coff_object(ByteView file) noexcept {
    if (is_bigobj(file)) {
        return true;
    }
    if (file.size() < 20) {
        return false;
    }
    const std::uint16_t machine = file.u16(0, "Machine");
    return (machine == kPeMachineX64 || machine == kPeMachineArm64) && file.u16(16, "SizeOfOptionalHeader") == 0;
}

Pe read_pe(ByteView file) {
    const std::uint64_t header = file.u32(kLfanew, "e_lfanew") + kSignature.size();
    const Coff coff = read_file_header(file, header);
    const std::uint64_t optional = header + 20;
    const bool plus = file.u16(optional, "the optional header's Magic") == 0x20b;
    const std::uint64_t image_base = plus ? file.u64(optional + 24, "ImageBase") : file.u32(optional + 28, "ImageBase");
    return {file.u16(header, "Machine"), plus, image_base, read_sections(file, coff, true),
            plus ? read_directories(file, optional) : std::vector<std::uint64_t>()};
}

Pe read_coff_object(ByteView file) {
    if (!is_bigobj(file)) {
        return {file.u16(0, "Machine"), true, 0, read_sections(file, read_file_header(file, 0), false), {}};
    }
    const std::uint64_t symbols = file.u32(48, "PointerToSymbolTable");
    const Coff coff = {kBigobjHeader, file.u32(44, "NumberOfSections"),
                       symbols == 0 ? 0 : symbols + file.u32(52, "NumberOfSymbols") * kBigobjSymbol};
    return {file.u16(6, "Machine"), true, 0, read_sections(file, coff, false), {}};
}

std::optional<std::uint64_t> find_file_offset(ByteView file, const Pe& pe, std::uint64_t address) noexcept {
    for (const PeSection& section : pe.sections) {
        const std::uint64_t start = pe.image_base + section.virtual_address;
        if (address >= start && address - start < section.bytes.size()) {
            return section.bytes.origin() - file.origin() + (address - start);
        }
    }
    return std::nullopt;
}

}  // namespace wheelarch
