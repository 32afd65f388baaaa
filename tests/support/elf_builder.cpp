#include "support/elf_builder.hpp"

#include <algorithm>
#include <stdexcept>

#include "support/bytes.hpp"

namespace wheelarch {
namespace {

constexpr std::uint32_t kStrtab = 3;

std::string word(bool is64, std::uint64_t value) {
    return is64 ? le64(value) : le32(value);
}

std::string section_header(bool is64, std::uint32_t name, const ElfSectionSpec& section, std::uint64_t address,
                           std::uint64_t offset) {
    return le32(name) + le32(section.type) + word(is64, section.flags) + word(is64, address) +
           word(is64, section.offset.value_or(offset)) + word(is64, section.size.value_or(section.content.size())) +
           le32(section.link) + le32(0) + word(is64, 1) + word(is64, 0);
}

std::string program_header(bool is64, std::uint32_t type, std::uint64_t offset, std::uint64_t address,
                           std::uint64_t file_size) {
    const std::string places =
        word(is64, offset) + word(is64, address) + word(is64, address) + word(is64, file_size) + word(is64, file_size);
    return is64 ? le32(type) + le32(5) + places + le64(0x1000) : le32(type) + places + le32(5) + le32(0x1000);
}

std::uint64_t segment_count(const ElfSpec& spec) {
    return (spec.load_address ? 1 : 0) + (spec.dynamic.empty() ? 0 : 1);
}

std::uint64_t start_of_contents(const ElfSpec& spec) {
    return (spec.is64 ? 0x40 : 0x34) + segment_count(spec) * (spec.is64 ? 0x38 : 0x20);
}

std::string file_header(const ElfSpec& spec, std::uint64_t section_table, std::uint64_t count,
                        std::uint64_t names_index) {
    std::string bytes =
        "\x7f"
        "ELF";
    bytes += static_cast<char>(spec.is64 ? 2 : 1);
    bytes += static_cast<char>(spec.big_endian ? 2 : 1);
    bytes += '\1';
    bytes += static_cast<char>(spec.os_abi);
    bytes += static_cast<char>(spec.abi_version);
    bytes += zeros(7) + le16(spec.type) + le16(spec.machine) + le32(spec.version) + word(spec.is64, 0);
    const std::uint64_t header_size = spec.is64 ? 0x40 : 0x34;
    bytes += word(spec.is64, spec.load_address ? header_size : 0) + word(spec.is64, section_table) + le32(spec.flags);
    bytes += le16(header_size) + le16(spec.is64 ? 0x38 : 0x20) + le16(segment_count(spec));
    bytes += le16(spec.is64 ? 0x40 : 0x28);
    bytes += spec.section_table ? le16(spec.escape_counts ? 0 : count) + le16(spec.escape_counts ? 0xffff : names_index)
                                : le16(0) + le16(0);
    return bytes;
}

}  // namespace

std::string build_elf(const ElfSpec& spec) {
    std::vector<ElfSectionSpec> sections = {{.type = 0, .flags = 0}};
    sections.insert(sections.end(), spec.sections.begin(), spec.sections.end());
    const std::size_t names_index = spec.names_first ? 1 : sections.size();
    sections.insert(sections.begin() + static_cast<std::ptrdiff_t>(names_index),
                    {.name = ".shstrtab", .type = kStrtab, .flags = 0});
    if (spec.escape_counts) {
        sections.front().size = sections.size();
        sections.front().link = static_cast<std::uint32_t>(names_index);
    }
    std::vector<std::uint32_t> names;
    std::string all_names;
    for (const ElfSectionSpec& section : sections) {
        names.push_back(static_cast<std::uint32_t>(all_names.size()));
        all_names += section.name + '\0';
    }
    sections[names_index].content = all_names;
    std::string contents;
    std::string table;
    for (std::size_t i = 0; i < sections.size(); ++i) {
        contents += zeros((spec.alignment - contents.size() % spec.alignment) % spec.alignment);
        const std::uint64_t offset = i == 0 ? 0 : start_of_contents(spec) + contents.size();
        table += section_header(spec.is64, names[i], sections[i], i == 0 ? 0 : spec.load_address.value_or(0) + offset,
                                offset);
        contents += sections[i].type == kElfNobits ? std::string() : sections[i].content;
    }
    pad(contents, 8);
    const std::uint64_t table_offset = spec.section_table ? start_of_contents(spec) + contents.size() : 0;
    const std::string tail = contents + (spec.section_table ? table : std::string());
    const std::string header = file_header(spec, table_offset, sections.size(), names_index);
    std::string segments;
    if (spec.load_address) {
        segments = program_header(spec.is64, 1, 0, *spec.load_address, start_of_contents(spec) + tail.size());
    }
    if (!spec.dynamic.empty()) {
        const std::uint64_t offset = offset_in_elf(spec, spec.dynamic);
        const auto section = std::find_if(spec.sections.begin(), spec.sections.end(),
                                          [&](const ElfSectionSpec& one) { return one.name == spec.dynamic; });
        segments +=
            program_header(spec.is64, 2, offset, spec.load_address.value_or(0) + offset, section->content.size());
    }
    return header + segments + tail;
}

std::uint64_t offset_in_elf(const ElfSpec& spec, const std::string& name) {
    std::uint64_t offset = start_of_contents(spec);
    std::uint64_t within = 0;
    for (const ElfSectionSpec& section : spec.sections) {
        within = (within + spec.alignment - 1) / spec.alignment * spec.alignment;
        if (section.name == name) {
            return offset + within;
        }
        within += section.type == kElfNobits ? 0 : section.content.size();
    }
    throw std::logic_error("no section " + name + " in the description");
}

std::string elf_dynamic(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& entries) {
    std::string bytes;
    for (const auto& [tag, value] : entries) {
        bytes += le64(tag) + le64(value);
    }
    return bytes + le64(0) + le64(0);
}

std::string elf_symbol(std::uint32_t st_name, std::uint16_t st_shndx, std::uint64_t st_value) {
    return le32(st_name) + le16(0x12) + le16(st_shndx) + le64(st_value) + le64(0);
}

std::string elf_rela(std::uint64_t r_offset, std::uint64_t r_info, std::uint64_t r_addend) {
    return le64(r_offset) + le64(r_info) + le64(r_addend);
}

}  // namespace wheelarch
