#include "policy/cuda_archs.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/version.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

struct Target {
    Arch arch;
    CudaVersion first;
    CudaVersion last;  // kStill: the newest release in the table still has it
};

constexpr CudaVersion kStill{0, 0};
constexpr CudaVersion kOldest{5, 0};
constexpr CudaVersion kNewest{13, 5};

// From 11.8 on: what the ptxas of each release lists as values of --gpu-name, asked one by one: 11.8.89, 12.0.76,
// 12.0.140, 12.1.105, 12.2.140, 12.3.107, 12.4.131, 12.5.82, 12.6.85, 12.8.61, 12.8.93, 12.9.41, 12.9.86, 13.0.48,
// 13.0.88, 13.1.80, 13.1.115, 13.2.51, 13.2.86, 13.3.33, 13.3.73, 13.4.59, 13.4.92 and 13.5.37 (there was no public
// 12.7). In each, the sm_ and compute_ targets were the same set, and from 13.0 on nvcc --help named the same too.
// Before 11.8: the release notes in "Parallel Thread Execution ISA", which give the targets that each version added,
// and for 3.0 and 3.2 the CUDA 11.0 release notes, which removed them. Not asked of a compiler.
constexpr Target kTargets[] = {
    {{30, '\0'}, {5, 0}, {10, 2}},  {{32, '\0'}, {6, 0}, {10, 2}},  {{35, '\0'}, {5, 0}, {11, 8}},
    {{37, '\0'}, {6, 5}, {11, 8}},  {{50, '\0'}, {6, 0}, {12, 9}},  {{52, '\0'}, {6, 5}, {12, 9}},
    {{53, '\0'}, {7, 0}, {12, 9}},  {{60, '\0'}, {8, 0}, {12, 9}},  {{61, '\0'}, {8, 0}, {12, 9}},
    {{62, '\0'}, {8, 0}, {12, 9}},  {{70, '\0'}, {9, 0}, {12, 9}},  {{72, '\0'}, {9, 1}, {12, 9}},
    {{75, '\0'}, {10, 0}, kStill},  {{80, '\0'}, {11, 0}, kStill},  {{86, '\0'}, {11, 1}, kStill},
    {{87, '\0'}, {11, 4}, kStill},  {{88, '\0'}, {13, 0}, kStill},  {{89, '\0'}, {11, 8}, kStill},
    {{90, '\0'}, {11, 8}, kStill},  {{90, 'a'}, {12, 0}, kStill},   {{100, '\0'}, {12, 8}, kStill},
    {{100, 'a'}, {12, 8}, kStill},  {{100, 'f'}, {12, 9}, kStill},  {{101, '\0'}, {12, 8}, {12, 9}},
    {{101, 'a'}, {12, 8}, {12, 9}}, {{101, 'f'}, {12, 9}, {12, 9}}, {{103, '\0'}, {12, 9}, kStill},
    {{103, 'a'}, {12, 9}, kStill},  {{103, 'f'}, {12, 9}, kStill},  {{107, '\0'}, {13, 4}, kStill},
    {{107, 'a'}, {13, 4}, kStill},  {{107, 'f'}, {13, 4}, kStill},  {{110, '\0'}, {13, 0}, kStill},
    {{110, 'a'}, {13, 0}, kStill},  {{110, 'f'}, {13, 0}, kStill},  {{120, '\0'}, {12, 8}, kStill},
    {{120, 'a'}, {12, 8}, kStill},  {{120, 'f'}, {12, 9}, kStill},  {{121, '\0'}, {12, 9}, kStill},
    {{121, 'a'}, {12, 9}, kStill},  {{121, 'f'}, {12, 9}, kStill},
};

struct PtxIsa {
    unsigned major;
    unsigned minor;
    CudaVersion cuda;
};

