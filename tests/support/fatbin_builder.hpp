// Builds fatbins in memory from a readable description, independent of our reader. The layout is that of
// docs/formats.md.
//
//   build_region({.entries = {sass(80), ptx(90)}})
//   build_region({.entries = {{.kind = 8, .arch = 90, .payload = "…"}}})
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "support/cubin_builder.hpp"

namespace wheelarch {

enum class Pack { raw, lz4, zstd };

inline constexpr std::uint64_t kBit64 = 0x1;
inline constexpr std::uint64_t kBitDebug = 0x2;
inline constexpr std::uint64_t kBitLinux = 0x10;
inline constexpr std::uint64_t kBitWindows = 0x40;
inline constexpr std::uint64_t kBitLz4 = 0x2000;
inline constexpr std::uint64_t kBitZstd = 0x8000;
inline constexpr std::uint64_t kBitObfuscated = 0x10000;
inline constexpr std::uint64_t kBitA = 0x100000;
inline constexpr std::uint64_t kBitF = 0x200000;

struct EntrySpec {
    std::uint16_t kind = 2;
    std::uint32_t arch = 80;
    std::string payload = {};  // before compression
    Pack pack = Pack::raw;
    std::uint64_t flags = kBit64 | kBitLinux;  // that of the compression is added
    std::uint16_t version_major = 1;
    std::uint16_t version_minor = 8;
    std::uint32_t header_size = 0x40;
    // Departures from the truth.
    std::optional<std::string> stored = {};         // instead of the compressed payload
    std::optional<std::uint64_t> opened_size = {};  // field 0x38
    std::function<void(std::string&)> header = {};  // the header as it is written
};

struct RegionSpec {
    std::vector<EntrySpec> entries = {};
    std::optional<std::uint64_t> size = {};  // field 0x08
    std::function<void(std::string&)> header = {};
};

std::string build_entry(const EntrySpec& spec);
std::string build_region(const RegionSpec& spec);
std::string packed(const std::string& content, Pack pack);

// Entries as nvcc 13 makes them: a cubin with one kernel, the same without a kernel, PTX with and without one.
EntrySpec sass(std::uint32_t arch, char suffix = '\0');
EntrySpec stub(std::uint32_t arch, char suffix = '\0');
EntrySpec ptx(std::uint32_t arch, char suffix = '\0');
EntrySpec empty_ptx(std::uint32_t arch, char suffix = '\0');

// A library for Linux with these sections.
struct NamedContent {
    std::string name;
    std::string content;
};
std::string build_library(std::initializer_list<NamedContent> sections);
// One with a section `.nv_fatbin` of one region.
std::string library_of(const std::vector<EntrySpec>& entries);

// `__fatBinC_Wrapper_t`.
std::string wrapper(std::uint64_t pointer, std::uint32_t version = 1);

}  // namespace wheelarch
