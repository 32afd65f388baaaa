// nvcc has -compress-mode from CUDA 12.8 on, and `nvcc_flags` gives it to every row.
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lint/rule.hpp"
#include "policy/cuda_archs.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

std::optional<LintFinding> check(const Package& package, const std::vector<DeclaredList>& lists) {
    constexpr CudaVersion kFirst{12, 8};
    const auto flags = package.fields.find("nvcc_flags");
    if (flags == package.fields.end() || flags->second.find("-compress-mode") == std::string::npos) {
        return std::nullopt;
    }
    std::set<std::string> older;
    for (const DeclaredList& list : lists) {
        for (const std::string& cuda : list.cudas) {
            if (parse_cuda_version(cuda) < kFirst) {
                older.insert(cuda);
            }
        }
    }
    if (older.empty()) {
        return std::nullopt;
    }
    LintFinding finding = begin_finding(package, package.place);
    finding.rows = {fmt::format("CUDA {}", fmt::join(older, ", "))};
    finding.what = shortened(flags->second);
    finding.problem =
        fmt::format("nvcc_flags has -compress-mode, which nvcc knows from CUDA 12.8 on; there are rows of {}",
                    finding.rows.front());
    finding.fix = "use -Xfatbin -compress-all, which all know, or build those rows without";
    return finding;
}

}  // namespace

extern const Rule kCompressMode{
    .id = "compress-mode",
    .reason = "nvcc_flags has -compress-mode for a CUDA whose nvcc does not know it",
    .in_policy = check,
};

}  // namespace wheelarch
