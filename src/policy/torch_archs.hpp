// What torch's own reader of TORCH_CUDA_ARCH_LIST knows: `_get_cuda_arch_flags` in torch/utils/cpp_extension.py. It
// turns each space into `;`, replaces the names by their archs one after the other, splits at `;`, and refuses every
// item that is not in its table. Packages that build with CMake, or pass an -arch flag of their own, never get there.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arch.hpp"
#include "base/finding.hpp"

namespace wheelarch {

struct TorchVersion {
    unsigned major = 0;
    unsigned minor = 0;
    auto operator<=>(const TorchVersion&) const = default;
};

// `2.8`, `2.8.0`; throws an Error (exit 2) on anything else.
TorchVersion parse_torch_version(std::string_view text);
std::string to_text(TorchVersion version);

// The newest release that the tables were read from.
inline constexpr TorchVersion kTorchTable{2, 15};

// A family name that stands for archs.
struct TorchName {
    std::string_view name;     // `Ampere`
    std::string_view meaning;  // `8.0;8.6+PTX`, as of kTorchTable
    std::string_view history;  // what other releases read, if that differs; else empty
};

// In torch's order: `Ampere+Tegra` before `Ampere`, since the first one that fits is replaced.
const std::vector<TorchName>& torch_names();

struct TorchRange {
    TorchVersion first;                // 1.13: that release or an earlier one
    std::optional<TorchVersion> last;  // none: kTorchTable still has it
};

// The releases whose table holds the arch; none if no table that was read does.
std::optional<TorchRange> torch_support(Arch arch);

// What torch says to an item that it does not know.
std::string torch_refusal(std::string_view item);

// One warning (`torch-lacks-arch`) for each arch that cpp_extension of this release refuses. A newer torch is judged as
// kTorchTable. It matters only for a package that builds through cpp_extension.
std::vector<Finding> check_torch(const ArchSet& archs, TorchVersion torch, std::string_view place);

}  // namespace wheelarch
