// Code sections: where in a file its fatbins lie; device_code.hpp has the rules.
#pragma once

#include "binary/device_code.hpp"

namespace wheelarch {

struct CodeSections {
    std::uint16_t machine = 0;
    std::vector<CodeSection> sections;
};

// For ELF, PE, COFF and ar. Throws an Error if the file's structure does not hold.
CodeSections find_code_sections(ByteView file, FileFormat format);

}  // namespace wheelarch
