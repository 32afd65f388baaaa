// Code sections: where in a file its fatbins lie; device_code.hpp has the rules.
#pragma once

#include "binary/device_code.hpp"

namespace wheelarch {

struct CodeSections {
    std::uint16_t machine = 0;
    std::vector<CodeSection> sections;
    bool is_loaded = false;                 // a program or library: `registered` says which regions the runtime gets
    std::vector<std::uint64_t> registered;  // their offsets in the file, ascending
    std::uint64_t origin = 0;               // of the file
    bool amd = false;                       // it has code for AMD devices, or registers it
    std::string damage;                     // of a section table that a loader does not need
};

// For ELF, PE, COFF and ar. Throws an Error if the file's structure does not hold.
CodeSections find_code_sections(ByteView file, FileFormat format);

}  // namespace wheelarch
