// Any bytes as an ELF file: header, sections, what it registers, and what is asked of cubins. Only an Error may
// come out.
#include <cstddef>
#include <cstdint>

#include "base/byte_view.hpp"
#include "base/error.hpp"
#include "binary/cubin.hpp"
#include "binary/elf.hpp"
#include "binary/registration.hpp"

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
    attempt([&] { wheelarch::read_elf(file); });
    attempt([&] {
        const wheelarch::Elf elf = wheelarch::read_loaded_elf(file);
        if (elf.is_loadable()) {
            wheelarch::find_registration(file, elf);
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
