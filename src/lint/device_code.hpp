// What the rules about device code say of a package: of each file by itself, then without what is not built so.
#pragma once

#include <functional>
#include <vector>

#include "lint/rule.hpp"
#include "lint/sources.hpp"

namespace wheelarch {

using HitsMatter = std::function<bool(const std::vector<LintHit>&)>;

// In order of path and line. Left out is what stands in functions that nothing calls for an arch (call_graph.hpp), in
// files that a CMake script builds for other archs (file_targets.hpp), and in files of the host alone. Where the
// package asks `__CUDA_ARCH_LIST__`, which says what it was compiled for, it has other code for the rest. Of FP8 that
// is named and not computed with, the package has one hit.
//
// To find what is left out costs more than all before: it is done, and the hits are given, only if those that are there
// without it matter.
std::vector<LintHit> hits_in_device_code(
    const PackageSources& sources, const HitsMatter& matter = [](const auto& hits) { return !hits.empty(); });

}  // namespace wheelarch
