// The data directories of a PE image: imports, and words that the loader moves. Declared in pe.hpp.
#include <string>

#include <fmt/format.h>

#include "base/error.hpp"
#include "binary/pe.hpp"

namespace wheelarch {
namespace {

constexpr const char* kDamaged = "the file is damaged: build or download it again";

constexpr std::size_t kImports = 1, kBaseRelocations = 5, kDelayImports = 13;  // IMAGE_DIRECTORY_ENTRY_*
constexpr std::uint64_t kLongestName = 256;
constexpr std::uint16_t kDir64 = 10;  // IMAGE_REL_BASED_DIR64

ByteView at_rva(ByteView file, const Pe& pe, std::uint64_t rva, std::string_view what) {
    const auto offset = find_file_offset(file, pe, pe.image_base + rva);
    if (!offset) {
        throw unchecked(fmt::format("no section of the file holds {} (address {:#x})", what, pe.image_base + rva),
                        kDamaged);
    }
    return file.from(*offset, what);
}

std::uint64_t directory(const Pe& pe, std::size_t index) {
    return index < pe.directories.size() ? pe.directories[index] : 0;
}

// Visits the names of descriptors of `size` bytes, whose table of thunks is at `table` of them or else at `other`.
class Imports {
public:
    Imports(ByteView file, const Pe& pe, const std::function<void(std::string_view)>& visit)
        : file_(file), pe_(pe), visit_(visit) {}

    void run(std::size_t index, std::uint64_t size, std::uint64_t table, std::uint64_t other) {
        const std::uint64_t rva = directory(pe_, index);
        if (rva == 0) {
            return;
        }
        const ByteView descriptors = at_rva(file_, pe_, rva, "the import table");
        for (std::uint64_t at = 0;; at += size) {
            const ByteView descriptor = descriptors.slice(at, size, "an import descriptor");
            const std::uint32_t first = descriptor.u32(table, "an import's thunks");
            const std::uint32_t thunks_at = first != 0 ? first : descriptor.u32(other, "an import's thunks");
            if (thunks_at == 0) {
                return;
            }
            thunks(at_rva(file_, pe_, thunks_at, "an import's thunks"));
        }
    }

private:
    void thunks(ByteView table) {
        for (std::uint64_t at = 0;; at += 8) {
            const std::uint64_t thunk = table.u64(at, "an import's thunk");
            if (thunk == 0) {
                return;
            }
            if (++count_ > file_.size() / 8) {
                throw unchecked("the import tables overlap", kDamaged);
            }
            if (thunk >> 63U == 0) {  // else it is by number
                // Behind the two bytes of a hint; what is longer is none that anybody asks for.
                const std::string_view name =
                    at_rva(file_, pe_, thunk & 0x7fffffff, "an import's name").clipped(2, kLongestName).text();
                visit_(name.substr(0, name.find('\0')));
            }
        }
    }

    ByteView file_;
    const Pe& pe_;
    const std::function<void(std::string_view)>& visit_;
    std::uint64_t count_ = 0;
};

}  // namespace

void visit_imports(ByteView file, const Pe& pe, const std::function<void(std::string_view)>& visit) {
    Imports imports(file, pe, visit);
    imports.run(kImports, 20, 0, 16);        // OriginalFirstThunk, FirstThunk
    imports.run(kDelayImports, 32, 16, 12);  // ImportNameTableRVA, ImportAddressTableRVA
}

void visit_pointers(ByteView file, const Pe& pe, const std::function<void(const PePointer&)>& visit) {
    const std::uint64_t rva = directory(pe, kBaseRelocations);
    if (rva == 0) {
        return;
    }
    ByteView blocks = at_rva(file, pe, rva, "the base relocations");
    for (const PeSection& section : pe.sections) {  // they end with their section at the latest
        if (rva >= section.virtual_address && rva - section.virtual_address < section.bytes.size()) {
            blocks = blocks.clipped(0, section.bytes.size() - (rva - section.virtual_address));
        }
    }
    while (blocks.size() >= 8) {
        const std::uint64_t page = pe.image_base + blocks.u32(0, "a page of base relocations");
        const std::uint64_t size = blocks.u32(4, "the size of a page of base relocations");
        if (size < 8) {
            return;  // padding
        }
        const ByteView entries = blocks.slice(0, size, "a page of base relocations");
        for (std::uint64_t at = 8; at + 2 <= entries.size(); at += 2) {
            const std::uint16_t entry = entries.u16(at, "a base relocation");
            const std::uint64_t address = page + (entry & 0xfffU);
            const auto offset = entry >> 12U == kDir64 ? find_file_offset(file, pe, address) : std::nullopt;
            if (offset && *offset + 8 <= file.size()) {
                visit({address, file.u64(*offset, "a pointer")});
            }
        }
        blocks = blocks.from(size, "the base relocations");
    }
}

}  // namespace wheelarch
