// Reads the device code of a file in memory and tells it in short lines.
#pragma once

#include <string>
#include <vector>

#include "binary/device_code.hpp"

namespace wheelarch {

inline DeviceCode read_bytes(const std::string& file, const ReadOptions& options = {}, std::string_view path = "") {
    return read_device_code(ByteView(file), detect_format(ByteView(file).clipped(0, kHeadSize), path), options);
}

// `sm_80`, `compute_90 (empty)`, `lto_90`, `kind 128`.
inline std::string describe(const Image& image) {
    std::string text;
    switch (image.kind) {
        case ImageKind::sass: text = sass_name(image.arch); break;
        case ImageKind::ptx: text = ptx_name(image.arch); break;
        case ImageKind::lto_ir: text = "lto_" + bare_name(image.arch); break;
        case ImageKind::other: text = "kind " + std::to_string(image.raw_kind); break;
    }
    return text + (image.kernelless ? " (empty)" : "");
}

// All images in order, joined by `, `.
inline std::string images(const DeviceCode& code) {
    std::string text;
    for (const Image& image : code.images) {
        text += (text.empty() ? "" : ", ") + describe(image);
    }
    return text;
}

inline std::string images(const std::string& file, const ReadOptions& options = {}) {
    return images(read_bytes(file, options));
}

}  // namespace wheelarch
