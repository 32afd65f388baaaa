#include "lint/device/feature_names.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>

namespace wheelarch {
namespace {

bool take(std::string_view& text, std::string_view prefix) {
    const bool has = text.starts_with(prefix);
    text.remove_prefix(has ? prefix.size() : 0);
    return has;
}

std::optional<std::uint32_t> take_number(std::string_view& text) {
    std::uint32_t number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || number < 10 || number > 999) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

// `90A`, `100F`, `80` out of a name of CUTLASS. From SM90 on a macro holds for its arch alone, before for all above.
std::optional<ArchMask> cutlass_passes(std::string_view name) {
    const std::size_t at = name.rfind("SM");
    std::string_view rest = at == std::string_view::npos ? std::string_view() : name.substr(at + 2);
    const auto number = take_number(rest);
    if (!number) {
        return std::nullopt;
    }
    const bool alone = rest == "_ENABLED" || rest == "_ACTIVATED";
    const bool tma =
        name.find("TMA_SM90") != std::string_view::npos || name.find("STSM_SM90") != std::string_view::npos;
    if (name.find("MODIFIABLE") != std::string_view::npos) {
        return passes_where([](Arch arch) { return arch.suffix != '\0'; });
    }
    if (alone && tma) {
        return passes_where([](Arch arch) { return arch.number == 90 || arch.suffix != '\0'; });
    }
    if (rest.starts_with("A_")) {
        return passes_where([&](Arch arch) { return arch == Arch{*number, 'a'}; });
    }
    if (rest.starts_with("F_")) {
        return passes_where([&](Arch arch) { return arch.number == *number && arch.suffix != '\0'; });
    }
    if (alone && *number >= 90 && name.find("F64") == std::string_view::npos) {
        return passes_where([&](Arch arch) { return arch.number == *number; });
    }
    return passes_where([&](Arch arch) { return arch.number >= *number; });
}

std::optional<ArchMask> cute_passes(std::string_view name) {
    if (name.find("TCGEN05") != std::string_view::npos || name.find("SM100A") != std::string_view::npos ||
        name.find("TMA_SM100") != std::string_view::npos || name == "CUTE_ARCH_FLOAT2_MATH_ENABLED") {
        return passes_where(
            [](Arch arch) { return arch.suffix != '\0' && (arch.major() == 10 || arch.major() == 11); });
    }
    if (name.find("F8F6F4") != std::string_view::npos || name.find("MXF4") != std::string_view::npos) {
        return passes_where([](Arch arch) { return arch.suffix != '\0' && arch.major() == 12; });
    }
    return cutlass_passes(name);
}

// Of `nv/target` (libcu++): `NV_PROVIDES_SM_89`, `NV_IS_EXACTLY_SM_90`, `NV_HAS_FEATURE_SM_90a`.
std::optional<ArchMask> target_passes(std::string_view name) {
    if (name == "NV_ANY_TARGET" || name == "NV_NO_TARGET") {
        return name == "NV_NO_TARGET" ? kNoPass : every_pass();
    }
    if (name == "NV_IS_HOST" || name == "NV_IS_DEVICE") {
        const ArchMask on_device = devices(every_pass());
        return name == "NV_IS_DEVICE" ? on_device : every_pass() & ~on_device;
    }
    const bool exactly = take(name, "NV_IS_EXACTLY_SM_");
    const bool feature = take(name, "NV_HAS_FEATURE_SM_");
    if (!exactly && !feature && !take(name, "NV_PROVIDES_SM_")) {
        return std::nullopt;
    }
    const auto number = take_number(name);
    return !number ? std::nullopt : std::optional(passes_where([&](Arch arch) {
        return feature   ? arch == Arch{*number, name.empty() ? '\0' : name.front()}
               : exactly ? arch.number == *number
                         : arch.number >= *number;
    }));
}

constexpr std::string_view kElsewhere[] = {
    "USE_ROCM",
    "__HIP__",
    "__HIPCC__",
    "__HIP_PLATFORM_AMD__",
    "__HIP_PLATFORM_HCC__",
    "__HIP_DEVICE_COMPILE__",
    "__MUSA__",
    "__MUSA_ARCH__",
    "GGML_USE_HIP",
    "GGML_USE_MUSA",
    "SYCL_LANGUAGE_VERSION",
    "__SYCL_DEVICE_ONLY__",
    "USE_MUSA",
    "__MACA__",
};

bool contains_fp8_format(std::string_view word) {
    // Asked of every word: most have no such pair.
    const auto is_middle = [](char first, char second) {
        return (second == 'm' || second == 'M') && (first == '4' || first == '5');
    };
    if (std::adjacent_find(word.begin(), word.end(), is_middle) == word.end()) {
        return false;
    }
    std::string lower(word.substr(0, 128));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    // `ue4m3`, without a sign, is a format of scales.
    std::size_t at = lower.find("e4m3");
    while (at != std::string::npos && at > 0 && lower[at - 1] == 'u') {
        at = lower.find("e4m3", at + 1);
    }
    const bool format = at != std::string::npos || lower.find("e5m2") != std::string::npos;
    return format && lower.find("fnuz") == std::string::npos;
}

const std::vector<ArchNeed>& block_scaled_needs() {
    static const std::vector<ArchNeed> needs = {{{100, 'f'}, ArchNeed::Kind::family},
                                                {{103, 'f'}, ArchNeed::Kind::family},
                                                {{120, 'f'}, ArchNeed::Kind::family},
                                                {{121, 'f'}, ArchNeed::Kind::family}};
    return needs;
}

ArchNeed suffix_need(std::uint32_t number) {
    return number < 100 ? ArchNeed{{number, 'a'}, ArchNeed::Kind::exact_suffix}
                        : ArchNeed{{number, 'f'}, ArchNeed::Kind::family};
}

// `KernelTmaWarpSpecializedPingpong` is Hopper's; later ones end in their arch (`…1SmSm100`, `…Sm120`).
std::vector<ArchNeed> schedule_needs(std::string_view word) {
    const std::size_t at = word.rfind("Sm1");
    std::string_view rest = at == std::string_view::npos ? std::string_view() : word.substr(at + 2);
    return {suffix_need(take_number(rest).value_or(90))};
}

// `SM90_64x64x16_…` is wgmma's, `SM100_MMA_…` tcgen05's, `SM120_16x8x…` and `SM120::BLOCKSCALED` block-scaled mma's.
std::vector<ArchNeed> atom_needs(std::string_view word) {
    if (word.starts_with("SM90_64x")) {
        return {suffix_need(90)};
    }
    if (word.starts_with("SM100_MMA_") || word.starts_with("SM100_TMEM_")) {
        return {suffix_need(100)};
    }
    return word.starts_with("SM120_16x8x") ? std::vector{suffix_need(120)} : std::vector<ArchNeed>();
}

// Asked of every word: most begin otherwise.
bool begins_as_library_name(std::string_view word) {
    if (word.size() < 2) {
        return false;
    }
    switch (word[0]) {
        case 'C': return word[1] == 'o';
        case 'K': return word[1] == 'e';
        case 'O': return word[1] == 'p';
        case 'S': return word[1] == 'M';
        case 'm': return word[1] == 'x';
        case 'n': return word[1] == 'v';
        case 'r':
        case 's': return word[1] == 's';
        case 'w': return word[1] == 'a';
        default: return false;
    }
}

}  // namespace

std::optional<ArchMask> passes_defining(std::string_view macro) {
    if (macro == "__CUDA_ARCH__" || macro == "__CUDACC__") {
        return passes_where([](Arch) { return true; });
    }
    if (macro == "__CUDA_ARCH_SPECIFIC__") {
        return passes_where([](Arch arch) { return arch.suffix == 'a'; });
    }
    if (macro == "__CUDA_ARCH_FAMILY_SPECIFIC__" || macro == "CUTLASS_ARCH_CLC_ENABLED") {
        const bool clc = macro.starts_with("CUTLASS");
        return passes_where([&](Arch arch) { return arch.suffix != '\0' && (!clc || arch.number >= 100); });
    }
    if (macro == "__CUDA_ARCH_HAS_FEATURE__") {
        return every_pass();
    }
    if (macro.starts_with("NV_")) {
        return target_passes(macro);
    }
    std::string_view rest = macro;
    if (take(rest, "__CUDA_ARCH_FEAT_SM")) {
        const auto number = take_number(rest);
        return number && rest == "_ALL"
                   ? std::optional(passes_where([&](Arch arch) { return arch == Arch{*number, 'a'}; }))
                   : std::nullopt;
    }
    if (macro.ends_with("_SUPPORTED")) {
        return std::nullopt;  // by the release of CUDA, not by the arch
    }
    if (macro.starts_with("CUTLASS_ARCH_")) {
        return cutlass_passes(macro);
    }
    if (macro.starts_with("CUTE_ARCH_")) {
        return cute_passes(macro);
    }
    const bool elsewhere = std::find(std::begin(kElsewhere), std::end(kElsewhere), macro) != std::end(kElsewhere);
    return elsewhere ? std::optional(kNoPass) : std::nullopt;
}

bool is_fp8_name(std::string_view word) {
    const bool named =
        word.starts_with("__") &&
        (word.starts_with("__nv_fp8") || word.starts_with("__NV_E4M3") || word.starts_with("__NV_E5M2") ||
         (word.starts_with("__nv_cvt_") && word.find("fp8") != std::string_view::npos));
    return (named || contains_fp8_format(word)) && !(word.starts_with("CUDA_R_") || word.starts_with("CUDNN_") ||
                                                     word.starts_with("HIP_") || word.starts_with("__hip_"));
}

std::vector<ArchNeed> library_needs(std::string_view word) {
    if (!begins_as_library_name(word)) {
        return {};
    }
    if (word.starts_with("KernelTmaWarpSpecialized") || word.starts_with("KernelCpAsyncWarpSpecialized")) {
        return schedule_needs(word);
    }
    if (word == "warpgroup_arrive" || word == "warpgroup_commit_batch" || word == "warpgroup_fence_operand" ||
        word == "warpgroup_wait" || word == "ss_op_selector" || word == "rs_op_selector") {
        return {suffix_need(90)};
    }
    if (word == "OpClassBlockScaledTensorOp" || word == "mx_float8_t" || word == "mx_float4_t" ||
        word == "nv_float4_t") {
        return block_scaled_needs();
    }
    if (word.starts_with("CollectiveBuilder<Sm")) {
        std::string_view rest = word.substr(std::string_view("CollectiveBuilder<Sm").size());
        const auto number = take_number(rest);
        return number && *number >= 90 ? std::vector{suffix_need(*number)} : std::vector<ArchNeed>();
    }
    return word.starts_with("SM") ? atom_needs(word) : std::vector<ArchNeed>();
}

}  // namespace wheelarch
