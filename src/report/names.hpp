// Names that both the text and the JSON reports print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "policy/arch_check.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

std::string_view name(ImageKind kind);           // sass, ptx, lto-ir, other
std::string_view name(Compression compression);  // none, lz4, zstd, unknown
// `sm_90a`, `compute_90`, `lto_90`; for another kind the bare number.
std::string target_name(const Image& image);
std::string_view verdict_name(const Verdict& verdict);     // match, mismatch, refused
std::string_view verdict_name(ExitCode code);              // match, mismatch, unchecked
std::string_view format_name(const Inventory& inventory);  // `wheel`, else the file's format

std::vector<std::string> sass_names(const ArchSet& archs);
std::vector<std::string> ptx_names(const ArchSet& archs);

// Who was asked about all of its binaries: native, and cuobjdump if that could be asked about at least one.
std::vector<std::string> witnesses(const Inventory& inventory);

}  // namespace wheelarch
