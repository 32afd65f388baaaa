#include "policy/coverage.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "policy/cuda_archs.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kShortestFragment = 3;  // `RTX 6000` is part of three names; `A` is part of too many
constexpr std::size_t kMostSuggestions = 4;

// The family of a device: what runs `f` images of `image`. CUDA 12's 10.1 belongs to 11.0, not to 10.0: ptxas 12.9
// takes PTX of sm_100f to sm_103 but not to sm_101, and 13.5 takes that of sm_101f to sm_110.
bool in_family(Arch image, Arch device) {
    const bool renamed = (image.number == 101) != (device.number == 101);
    return image.major() == device.major() && image.minor() <= device.minor() && !renamed;
}

bool runs_sass(Arch image, Arch device) {
    switch (image.suffix) {
        case 'a': return image.number == device.number;
        case 'f': return in_family(image, device);
        default: return image.major() == device.major() && image.minor() <= device.minor();
    }
}

bool compiles_ptx(Arch image, Arch device) {
    switch (image.suffix) {
        case 'a': return image.number == device.number;
        case 'f': return in_family(image, device);
        default: return image.number <= device.number;
    }
}

// The more specific of two images for one number is the better one.
int rank(char suffix) {
    return suffix == 'a' ? 2 : suffix == 'f' ? 1 : 0;
}

template <typename Serves>
std::optional<Arch> best(const std::set<Arch>& images, Serves&& serves) {
    std::optional<Arch> found;
    for (const Arch image : images) {
        const bool better =
            !found || std::tuple(image.number, rank(image.suffix)) > std::tuple(found->number, rank(found->suffix));
        if (better && serves(image)) {
            found = image;
        }
    }
    return found;
}

// Words that nvidia-smi and shops put around a product's name: `NVIDIA A100-SXM4-80GB`, `RTX 6000 Ada Generation`.
bool is_decoration(std::string_view word) {
    constexpr std::string_view kWords[] = {"nvidia", "geforce", "tesla", "pcie", "nvl", "laptop", "gpu", "generation"};
    const bool listed = std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
    const bool memory = word.size() > 2 && word.substr(word.size() - 2) == "gb" &&
                        word.find_first_not_of("0123456789") == word.size() - 2;
    return listed || memory || word.starts_with("sxm") || word.starts_with("hbm");
}

// `GeForce RTX 4090`, `rtx-4090` and `NVIDIA RTX 4090` are one name.
std::string plain_name(std::string_view text) {
    const std::string lower = lower_case(text);
    std::string out;
    for (std::size_t start = 0; start < lower.size();) {
        const std::size_t end = std::min(lower.find_first_of(" -_", start), lower.size());
        const std::string word = lower.substr(start, end - start);
        out += is_decoration(word) ? "" : word;
        start = end + 1;
    }
    return out;
}

std::optional<Arch> parse_capability(std::string_view text) {
    const std::string lower = lower_case(text);
    std::string_view rest = lower;
    for (const std::string_view prefix : {"sm_", "compute_"}) {
        if (rest.starts_with(prefix)) {
            rest.remove_prefix(prefix.size());
            break;
        }
    }
    const auto dotted = parse_dotted_arch(rest);
    const auto arch = dotted ? dotted : parse_bare_arch(rest);
    if (!arch) {
        return std::nullopt;
    }
    const Arch plain{arch->number, '\0'};
    return first_cuda(plain) || is_plausible(plain) ? std::optional(plain) : std::nullopt;
}

Gpu gpu_of(Arch capability) {
    for (const Gpu& gpu : known_gpus()) {
        if (gpu.capability == capability) {
            return gpu;
        }
    }
    return {fmt::format("compute capability {}", torch_name(capability)), capability, is_embedded(capability)};
}

std::optional<Gpu> gpu_of_model(std::string_view text) {
    const std::string wanted = plain_name(text);
    for (const GpuModels& row : gpu_table()) {
        for (const std::string& model : row.models) {
            if (plain_name(model) == wanted) {
                return Gpu{model, row.gpu.capability, row.gpu.embedded};
            }
        }
    }
    return std::nullopt;
}

