// Any bytes as an ELF file: header, sections, relocations, addresses, and what is asked of cubins. Only an Error may
// come out.
#include <cstddef>
#include <cstdint>

#include "base/byte_view.hpp"
#include "base/error.hpp"
#include "binary/cubin.hpp"
#include "binary/elf.hpp"

namespace {

template <typename Body>
void attempt(const Body& body) {
    try {
        body();
    } catch (const wheelarch::Error&) {
        // What a hostile file should end in.
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const wheelarch::ByteView file(data, size);
    attempt([&] {
        const wheelarch::Elf elf = wheelarch::read_elf(file);
        wheelarch::relative_relocations(elf, 0, ~std::uint64_t{0});
        for (const wheelarch::ElfSection& section : elf.sections) {
            attempt([&] { wheelarch::file_offset(elf, section.addr); });
        }
    });
    if (wheelarch::is_cubin(file)) {
        attempt([&] { wheelarch::cubin_number(file); });
        attempt([&] { wheelarch::cubin_arch(file); });
        attempt([&] { wheelarch::cubin_has_code(file); });
        wheelarch::cubin_head_function(file);
        attempt([&] { wheelarch::cubin_has_stray_link(file); });
    }
    return 0;
}
