// Selection: which rows of a matrix are to be built, one job for each file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/finding.hpp"
#include "plan/matrix.hpp"
#include "plan/standing.hpp"

namespace wheelarch {

struct Selected {
    std::size_t existing = 0;             // rows whose wheel need not be built
    std::size_t shared = 0;               // rows that another row's job builds
    std::vector<std::string> replaced{};  // assets that are not the recorded file, and are left as they are
};

// Completes the rows (complete_rows), drops those whose wheel exists, and leaves one for each file. `judge` null: no
// wheel exists.
Selected select_rows(Matrix& matrix, const Farm& farm, WheelJudge* judge);

// A warning (`asset-replaced`); nothing if there is none.
std::vector<Finding> replaced_warning(const std::vector<std::string>& assets);

// A warning (`rows-missing`) if cells of the grid are behind, but not among the rows that a generator made: it drops
// wheels by name, and no epoch reaches them.
std::vector<Finding> missing_rows(const Matrix& matrix, const std::vector<GridRow>& grid, WheelJudge& judge);

}  // namespace wheelarch
