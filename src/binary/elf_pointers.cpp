#include "binary/elf_pointers.hpp"

#include <array>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

constexpr const char* kDamaged = "the file is damaged: build or download it again";

// d_tag
constexpr std::uint64_t kPltRelSize = 2, kStrings = 5, kSymbols = 6, kRela = 7, kRelaSize = 8, kStringsSize = 10,
                        kJumpRel = 23, kRelrSize = 35, kRelr = 36;
constexpr std::size_t kTags = 37;

constexpr std::uint64_t kRelaEntry = 24;  // Elf64_Rela
constexpr std::uint64_t kSymbol = 24;     // Elf64_Sym
constexpr std::uint64_t kWord = 8;
constexpr std::uint64_t kLongestName = 256;  // what is longer is none that anybody asks for

enum class Meaning { other, relative, absolute, slot };

Meaning meaning(std::uint16_t machine, std::uint64_t type) {
    if (machine == kMachineX86_64) {
        return type == 8 || type == 38  ? Meaning::relative  // R_X86_64_RELATIVE, _RELATIVE64
               : type == 1              ? Meaning::absolute  // R_X86_64_64
               : type == 6 || type == 7 ? Meaning::slot      // R_X86_64_GLOB_DAT, _JUMP_SLOT
                                        : Meaning::other;
    }
    if (machine == kMachineAarch64) {
        return type == 1027                   ? Meaning::relative  // R_AARCH64_RELATIVE
               : type == 257                  ? Meaning::absolute  // R_AARCH64_ABS64
               : type == 1025 || type == 1026 ? Meaning::slot      // R_AARCH64_GLOB_DAT, _JUMP_SLOT
                                              : Meaning::other;
    }
    return Meaning::other;
}

class Pointers {
public:
    Pointers(ByteView file, const Elf& elf, const std::function<void(const ElfPointer&)>& visit)
        : file_(file), elf_(elf), visit_(visit) {
        for (std::uint64_t at = 0; at + 2 * kWord <= elf.dynamic.size(); at += 2 * kWord) {
            const std::uint64_t tag = elf.dynamic.u64(at, "d_tag");
            if (tag == 0) {
                break;
            }
            if (tag < kTags) {
                tags_[static_cast<std::size_t>(tag)] = elf.dynamic.u64(at + kWord, "d_un");
            }
        }
    }

    void run() {
        const ByteView rela = table(kRela, kRelaSize, "the relocation table");
        const ByteView jumps = table(kJumpRel, kPltRelSize, "the table of jump relocations");
        const ByteView packed = table(kRelr, kRelrSize, "the packed relocation table");
        packed_relocations(packed);
        relocations(rela);
        relocations(jumps);
    }

private:
    ByteView table(std::uint64_t tag, std::uint64_t size_tag, std::string_view what) const {
        const std::uint64_t size = tags_[static_cast<std::size_t>(size_tag)];
        return size == 0 ? ByteView() : file_.slice(offset(tags_[static_cast<std::size_t>(tag)], what), size, what);
    }

    std::uint64_t offset(std::uint64_t address, std::string_view what) const {
        const auto found = find_file_offset(elf_, address);
        if (!found) {
            throw unchecked(fmt::format("no loaded segment of the file holds {} (address {:#x})", what, address),
                            kDamaged);
        }
        return *found;
    }

    void relocations(ByteView entries) const {
        for (std::uint64_t at = 0; at + kRelaEntry <= entries.size(); at += kRelaEntry) {
            const std::uint64_t info = entries.u64(at + 8, "r_info");
            const Meaning kind = meaning(elf_.machine, info & 0xffffffff);
            const std::uint64_t address = entries.u64(at, "r_offset");
            const std::uint64_t addend = entries.u64(at + 16, "r_addend");
            if (kind == Meaning::relative) {
                visit_({address, addend, {}});
            } else if (kind != Meaning::other) {
                symbol(address, info >> 32U, kind == Meaning::slot ? 0 : addend);
            }
        }
    }

    void symbol(std::uint64_t address, std::uint64_t index, std::uint64_t addend) const {
        if (index == 0) {
            visit_({address, addend, {}});
            return;
        }
        const ByteView found =
            file_.slice(offset(tags_[kSymbols] + index * kSymbol, "the symbol table"), kSymbol, "a dynamic symbol");
        if (found.u16(6, "st_shndx") != 0) {
            visit_({address, found.u64(8, "st_value") + addend, {}});
            return;
        }
        const ByteView names =
            file_.slice(offset(tags_[kStrings], "the table of names"), tags_[kStringsSize], "the table of names");
        const std::string_view name = names.clipped(found.u32(0, "st_name"), kLongestName).text();
        visit_({address, std::nullopt, name.substr(0, name.find('\0'))});
    }

    // An even word is the address of one pointer; an odd one a bitmap of the 63 words behind.
    void packed_relocations(ByteView entries) const {
        std::uint64_t next = 0;
        for (std::uint64_t at = 0; at + kWord <= entries.size(); at += kWord) {
            std::uint64_t entry = entries.u64(at, "a packed relocation");
            if (entry % 2 == 0) {
                stored(entry);
                next = entry + kWord;
                continue;
            }
            std::uint64_t address = next;
            for (entry >>= 1U; entry != 0; entry >>= 1U, address += kWord) {
                if (entry % 2 != 0) {
                    stored(address);
                }
            }
            next += 63 * kWord;
        }
    }

    void stored(std::uint64_t address) const {
        if (const auto at = find_file_offset(elf_, address)) {
            visit_({address, file_.u64(*at, "a packed pointer"), {}});
        }
    }

    ByteView file_;
    const Elf& elf_;
    const std::function<void(const ElfPointer&)>& visit_;
    std::array<std::uint64_t, kTags> tags_ = {};
};

}  // namespace

void visit_pointers(ByteView file, const Elf& elf, const std::function<void(const ElfPointer&)>& visit) {
    Pointers(file, elf, visit).run();
}

}  // namespace wheelarch
