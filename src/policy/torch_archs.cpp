#include "policy/torch_archs.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/version.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

struct TorchArch {
    Arch arch;
    TorchRange releases;
};

// Read from torch/utils/cpp_extension.py in the wheels of
// torch 1.13.1, 2.0.1, 2.1.2, 2.2.2, 2.3.1, 2.4.1, 2.5.1, 2.6.0,
// 2.7.1, 2.8.0, 2.9.1, 2.10.0, 2.11.0, 2.12.1, 2.13.0, 2.14.1 and 2.15.0. No release knows the suffix f.
constexpr std::optional<TorchVersion> kStill = std::nullopt;
constexpr TorchArch kArchs[] = {
    {{35, '\0'}, {{1, 13}, kStill}},
    {{37, '\0'}, {{1, 13}, kStill}},
    {{50, '\0'}, {{1, 13}, kStill}},
    {{52, '\0'}, {{1, 13}, kStill}},
    {{53, '\0'}, {{1, 13}, kStill}},
    {{60, '\0'}, {{1, 13}, kStill}},
    {{61, '\0'}, {{1, 13}, kStill}},
    {{62, '\0'}, {{1, 13}, kStill}},
    {{70, '\0'}, {{1, 13}, kStill}},
    {{72, '\0'}, {{1, 13}, kStill}},
    {{75, '\0'}, {{1, 13}, kStill}},
    {{80, '\0'}, {{1, 13}, kStill}},
    {{86, '\0'}, {{1, 13}, kStill}},
    {{87, '\0'}, {{2, 1}, kStill}},
    {{89, '\0'}, {{2, 0}, kStill}},
    {{90, '\0'}, {{2, 0}, kStill}},
    {{90, 'a'}, {{2, 2}, kStill}},
    {{100, '\0'}, {{2, 6}, kStill}},
    {{100, 'a'}, {{2, 7}, kStill}},
    {{101, '\0'}, {{2, 7}, TorchVersion{2, 8}}},
    {{101, 'a'}, {{2, 7}, TorchVersion{2, 8}}},
    {{103, '\0'}, {{2, 8}, kStill}},
    {{103, 'a'}, {{2, 8}, kStill}},
    {{107, '\0'}, {{2, 14}, kStill}},
    {{107, 'a'}, {{2, 14}, kStill}},
    {{110, '\0'}, {{2, 9}, kStill}},
    {{110, 'a'}, {{2, 9}, kStill}},
    {{120, '\0'}, {{2, 7}, kStill}},
    {{120, 'a'}, {{2, 7}, kStill}},
    {{121, '\0'}, {{2, 8}, kStill}},
    {{121, 'a'}, {{2, 8}, kStill}},
};

bool has(const TorchRange& range, TorchVersion torch) {
    return range.first <= torch && (!range.last || torch <= *range.last);
}

std::string releases(const std::optional<TorchRange>& range) {
    if (!range) {
        return fmt::format("no release up to {} has it", to_text(kTorchTable));
    }
    if (range->last) {
        return fmt::format("torch {} to {} have it", to_text(range->first), to_text(*range->last));
    }
    return fmt::format("torch {} and later have it", to_text(range->first));
}

}  // namespace

TorchVersion parse_torch_version(std::string_view text) {
    if (const auto version = parse_major_minor(text)) {
        return {version->first, version->second};
    }
    throw bad_usage(fmt::format("{} is not a torch version: MAJOR.MINOR is expected", in_quotes(text)),
                    "write it like 2.8");
}

std::string to_text(TorchVersion version) {
    return fmt::format("{}.{}", version.major, version.minor);
}

const std::vector<TorchName>& torch_names() {
    static const std::vector<TorchName> names = {
        {"Kepler+Tesla", "3.7", ""},
        {"Kepler", "3.5+PTX", ""},
        {"Maxwell+Tegra", "5.3", ""},
        {"Maxwell", "5.0;5.2+PTX", ""},
        {"Pascal", "6.0;6.1+PTX", ""},
        {"Volta+Tegra", "7.2", "torch before 2.1 refuses it"},
        {"Volta", "7.0+PTX", ""},
        {"Turing", "7.5+PTX", ""},
        {"Ampere+Tegra", "8.7", "torch before 2.1 refuses it"},
        {"Ampere", "8.0;8.6+PTX", ""},
        {"Ada", "8.9+PTX", "torch before 2.0 refuses it"},
        {"Hopper", "9.0+PTX", "torch before 2.0 refuses it"},
        {"Blackwell+Tegra", "11.0", "torch 2.7 and 2.8 read 10.1, earlier ones refuse it"},
        {"Blackwell", "10.0;10.3;12.0;12.1+PTX",
         "torch 2.7 reads 10.0;12.0+PTX, 2.6 reads 10.0+PTX, earlier ones refuse it"},
        {"Rubin", "10.7+PTX", "torch before 2.14 refuses it"},
    };
    return names;
}

std::optional<TorchRange> torch_support(Arch arch) {
    const auto* found =
        std::find_if(std::begin(kArchs), std::end(kArchs), [&](const TorchArch& entry) { return entry.arch == arch; });
    return found == std::end(kArchs) ? std::nullopt : std::optional(found->releases);
}

std::string torch_refusal(std::string_view item) {
    return fmt::format("Unknown CUDA arch ({}) or GPU not supported", item);
}

std::vector<Finding> check_torch(const ArchSet& archs, TorchVersion torch, std::string_view place) {
    const TorchVersion judged = std::min(torch, kTorchTable);
    std::set<Arch> all = archs.sass;
    all.insert(archs.ptx.begin(), archs.ptx.end());
    std::vector<Finding> findings;
    for (const Arch arch : all) {
        const auto range = torch_support(arch);
        if (!range || !has(*range, judged)) {
            findings.push_back({"torch-lacks-arch", Severity::warning, std::string(place),
                                fmt::format("cpp_extension of torch {} refuses {}: {}", to_text(torch),
                                            torch_name(arch), releases(range)),
                                fmt::format("take {} out of the list for torch {}, unless the package passes its own "
                                            "-gencode flags or builds with CMake",
                                            torch_name(arch), to_text(torch))});
        }
    }
    return findings;
}

}  // namespace wheelarch
