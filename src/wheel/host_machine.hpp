// The machine that a wheel's libraries were built for, against the one that its platform tags promise.
#pragma once

#include <vector>

#include "base/finding.hpp"
#include "wheel/inventory.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {

// Looks at shared libraries (.so, .so.N, .pyd, .dll) of known processors; the place of each finding is its path alone.
// Not judged: what is excluded, and what says by its path that it is meant for another machine (`attach_x86.dll`,
// `lib/aarch64/libx.so`), unless it is an extension module. A wheel for `any` platform may hold libraries if it brings
// them for several.
std::vector<Finding> check_host_machine(const Inventory& inventory, const WheelName& name);

}  // namespace wheelarch
