// Arch check: requested against observed. The verdict is on the union over the wheel's extensions, SASS and PTX apart,
// suffixes included; only images that hold code count.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/arch.hpp"
#include "base/finding.hpp"
#include "policy/arch_list.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

struct MemberExpectation {
    std::string pattern;  // as in wheel/role.hpp
    ArchList list;
};

struct Requirement {
    ArchList list;
    // Extensions that are meant to differ: each is held to its own list, and taken out of the union.
    std::vector<MemberExpectation> members;
    bool device_code_none = false;  // the wheel must not have any; `list` is not looked at then
    bool per_member = false;        // a narrow member or region fails
    bool count_embedded = false;    // code in the data of members counts too
    std::string jit;                // why kernels are compiled at run time; if it is given, archs are not judged
};

struct Verdict {
    ArchSet requested;
    ArchSet observed;
    ArchSet missing;
    ArchSet extra;
    std::vector<Finding> findings;
    bool match = false;    // no finding is an error
    bool refused = false;  // the archs match, but the wheel or its matrix row is not what it says
};

// `; 9.0 devices load sm_80; 12.0 devices have nothing to run`: what the devices of these SASS archs, which are
// missing, will load: code for a lower arch, in which what is gated at theirs is left out. Empty if there is nothing to
// say.
std::string what_devices_load(const ArchSet& observed, const std::set<Arch>& missing);

Verdict check_archs(const Inventory& inventory, const Requirement& requirement);

}  // namespace wheelarch
