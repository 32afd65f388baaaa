// Which build a wheel is of: what its stamp or its entry says of that, against its file name and its farm. Rules:
//
//   other-build             another version, CUDA, torch, Python, platform or package, or an epoch that is yet to come
//   package-name (warning)  it is called by another package than its distribution, as `gate` says too
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/claim.hpp"
#include "base/finding.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

// The farm's package of that name in any spelling; null without a farm, or if it has none.
const Package* package_of(const Farm* farm, std::string_view name);

// `witness` is `stamp` or `entry`. Another package is an error if the farm has one of the distribution's name and
// version, and a warning if not: then it may be what the farm calls it. `farm` may be null.
std::vector<Finding> check_build(const Claim& claim, std::string_view witness, const std::string& file_name,
                                 const Farm* farm);

// Of a wheel without an entry, whose stamp alone tells its epoch: none can be ahead of the policy's.
std::vector<Finding> check_stamped_epoch(const Claim& stamp, const std::string& file_name, const Farm* farm);

}  // namespace wheelarch
