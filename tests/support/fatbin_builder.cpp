#include "support/fatbin_builder.hpp"

#include <algorithm>
#include <stdexcept>

#include <lz4.h>
#include <zstd.h>

#include "support/bytes.hpp"

namespace wheelarch {
namespace {

std::string lz4_block(const std::string& content) {
    std::string out(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(content.size()))), '\0');
    const int size = LZ4_compress_default(content.data(), out.data(), static_cast<int>(content.size()),
                                          static_cast<int>(out.size()));
    out.resize(static_cast<std::size_t>(size));
    return out;
}

std::string zstd_frame(const std::string& content) {
    std::string out(ZSTD_compressBound(content.size()), '\0');
    const std::size_t size = ZSTD_compress(out.data(), out.size(), content.data(), content.size(), 3);
    if (ZSTD_isError(size) != 0) {
        throw std::logic_error("zstd could not compress test data");
    }
    out.resize(size);
    return out;
}

std::uint64_t pack_flag(Pack pack) {
    return pack == Pack::lz4 ? kBitLz4 : pack == Pack::zstd ? kBitZstd : 0;
}

std::uint64_t suffix_flag(char suffix) {
    return suffix == 'a' ? kBitA : suffix == 'f' ? kBitF : 0;
}

std::string target(std::uint32_t arch, char suffix) {
    return "sm_" + std::to_string(arch) + (suffix == '\0' ? "" : std::string(1, suffix));
}

EntrySpec cubin_entry(std::uint32_t arch, char suffix, std::vector<std::string> kernels) {
    const CubinA a = suffix == 'a' ? CubinA::in_compat : CubinA::no;
    return {.kind = 2,
            .arch = arch,
            .payload = build_cubin({.arch = arch, .a = a, .kernels = std::move(kernels)}),
            .flags = kBit64 | kBitLinux | suffix_flag(suffix)};
}

EntrySpec ptx_entry(std::uint32_t arch, char suffix, std::string_view body) {
    return {.kind = 1,
            .arch = arch,
            .payload = build_ptx(target(arch, suffix), body) + '\0',
            .flags = kBit64 | kBitLinux | suffix_flag(suffix),
            .version_major = 9,
            .version_minor = 0};
}

}  // namespace

std::string packed(const std::string& content, Pack pack) {
    return pack == Pack::lz4 ? lz4_block(content) : pack == Pack::zstd ? zstd_frame(content) : content;
}

std::string build_entry(const EntrySpec& spec) {
    std::string stored = spec.stored ? *spec.stored : packed(spec.payload, spec.pack);
    const bool raw = spec.pack == Pack::raw;
    const std::uint64_t size = stored.size();
    pad(stored, 8);
    std::string header = le16(spec.kind) + le16(0x0101) + le32(spec.header_size) + le64(stored.size()) +
                         le32(raw ? 0 : size) + le32(0) + le16(spec.version_minor) + le16(spec.version_major) +
                         le32(spec.arch) + le32(0) + le32(0) + le64(spec.flags | pack_flag(spec.pack)) + le64(0) +
                         le64(spec.opened_size.value_or(raw ? 0 : spec.payload.size()));
    // Names and options, which our reader steps over.
    header.resize(std::max<std::size_t>(header.size(), spec.header_size), 'n');
    if (spec.header) {
        spec.header(header);
    }
    return header + stored;
}

std::string build_region(const RegionSpec& spec) {
    std::string entries;
    for (const EntrySpec& entry : spec.entries) {
        entries += build_entry(entry);
    }
    std::string header = le32(0xBA55ED50) + le16(1) + le16(0x10) + le64(spec.size.value_or(entries.size()));
    if (spec.header) {
        spec.header(header);
    }
    return header + entries;
}

EntrySpec sass(std::uint32_t arch, char suffix) {
    return cubin_entry(arch, suffix, {"scale"});
}

EntrySpec stub(std::uint32_t arch, char suffix) {
    return cubin_entry(arch, suffix, {});
}

EntrySpec ptx(std::uint32_t arch, char suffix) {
    return ptx_entry(arch, suffix, kPtxKernel);
}

EntrySpec empty_ptx(std::uint32_t arch, char suffix) {
    return ptx_entry(arch, suffix, "");
}

std::string build_library(std::initializer_list<NamedContent> sections) {
    ElfSpec elf;
    elf.sections.push_back({.name = ".text", .content = zeros(16), .flags = 6});
    for (const NamedContent& section : sections) {
        elf.sections.push_back({.name = section.name, .content = section.content});
    }
    return build_elf(elf);
}

std::string library_of(const std::vector<EntrySpec>& entries) {
    return build_library({{".nv_fatbin", build_region({.entries = entries})}});
}

std::string wrapper(std::uint64_t pointer, std::uint32_t version) {
    return le32(0x466243B1) + le32(version) + le64(pointer) + le64(0);
}

}  // namespace wheelarch
