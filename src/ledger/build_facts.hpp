// Build facts: what is known of a build besides the wheel that it made. A row of the workflow's matrix tells them, or
// the wheel's file name as far as it goes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "policy/cell.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {

// Text that is not known is empty.
struct BuildFacts {
    Cell cell;
    std::string arch_list;                       // as it was requested
    std::optional<std::uint64_t> build_epoch;    // the farm's
    std::optional<std::uint64_t> package_epoch;  // the package's own
    std::string epoch_why;                       // what the last bump was for
    std::string exists_key;
    std::string source_repo;
    std::string source_ref;
    std::string source_commit;
};

// One row of the matrix as JSON, as `toJSON(matrix)` gives it: an object with the fields above under the names that
// farms use (`source_tag` for source_ref). Unknown fields are let pass. Throws an Error (exit 2) on anything else; a
// version that is a number is one, since YAML has made 12.1 of 12.10 before it came here.
BuildFacts parse_matrix_row(std::string_view json);

// The same from a file name alone: `flash_attn-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl`. The local version
// is read in the forms that farms write (`cu128torch2.8`, `cu128torch28`, `cu128`) and left out of the version then.
BuildFacts facts_of(const WheelName& name);

// `facts` with its gaps filled from `other`.
BuildFacts filled(BuildFacts facts, BuildFacts other);

// A fact that the wheel's name tells too, but otherwise: `what` is `version`, `cuda`, `pytorch`, `python` or
// `platform`.
struct NamedDifference {
    std::string what;
    std::string fact;
    std::string named;
};

// What either does not say is not compared; versions are equal by PEP 440, and of torch major and minor count.
std::vector<NamedDifference> differ_from_name(const BuildFacts& facts, const WheelName& name);

// Does the wheel's name say that another row built it? Rules `cell-mismatch` and `package-name` (a warning); `place` is
// the wheel.
std::vector<Finding> check_row(const BuildFacts& row, const WheelName& name, const std::string& place);

}  // namespace wheelarch
