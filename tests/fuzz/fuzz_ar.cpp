// Any bytes as an archive. Only an Error may come out.
#include <cstddef>
#include <cstdint>

#include "base/byte_view.hpp"
#include "base/error.hpp"
#include "binary/ar.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const wheelarch::ByteView file(data, size);
    try {
        if (wheelarch::is_ar(file)) {
            wheelarch::read_ar(file);
        }
    } catch (const wheelarch::Error&) {
        // What a hostile archive should end in.
    }
    return 0;
}
