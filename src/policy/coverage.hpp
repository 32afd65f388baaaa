// Coverage: which GPUs can run what an arch set holds. The rules are NVIDIA's documented ones ("CUDA C++ Programming
// Guide", binary and PTX compatibility; "Blackwell Compatibility Guide", arch- and family-specific targets), measured
// on a device of 9.0:
//   SASS runs on the same major and an equal or higher minor; `a` on its own device only, `f` on its family (same
//   major, equal or higher minor). PTX is compiled for anything equal or higher; `a` PTX on its own device only, `f`
//   PTX on its family. On embedded (Tegra) devices only SASS of just their arch is asserted: reports on the rest
//   disagree. For the same reason SASS of an embedded arch is asserted on its own device only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arch.hpp"

namespace wheelarch {

struct Gpu {
    std::string name;  // `H100, H200, GH200`
    Arch capability;   // without suffix
    bool embedded = false;
};

enum class Reach { native, jit, not_asserted, none };

struct Coverage {
    Gpu gpu;
    Reach reach = Reach::none;
    std::optional<Arch> by;  // the image that serves it, for native and jit
};

// The products of one capability.
struct GpuModels {
    Gpu gpu;
    std::vector<std::string> models;  // every name, as NVIDIA writes it
};

// gpus.cpp: the table behind known_gpus and find_gpu.
const std::vector<GpuModels>& gpu_table();

// 5.3, 6.2, 7.2, 8.7, 10.1 and 11.0.
bool is_embedded(Arch arch);

// Every GPU architecture that CUDA 11.8 and later serve, in order of capability.
const std::vector<Gpu>& known_gpus();

// A GPU by what people type: `9.0`, `90`, `sm_90`, or a product name such as `H100` or `RTX 4090` (case, spaces and
// hyphens do not matter). By an arch it has the name of known_gpus, by a product name that product's. An arch that is
// in no table is taken as it is. Throws an Error (exit 2) on a name not known, with the nearest.
Gpu find_gpu(std::string_view text);

// What serves the GPU. Of several images: the SASS of its own arch (`a` before `f` before plain), else the SASS of the
// highest lower minor, else the highest PTX.
Coverage cover(const ArchSet& archs, const Gpu& gpu);
std::string_view name(Reach reach);  // "native", "jit", "not-asserted", "none"

}  // namespace wheelarch
