#include "binary/elf.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

constexpr const char* kDamaged = "the file is damaged: build or download it again";

constexpr std::string_view kMagic =
    "\x7f"
    "ELF";
constexpr std::uint64_t kData = 5;  // e_ident[EI_DATA]
constexpr std::uint64_t kMachineOffset = 0x12;
constexpr std::uint8_t kLittleEndian = 1;
constexpr std::uint32_t kNobits = 8;                       // SHT_NOBITS
constexpr std::uint32_t kFirstProcessorType = 0x70000000;  // SHT_LOPROC
constexpr std::uint32_t kLoad = 1;                         // PT_LOAD
constexpr std::uint32_t kDynamic = 2;                      // PT_DYNAMIC
constexpr std::uint32_t kWritable = 2;                     // PF_W

constexpr std::uint16_t kIndexEscape = 0xffff;  // SHN_XINDEX

// Where the fields of one ELF class lie. `word` fields are u32 in ELF32 and u64 in ELF64.
struct Layout {
    std::uint64_t e_phoff, e_shoff, e_flags, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx;
    std::uint64_t sh_addr, sh_offset, sh_size, sh_link, sh_info, sh_header;
    std::uint64_t p_offset, p_vaddr, p_filesz, p_flags, p_header;
};
constexpr Layout kElf32 = {0x1c, 0x20, 0x24, 0x2a, 0x2c, 0x2e, 0x30, 0x32, 0x0c, 0x10,
                           0x14, 0x18, 0x1c, 0x28, 4,    8,    16,   24,   0x20};
constexpr Layout kElf64 = {0x20, 0x28, 0x30, 0x36, 0x38, 0x3a, 0x3c, 0x3e, 0x10, 0x18,
                           0x20, 0x28, 0x2c, 0x40, 8,    16,   32,   4,    0x38};

class Reader {
public:
    explicit Reader(ByteView file) : file_(file) {}

    ElfHeader header() {
        read_header();
        return elf_;
    }

    Elf read() {
        read_header();
        read_segments();
        read_sections();
        return std::move(elf_);
    }

    Elf read_loaded() {
        read_header();
        read_segments();
        const bool is_whole =
            elf_.is_loadable() &&
            std::all_of(elf_.load_segments.begin(), elf_.load_segments.end(), [&](const auto& segment) {
                return segment.offset <= file_.size() && segment.filesz <= file_.size() - segment.offset;
            });
        if (is_whole && word(file_, layout_.e_shoff, "e_shoff") == 0) {
            return std::move(elf_);
        }
        try {
            read_sections();
        } catch (const Error& error) {
            if (!is_whole) {
                throw;
            }
            elf_.sections.clear();
            elf_.section_damage = error.problem();
        }
        return std::move(elf_);
    }

    void visit(const std::function<bool(const ElfSection&)>& visit) {
        read_header();
        visit_sections(visit);
    }

private:
    std::uint64_t word(ByteView from, std::uint64_t offset, std::string_view what) const {
        return elf_.is64 ? from.u64(offset, what) : from.u32(offset, what);
    }

    void read_sections() {
        visit_sections([this](const ElfSection& section) {
            elf_.sections.push_back(section);
            return true;
        });
    }

    void read_header() {
        const std::uint8_t elf_class = file_.u8(4, "EI_CLASS");
        if (elf_class != 1 && elf_class != 2) {
            throw unchecked(fmt::format("EI_CLASS is {}, which is neither ELF32 nor ELF64", elf_class), kDamaged)
                .at(file_.origin() + 4);
        }
        if (file_.u8(kData, "EI_DATA") != kLittleEndian) {
            throw unchecked("a big-endian ELF file; CUDA runs on little-endian hosts only",
                            "leave it out of the wheel, or name it with --exclude")
                .at(file_.origin() + kData);
        }
        elf_.is64 = elf_class == 2;
        layout_ = elf_.is64 ? kElf64 : kElf32;
        elf_.abi_version = file_.u8(8, "EI_ABIVERSION");
        elf_.type = file_.u16(0x10, "e_type");
        elf_.machine = file_.u16(kMachineOffset, "e_machine");
        elf_.flags = file_.u32(layout_.e_flags, "e_flags");
        elf_.file_size = file_.size();
    }

    void read_segments() {
        const std::uint64_t table = word(file_, layout_.e_phoff, "e_phoff");
        const std::uint64_t step = file_.u16(layout_.e_phentsize, "e_phentsize");
        const std::uint64_t count = table == 0 ? 0 : file_.u16(layout_.e_phnum, "e_phnum");
        if (count > 0 && step < layout_.p_header) {
            throw unchecked(fmt::format("e_phentsize is {}, expected {}", step, layout_.p_header), kDamaged);
        }
        const ByteView headers = file_.slice(table, count * step, "the program header table");
        for (std::uint64_t i = 0; i < count; ++i) {
            const ByteView header = headers.slice(i * step, step, "a program header");
            const std::uint32_t type = header.u32(0, "p_type");
            const ElfSegment segment = {
                word(header, layout_.p_vaddr, "p_vaddr"), word(header, layout_.p_offset, "p_offset"),
                word(header, layout_.p_filesz, "p_filesz"), (header.u32(layout_.p_flags, "p_flags") & kWritable) != 0};
            if (type == kLoad) {
                elf_.load_segments.push_back(segment);
            } else if (type == kDynamic) {
                elf_.dynamic = file_.clipped(segment.offset, segment.filesz);
            }
        }
    }

