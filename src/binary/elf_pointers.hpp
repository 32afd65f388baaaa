// ELF pointers: the words of a program or library that its loader fills in. Read from the dynamic segment alone, as
// loaders do: the section table may be absent, cut or false. Types and tags are those of the System V ABI with its
// supplements for x86-64 and AArch64, chapter 5; packed relative relocations (DT_RELR) of the generic ABI.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "binary/elf.hpp"

namespace wheelarch {

struct ElfPointer {
    std::uint64_t address = 0;           // of the word
    std::optional<std::uint64_t> value;  // the address that it will hold, unless another file has the symbol
    std::string_view symbol;             // the name that another file has to supply
};

// Calls `visit` for each of them. Throws an Error on tables that no segment of the file holds.
void visit_pointers(ByteView file, const Elf& elf, const std::function<void(const ElfPointer&)>& visit);

}  // namespace wheelarch
