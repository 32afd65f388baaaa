// Requirements of a package, as "Dependency specifiers" and "Version specifiers" (PEP 508, PEP 440) on
// packaging.python.org have them.
#pragma once

#include <string_view>

namespace wheelarch {

// `>=3.9, <4`: what Requires-Python holds. Empty is a set too.
bool is_specifier_set(std::string_view text);

// `numpy[all] >=1.20; python_version < "3.12"`: what Requires-Dist holds. Of a marker only quotes, brackets and that
// there is a comparison are looked at.
bool is_requirement(std::string_view text);

}  // namespace wheelarch
