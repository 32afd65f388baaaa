// Any bytes as a PE image and as a COFF object. Only an Error may come out.
#include <cstddef>
#include <cstdint>

#include "base/byte_view.hpp"
#include "base/error.hpp"
#include "binary/pe.hpp"
#include "binary/registration.hpp"

namespace {

void look_up(wheelarch::ByteView file, const wheelarch::Pe& pe) {
    for (const wheelarch::PeSection& section : pe.sections) {
        wheelarch::find_file_offset(file, pe, pe.image_base + section.virtual_address);
    }
    wheelarch::find_registration(file, pe);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const wheelarch::ByteView file(data, size);
    try {
        if (wheelarch::is_pe(file)) {
            look_up(file, wheelarch::read_pe(file));
        } else if (wheelarch::is_coff_object(file)) {
            look_up(file, wheelarch::read_coff_object(file));
        }
    } catch (const wheelarch::Error&) {
        // What a hostile file should end in.
    }
    return 0;
}
