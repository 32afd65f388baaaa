// Extension modules and the Pythons that a wheel is tagged for: Python imports `_C` only from a file whose suffix it
// knows (importlib.machinery.EXTENSION_SUFFIXES).
#pragma once

#include <vector>

#include "base/finding.hpp"
#include "wheel/inventory.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {

// Rule `module-suffix`: an error for each module that none of the Pythons named by the tags can import, such as
// `_C.cpython-312-….so` in a wheel tagged cp311. `cp39-abi3` names 3.9, which must be able to import it. A module with
// several files, one for each Python, needs one that fits.
std::vector<Finding> check_module_suffixes(const Inventory& inventory, const WheelName& name);

}  // namespace wheelarch
