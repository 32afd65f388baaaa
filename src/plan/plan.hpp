// Plan: the ledger and the releases against the current policy, cell by cell: what is to be rebuilt after a change, and
// what is not.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "plan/standing.hpp"
#include "policy/farm.hpp"
#include "policy/grid.hpp"

namespace wheelarch {

struct PlannedCell {
    Standing standing;
    const GridRow* row = nullptr;  // of the grid, the first of its shards; null: an orphan
    std::size_t first_row = 0;     // the same as a number in the grid
    std::size_t rows = 0;          // several for a sharded cell
    std::string source;            // where the policy's list comes from; only if the list moved
    Epochs today = {0, 0};

    const std::string& package() const { return row == nullptr ? standing.record->package : row->cell.package; }
};

// `takes`: only these cells, and no orphans; empty: all. The judge and the grid must outlive the plan.
std::vector<PlannedCell> make_plan(WheelJudge& judge, const std::vector<GridRow>& grid,
                                   const std::function<bool(const Cell&)>& takes);

// Recorded wheels that are the best of no cell: orphans, older wheels of a cell, and such as are gone from the
// releases. A farm may prune their assets and `ledger retire` them. The plan must be of the whole grid.
std::vector<std::string> retirable(const std::vector<PlannedCell>& plan, const Recorded& recorded);

}  // namespace wheelarch
