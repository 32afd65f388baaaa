// Exists-check: the key of a cell, and which assets of a release are its wheel.
#pragma once

#include <string>
#include <string_view>

#include "policy/cell.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

struct ExistsKey {
    std::string text;    // `flash_attn-2.8.3+cu128torch2.8-cp312-linux@epoch1`
    std::string sha256;  // of the text, in hex
};

// Name and version in their normal forms (wheel/wheel_name.hpp). A package with its own epoch has `+pkgN` behind the
// farm's; one that does not link torch has `torch*`, and a
// version that is not known is `*`.
ExistsKey exists_key(const Farm& farm, const Package& package, const Cell& cell);
// The text alone, for many.
std::string key_text(const Farm& farm, const Package& package, const Cell& cell);

// Is the asset a wheel of the cell? Epochs are no part of it. Its name and version must be the cell's in their normal
// forms, the version with the local part `cu128torch2.8` or `cu128torch28`; any torch will do where the package does
// not link it, any version where the cell has none. Its tags must serve the cell's Python (`cp312-cp312`,
// `cp310-abi3`, `py3-none`) and platform: `linux` is x86_64, manylinux or bare, and `linux_aarch64` and `windows` are
// theirs alone. What is no wheel's name matches no cell.
bool is_wheel_of(std::string_view asset, const Package& package, const Cell& cell);

}  // namespace wheelarch