// From 7.8 on asked of the same ptxas binaries (what each calls its current version); the rest, and 8.6 of the
// CUDA 12.7 that had a driver but no public toolkit, from the release notes in "Parallel Thread Execution ISA".
constexpr PtxIsa kPtxIsas[] = {
    {3, 1, {5, 0}},  {3, 2, {5, 5}},  {4, 0, {6, 0}},  {4, 1, {6, 5}},  {4, 2, {7, 0}},  {4, 3, {7, 5}},
    {5, 0, {8, 0}},  {6, 0, {9, 0}},  {6, 1, {9, 1}},  {6, 2, {9, 2}},  {6, 3, {10, 0}}, {6, 4, {10, 1}},
    {6, 5, {10, 2}}, {7, 0, {11, 0}}, {7, 1, {11, 1}}, {7, 2, {11, 2}}, {7, 3, {11, 3}}, {7, 4, {11, 4}},
    {7, 5, {11, 5}}, {7, 6, {11, 6}}, {7, 7, {11, 7}}, {7, 8, {11, 8}}, {8, 0, {12, 0}}, {8, 1, {12, 1}},
    {8, 2, {12, 2}}, {8, 3, {12, 3}}, {8, 4, {12, 4}}, {8, 5, {12, 5}}, {8, 6, {12, 7}}, {8, 7, {12, 8}},
    {8, 8, {12, 9}}, {9, 0, {13, 0}}, {9, 1, {13, 1}}, {9, 2, {13, 2}}, {9, 3, {13, 3}}, {9, 4, {13, 4}},
    {9, 5, {13, 5}},
};

const Target* find_target(Arch arch) {
    const auto* found = std::find_if(std::begin(kTargets), std::end(kTargets),
                                     [&](const Target& target) { return target.arch == arch; });
    return found == std::end(kTargets) ? nullptr : found;
}

bool has(const Target& target, CudaVersion cuda) {
    return target.first <= cuda && (target.last == kStill || cuda <= target.last);
}

// `9.0 (sm_90)`: both spellings, since a list may be in either.
std::string both_names(Arch arch) {
    return fmt::format("{} ({})", torch_name(arch), sass_name(arch));
}

// What the same device is called in the releases on the other side of 13.0, which renamed sm_101 to sm_110
// ("Parallel Thread Execution ISA", .target; ptxas 13.5 still compiles PTX for sm_101 to sm_110).
std::optional<Arch> renamed(Arch arch) {
    switch (arch.number) {
        case 101: return Arch{110, arch.suffix};
        case 110: return Arch{101, arch.suffix};
        default: return std::nullopt;
    }
}

