// Inferred: a ledger entry of a wheel of which nothing was recorded, by looking at it. What is observed is never given
// for what was requested: `arch_list` is null, and so are the run, the sources, nvcc and the policy of its build.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "audit/comparisons.hpp"
#include "base/finding.hpp"
#include "ledger/build_info.hpp"
#include "ledger/entry.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

// Who looked.
struct Readers {
    Toolchain toolchain;
    std::vector<std::string> witnesses;
};

// For a wheel that judge_published() calls `unrecorded`. A warning (`no-device-code`) if it has none and the farm does
// not say that it is meant to have none. `farm` may be null.
std::vector<Finding> check_inference(const PublishedWheel& wheel, const Farm* farm);

// The facts are those of the file name; what that lacks is the stamp's, if there is one, which must have been
// found true. The package is called as `gate` would call it: by the stamp, else the farm, else the
// distribution. The epoch is the stamp's, else 1, which is that of every wheel without a record. `now` is in seconds
// since 1970. Throws an Error (exit 3) if the ledger could not hold it.
Entry infer_entry(const PublishedWheel& wheel, const Farm* farm, const Readers& readers, std::int64_t now);

}  // namespace wheelarch