    void visit_sections(const std::function<bool(const ElfSection&)>& visit) {
        const std::uint64_t table = word(file_, layout_.e_shoff, "e_shoff");
        if (table == 0) {
            throw unchecked("an ELF file without section headers; what it holds cannot be told",
                            "keep the section headers (strip is fine, sstrip is not), or name it with --exclude");
        }
        const std::uint64_t step = file_.u16(layout_.e_shentsize, "e_shentsize");
        if (step < layout_.sh_header) {
            throw unchecked(fmt::format("e_shentsize is {}, expected {}", step, layout_.sh_header), kDamaged);
        }
        const ByteView first = file_.slice(table, step, "the section header table");
        // Counts that do not fit 16 bits stand in the first, otherwise unused, header.
        std::uint64_t count = file_.u16(layout_.e_shnum, "e_shnum");
        count = count == 0 ? word(first, layout_.sh_size, "sh_size of section 0") : count;
        std::uint64_t names_index = file_.u16(layout_.e_shstrndx, "e_shstrndx");
        names_index = names_index == kIndexEscape ? first.u32(layout_.sh_link, "sh_link of section 0") : names_index;
        if (count > file_.size() / step || names_index >= count) {
            throw unchecked(
                fmt::format("{} section headers with names in section {} do not fit the file", count, names_index),
                kDamaged)
                .at(file_.origin() + table);
        }
        const ByteView headers = file_.slice(table, count * step, "the section header table");
        const ByteView names = contents(headers.slice(names_index * step, step, "a section header"));
        for (std::uint64_t i = 0; i < count; ++i) {
            const ByteView header = headers.slice(i * step, step, "a section header");
            const ElfSection section = {names.c_string(header.u32(0, "sh_name"), "a section name"),
                                        header.u32(4, "sh_type"), header.u32(layout_.sh_link, "sh_link"),
                                        word(header, layout_.sh_addr, "sh_addr"), contents(header)};
            if (!visit(section)) {
                return;
            }
        }
    }

    ByteView contents(ByteView header) const {
        const std::uint32_t type = header.u32(4, "sh_type");
        if (type == 0 || type == kNobits) {
            return {};
        }
        const std::uint64_t offset = word(header, layout_.sh_offset, "sh_offset");
        const std::uint64_t size = word(header, layout_.sh_size, "sh_size");
        if (size == 0) {
            return {};
        }
        // Of NVIDIA's own types some take no room in the file, as SHT_NOBITS does (`.nv.global` of CUDA 11.8:
        // 0x7000000b).
        const bool of_cubin = elf_.machine == kMachineCuda && type >= kFirstProcessorType;
        return of_cubin ? file_.clipped(offset, size) : file_.slice(offset, size, "a section");
    }

    ByteView file_;
    Layout layout_ = kElf64;
    Elf elf_;
};

}  // namespace

const ElfSection* Elf::find(std::string_view name) const {
    const auto found =
        std::find_if(sections.begin(), sections.end(), [&](const ElfSection& section) { return section.name == name; });
    return found == sections.end() ? nullptr : &*found;
}

bool Elf::is_loadable() const noexcept {
    return is64 && (type == kTypeExecutable || type == kTypeShared) && !load_segments.empty();
}

bool is_elf(ByteView file) noexcept {
    return file.starts_with(kMagic);
}

std::uint16_t elf_machine(ByteView file) noexcept {
    if (!is_elf(file) || file.size() < kMachineOffset + 2 || file.data()[kData] != kLittleEndian) {
        return 0;
    }
    return file.u16(kMachineOffset, "e_machine");
}

ElfHeader read_elf_header(ByteView file) {
    return Reader(file).header();
}

Elf read_elf(ByteView file) {
    return Reader(file).read();
}

Elf read_loaded_elf(ByteView file) {
    return Reader(file).read_loaded();
}

void visit_sections(ByteView file, const std::function<bool(const ElfSection&)>& visit) {
    Reader(file).visit(visit);
}

std::optional<std::uint64_t> find_file_offset(const Elf& elf, std::uint64_t address) noexcept {
    for (std::size_t i = elf.load_segments.size(); i > 0; --i) {
        const ElfSegment& segment = elf.load_segments[i - 1];
        if (address >= segment.vaddr && address - segment.vaddr < segment.filesz) {
            return segment.offset + (address - segment.vaddr);
        }
    }
    return std::nullopt;
}

}  // namespace wheelarch