// The models whose name holds `text`, else the nearest one.
std::vector<std::string> similar_models(std::string_view text) {
    const std::string wanted = plain_name(text);
    if (wanted.size() < kShortestFragment) {
        return {};
    }
    std::vector<std::string> similar;
    std::vector<std::string> plain;
    std::vector<std::string> all;
    for (const GpuModels& row : gpu_table()) {
        for (const std::string& model : row.models) {
            all.push_back(model);
            plain.push_back(plain_name(model));
            if (plain.back().find(wanted) != std::string::npos) {
                similar.push_back(model);
            }
        }
    }
    const auto near = std::find(plain.begin(), plain.end(), nearest_name(wanted, plain));
    if (similar.empty() && near != plain.end()) {
        similar.push_back(all[static_cast<std::size_t>(near - plain.begin())]);
    }
    return similar;
}

std::string suggestion(const std::vector<std::string>& similar) {
    if (similar.empty()) {
        return "give its compute capability, such as 9.0, or a product name, such as H100";
    }
    return fmt::format("did you mean {}{}?", similar.size() > 1 ? "one of " : "", enumerate(similar, kMostSuggestions));
}

// By the rules for other devices, or by the name that the device had before CUDA 13.
bool might_serve(const ArchSet& archs, Arch device) {
    const auto is_renamed = [&](Arch image) {
        return (image.number == 101 && device.number == 110) || (image.number == 110 && device.number == 101);
    };
    return std::any_of(archs.sass.begin(), archs.sass.end(),
                       [&](Arch image) { return runs_sass(image, device) || is_renamed(image); }) ||
           std::any_of(archs.ptx.begin(), archs.ptx.end(), [&](Arch image) { return compiles_ptx(image, device); });
}

}  // namespace

bool is_embedded(Arch arch) {
    return std::any_of(gpu_table().begin(), gpu_table().end(), [&](const GpuModels& row) {
        return row.gpu.embedded && row.gpu.capability.number == arch.number;
    });
}

const std::vector<Gpu>& known_gpus() {
    static const std::vector<Gpu> gpus = [] {
        std::vector<Gpu> all;
        std::transform(gpu_table().begin(), gpu_table().end(), std::back_inserter(all),
                       [](const GpuModels& row) { return row.gpu; });
        return all;
    }();
    return gpus;
}

Gpu find_gpu(std::string_view text) {
    if (const auto capability = parse_capability(text)) {
        return gpu_of(*capability);
    }
    if (auto gpu = gpu_of_model(text)) {
        return *std::move(gpu);
    }
    throw bad_usage(fmt::format("no GPU is known by {}", in_quotes(text)), suggestion(similar_models(text)));
}

Coverage cover(const ArchSet& archs, const Gpu& gpu) {
    const Arch device = gpu.capability;
    const bool embedded = gpu.embedded || is_embedded(device);
    const auto own = best(archs.sass, [&](Arch image) { return image.number == device.number; });
    if (own) {
        return {gpu, Reach::native, own};
    }
    if (embedded) {
        return {gpu, might_serve(archs, device) ? Reach::not_asserted : Reach::none, std::nullopt};
    }
    const auto lower = best(archs.sass, [&](Arch image) { return runs_sass(image, device) && !is_embedded(image); });
    if (lower) {
        return {gpu, Reach::native, lower};
    }
    if (const auto ptx = best(archs.ptx, [&](Arch image) { return compiles_ptx(image, device); })) {
        return {gpu, Reach::jit, ptx};
    }
    const bool disputed =
        std::any_of(archs.sass.begin(), archs.sass.end(), [&](Arch image) { return runs_sass(image, device); });
    return {gpu, disputed ? Reach::not_asserted : Reach::none, std::nullopt};
}

std::string_view name(Reach reach) {
    switch (reach) {
        case Reach::native: return "native";
        case Reach::jit: return "jit";
        case Reach::not_asserted: return "not-asserted";
        case Reach::none: return "none";
    }
    return "none";
}

}  // namespace wheelarch
