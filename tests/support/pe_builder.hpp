// Builds PE images and COFF objects in memory from a readable description, independent of our reader. Fields are those
// of Microsoft's "PE Format"; what is left out is as a linker or compiler would write it.
//
//   build_pe({.sections = {{.name = ".nv_fatbin", .content = region}}})
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wheelarch {

struct PeSectionSpec {
    std::string name = {};  // cut to 8 bytes in the file unless long_names is set
    std::string content = {};
    std::uint32_t characteristics = 0x40000040;  // initialized data, readable
    // Departures from the truth.
    std::optional<std::uint32_t> virtual_size = {};
    std::optional<std::uint32_t> raw_size = {};
    std::optional<std::uint32_t> raw_pointer = {};
};

struct PeSpec {
    bool is64 = true;  // PE32+
    std::uint16_t machine = 0x8664;
    std::uint64_t image_base = 0x180000000;
    bool long_names = false;  // by a COFF string table, as GNU ld and compilers write them
    std::vector<PeSectionSpec> sections = {};
};

std::string build_pe(const PeSpec& spec);
// The absolute virtual address of a section of the image.
std::uint64_t address_in_pe(const PeSpec& spec, const std::string& name);

enum class ObjectHeader { plain, bigobj };
// As cl.exe writes .obj files: long names always, VirtualSize 0.
std::string build_coff(const PeSpec& spec, ObjectHeader header);

}  // namespace wheelarch
