// Cell: one wheel of the grid. The words are those of the policy's YAML and of a matrix row.
#pragma once

#include <string>
#include <string_view>

namespace wheelarch {

struct Cell {
    std::string package;   // `flash_attn`: with `_` where the YAML's name has `-`
    std::string version;   // empty: not known before the sources are there
    std::string cuda;      // `12.8`
    std::string pytorch;   // `2.8.0`
    std::string python;    // `3.12`
    std::string platform;  // `linux`, `windows` or `linux_aarch64`

    auto operator<=>(const Cell&) const = default;
};

// `flash_attn 2.8.3, CUDA 12.8, torch 2.8.0, Python 3.12, linux`, safe to show.
std::string to_text(const Cell& cell);

// `12.8` for what people type: `12.8`, `128` or `cu128`. Text that is none of them stays as it is.
std::string cuda_line(std::string_view typed);
// `12.8` is `128`.
std::string without_dots(const std::string& version);
// `2.8.0` is `2.8`. Text that is no release number stays as it is.
std::string major_minor(const std::string& version);

}  // namespace wheelarch
