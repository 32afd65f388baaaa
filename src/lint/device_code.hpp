// What the rules about device code say of a package: of each file by itself, then without what is not built so.
#pragma once

#include <vector>

#include "lint/rule.hpp"
#include "lint/sources.hpp"

namespace wheelarch {

// In order of path and line. Left out is what stands in functions that nothing calls for an arch (call_graph.hpp), in
// files that a CMake script builds for other archs (file_targets.hpp), and in files of the host alone. Where the
// package asks `__CUDA_ARCH_LIST__`, which says what it was compiled for, it has other code for the rest. Of FP8 that
// is named and not computed with, the package has one hit.
std::vector<LintHit> hits_in_device_code(const PackageSources& sources);

}  // namespace wheelarch
