// Which archs each CUDA release can build, and the other way round. The table in cuda_archs.cpp names its sources.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arch.hpp"
#include "base/finding.hpp"

namespace wheelarch {

struct CudaVersion {
    unsigned major = 0;
    unsigned minor = 0;
    auto operator<=>(const CudaVersion&) const = default;
};

// `12.8`, `13.0.1`; throws an Error (exit 2) on anything else.
CudaVersion parse_cuda_version(std::string_view text);
std::string to_text(CudaVersion version);

// One error (`cuda-lacks-arch`) for each arch of `archs` that nvcc of `cuda` has no target for, with the releases that
// have one. A CUDA newer than the table is judged as the newest that is in it, with a notice (`cuda-not-in-table`).
std::vector<Finding> check_buildable(const ArchSet& archs, CudaVersion cuda, std::string_view place);

// The oldest and the newest release in the table.
CudaVersion oldest_cuda();
CudaVersion newest_cuda();
// Does nvcc of this release have a target for `arch`? SASS and PTX targets are the same in every release.
bool builds(CudaVersion cuda, Arch arch);
// The first release whose nvcc has a target for `arch`; none for an arch that is not in the table.
std::optional<CudaVersion> first_cuda(Arch arch);
// The last release that has it; none if the newest in the table still has, or for an arch not in the table.
std::optional<CudaVersion> last_cuda(Arch arch);
// Every arch in the table, ascending.
const std::vector<Arch>& known_archs();
// An arch that no release in the table has, but a later one may: a new minor of an open major, or a new major (10.8,
// 13.0). Majors below 10 are closed.
bool is_plausible(Arch arch);
// The first release that writes PTX of ISA version major.minor; none if it is not in the table.
std::optional<CudaVersion> cuda_of_ptx_isa(unsigned major, unsigned minor);

}  // namespace wheelarch