// Targets of `cuda` for the same device with another suffix, as `10.0, 10.0a`.
std::string siblings(Arch arch, CudaVersion cuda) {
    std::vector<std::string> names;
    for (const Target& target : kTargets) {
        if (target.arch.number == arch.number && target.arch.suffix != arch.suffix && has(target, cuda)) {
            names.push_back(torch_name(target.arch));
        }
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string releases(const Target& target) {
    if (target.last == kStill) {
        return fmt::format("CUDA {} and later have", to_text(target.first));
    }
    if (target.last == target.first) {
        return fmt::format("only CUDA {} has", to_text(target.first));
    }
    return fmt::format("CUDA {} to {} have", to_text(target.first), to_text(target.last));
}

std::string way_out(Arch arch, const Target& target, CudaVersion cuda) {
    const bool too_old = cuda < target.first;
    const std::string other_cuda = fmt::format(
        "build with CUDA {} or {}", to_text(too_old ? target.first : target.last), too_old ? "newer" : "older");
    if (const auto other = renamed(arch); other && builds(cuda, *other)) {
        return fmt::format("write {} for CUDA {} (the same device: CUDA 13.0 renamed 10.1 to 11.0), or {}",
                           torch_name(*other), to_text(cuda), other_cuda);
    }
    if (const std::string others = siblings(arch, cuda); !others.empty()) {
        return fmt::format("write one of {} (what CUDA {} has for this device), or {}", others, to_text(cuda),
                           other_cuda);
    }
    return fmt::format("take {} out of the list for CUDA {}, or {}", torch_name(arch), to_text(cuda), other_cuda);
}

Finding lacking(Arch arch, CudaVersion cuda, std::string_view place) {
    Finding finding{"cuda-lacks-arch", Severity::error, std::string(place), {}, {}};
    if (const Target* target = find_target(arch)) {
        finding.message =
            fmt::format("CUDA {} has no target for {}; {}", to_text(cuda), both_names(arch), releases(*target));
        finding.fix = way_out(arch, *target, cuda);
    } else {
        finding.message = fmt::format("CUDA {} has no target for {}; no release up to {} has", to_text(cuda),
                                      both_names(arch), to_text(kNewest));
        finding.fix = fmt::format("take {} out of the list", torch_name(arch));
    }
    return finding;
}

// `cu128`, `128`: the form that wheel names have.
std::optional<CudaVersion> parse_wheel_tag(std::string_view text) {
    if (text.starts_with("cu")) {
        text.remove_prefix(2);
    }
    const auto version =
        text.size() == 3 ? parse_major_minor(fmt::format("{}.{}", text.substr(0, 2), text.substr(2))) : std::nullopt;
    return version ? std::optional(CudaVersion{version->first, version->second}) : std::nullopt;
}

}  // namespace

CudaVersion parse_cuda_version(std::string_view text) {
    if (const auto version = parse_major_minor(text)) {
        return {version->first, version->second};
    }
    const auto meant = parse_wheel_tag(text);
    throw bad_usage(fmt::format("{} is not a CUDA version: MAJOR.MINOR is expected", in_quotes(text)),
                    meant ? fmt::format("did you mean {}?", to_text(*meant)) : "write it like 12.8");
}

std::string to_text(CudaVersion version) {
    return fmt::format("{}.{}", version.major, version.minor);
}

std::vector<Finding> check_buildable(const ArchSet& archs, CudaVersion cuda, std::string_view place) {
    std::vector<Finding> findings;
    const bool newer = cuda > kNewest;
    if (newer) {
        findings.push_back({"cuda-not-in-table", Severity::notice, std::string(place),
                            fmt::format("CUDA {} is newer than the table of archs, which ends at {}: judged as CUDA {}",
                                        to_text(cuda), to_text(kNewest), to_text(kNewest)),
                            "use a newer wheelarch"});
        cuda = kNewest;
    }
    std::set<Arch> all = archs.sass;
    all.insert(archs.ptx.begin(), archs.ptx.end());
    for (const Arch arch : all) {
        const bool new_with_it = newer && find_target(arch) == nullptr;  // the list's reader warns of it
        if (!builds(cuda, arch) && !new_with_it) {
            findings.push_back(lacking(arch, cuda, place));
        }
    }
    return findings;
}

CudaVersion oldest_cuda() {
    return kOldest;
}

CudaVersion newest_cuda() {
    return kNewest;
}

bool builds(CudaVersion cuda, Arch arch) {
    const Target* target = find_target(arch);
    return target != nullptr && has(*target, cuda);
}

std::optional<CudaVersion> first_cuda(Arch arch) {
    const Target* target = find_target(arch);
    return target != nullptr ? std::optional(target->first) : std::nullopt;
}

std::optional<CudaVersion> last_cuda(Arch arch) {
    const Target* target = find_target(arch);
    return target != nullptr && target->last != kStill ? std::optional(target->last) : std::nullopt;
}

const std::vector<Arch>& known_archs() {
    static const std::vector<Arch> archs = [] {
        std::vector<Arch> all;
        std::transform(std::begin(kTargets), std::end(kTargets), std::back_inserter(all),
                       [](const Target& target) { return target.arch; });
        return all;
    }();
    return archs;
}

bool is_plausible(Arch arch) {
    // 20.0 and up are further off than any release has jumped (9.0 to 12.0), and near typing errors such as 89.0.
    return find_target(arch) == nullptr && arch.number >= 100 && arch.number < 200;
}

std::optional<CudaVersion> cuda_of_ptx_isa(unsigned major, unsigned minor) {
    const auto* found = std::find_if(std::begin(kPtxIsas), std::end(kPtxIsas),
                                     [&](const PtxIsa& isa) { return isa.major == major && isa.minor == minor; });
    return found == std::end(kPtxIsas) ? std::nullopt : std::optional(found->cuda);
}

}  // namespace wheelarch
