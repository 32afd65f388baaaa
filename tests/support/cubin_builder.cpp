#include "support/cubin_builder.hpp"

#include "support/bytes.hpp"

namespace wheelarch {
namespace {

constexpr std::uint32_t kNvInfo = 0x70000000;
constexpr std::uint32_t kNvCompat = 0x70000086;
constexpr std::size_t kEmptyKernel = 0x80;  // bytes of code of `__global__ void k() {}` on sm_75

// The records that nvcc 13.0 writes; the first tells about suffix `a`.
std::string compat(bool a) {
    return std::string{'\x02', '\x09', a ? '\x01' : '\x00', '\x00'} +
           std::string(
               "\x02\x02\x01\x00\x02\x05\x05\x00\x03\x07\x01\x01\x02\x03\x00\x00\x02\x06\x01\x00\x04\x0b\x08\x00", 24) +
           zeros(8);
}

std::uint32_t flags(const CubinSpec& spec) {
    const bool a = spec.a == CubinA::in_flags;
    return spec.abi == 7 ? spec.arch | 0x500u | spec.arch << 16 | (a ? 0x800u : 0)
                         : 0x06000000u | spec.arch << 8 | (spec.arch < 100 ? 0x04u : 0x02u) | (a ? 0x8u : 0);
}

}  // namespace

std::string build_cubin(const CubinSpec& spec) {
    ElfSpec elf;
    elf.os_abi = spec.abi == 7 ? 0x33 : 0x41;
    elf.abi_version = static_cast<std::uint8_t>(spec.abi);
    elf.type = 2;  // ET_EXEC
    elf.machine = 190;
    elf.version = spec.abi == 7 ? 0x76 : 1;
    elf.flags = flags(spec);
    elf.names_first = true;
    const std::string names = spec.tile ? std::string("\0___NV_TILE_LAUNCH_META_DATA___\0", 32) : zeros(1);
    elf.sections = {{.name = ".strtab", .content = names, .type = 3, .flags = 0},
                    {.name = ".symtab", .content = zeros(24), .type = kElfSymtab, .flags = 0},
                    {.name = ".nv.info", .content = zeros(12), .type = kNvInfo, .flags = 0}};
    if (spec.abi != 7) {
        elf.sections.push_back(
            {.name = ".nv.compat", .content = compat(spec.a == CubinA::in_compat), .type = kNvCompat, .flags = 0});
    }
    for (const std::string& kernel : spec.kernels) {
        elf.sections.push_back({.name = ".text." + kernel, .content = std::string(kEmptyKernel, '\x18'), .flags = 6});
        if (spec.arch >= 100) {
            elf.sections.push_back(
                {.name = ".nv.capmerc.text." + kernel, .content = zeros(16), .type = 0x70000016, .flags = 0});
        }
    }
    if (spec.data > 0) {
        elf.sections.push_back(
            {.name = ".nv.constant3", .content = std::string(static_cast<std::size_t>(spec.data), 'c')});
    }
    elf.sections.insert(elf.sections.end(), spec.sections.begin(), spec.sections.end());
    return build_elf(elf);
}

std::string build_ptx(std::string_view target, std::string_view body) {
    return ".version 9.0\n.target " + std::string(target) + "\n.address_size 64\n\n" + std::string(body);
}

}  // namespace wheelarch
