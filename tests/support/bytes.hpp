// Little-endian fields in test data: written over bytes that stand already, and read back.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/zip_builder.hpp"

namespace wheelarch {

// Overwrites the bytes at `offset`, which must be there.
inline void poke(std::string& bytes, std::uint64_t offset, std::string_view field) {
    if (offset + field.size() > bytes.size()) {
        throw std::logic_error("a test pokes past the end of its data");
    }
    bytes.replace(static_cast<std::size_t>(offset), field.size(), field);
}

inline std::uint64_t peek(std::string_view bytes, std::uint64_t offset, unsigned width) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) {
        value |= std::uint64_t{static_cast<unsigned char>(bytes.at(static_cast<std::size_t>(offset) + i))} << (8 * i);
    }
    return value;
}

inline std::string zeros(std::uint64_t count) {
    return std::string(static_cast<std::size_t>(count), '\0');
}

// Zeros up to a size that `alignment` divides.
inline void pad(std::string& bytes, std::uint64_t alignment) {
    bytes += zeros((alignment - bytes.size() % alignment) % alignment);
}

}  // namespace wheelarch
