// Any bytes as a file of whatever format they are taken for, read as `inspect` reads it. Only an Error may come out.
#include <cstddef>
#include <cstdint>

#include "base/byte_view.hpp"
#include "base/error.hpp"
#include "binary/device_code.hpp"

namespace {

constexpr std::uint64_t kMostBytes = 1 << 20;

void open_all(wheelarch::ByteView file, const wheelarch::DeviceCode& code) {
    wheelarch::PayloadReader reader;
    for (const wheelarch::Image& image : code.images) {
        if (image.opened_size > kMostBytes) {
            continue;
        }
        try {
            wheelarch::open_image(file, image, reader);
        } catch (const wheelarch::Error&) {
            // LTO-IR, for one, cannot be opened.
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // As a member of another file would be, so that offsets in the file and in the view differ.
    const wheelarch::ByteView file(data, size, 0x1000);
    const wheelarch::FileFormat format = wheelarch::detect_format(file.clipped(0, wheelarch::kHeadSize), "a.obj");
    try {
        open_all(file, wheelarch::read_device_code(file, format, {.search = true}));
    } catch (const wheelarch::Error&) {
        // What a hostile file should end in.
    }
    return 0;
}
