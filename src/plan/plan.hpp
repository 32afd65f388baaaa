// Plan: the ledger against the current policy, cell by cell: what is to be rebuilt after a change, and what is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/assets.hpp"
#include "plan/recorded.hpp"
#include "policy/farm.hpp"
#include "policy/grid.hpp"

namespace wheelarch {

enum class CellState {
    missing,  // nothing is recorded, and no asset is there
    stale,    // its epoch is behind: to be rebuilt
    current,  // at the current epoch, with the list that the policy resolves to
    drifted,  // at the current epoch, but the policy resolves to another list: the bump was forgotten
    orphan,   // recorded, but no cell of the grid
};
std::string_view name(CellState state);

struct PlannedCell {
    CellState state = CellState::missing;
    Cell cell;                // of an orphan: only what its record says
    std::string wheel;        // the recorded wheel, else the asset; empty: none
    std::string recorded;     // arch list of the record; empty: not known
    std::string resolved;     // of the current policy; empty for an orphan
    std::string source;       // where `resolved` comes from
    std::uint64_t epoch = 0;  // that the wheel is valid for; 0: there is none
    std::uint64_t current_epoch = 0;
    bool list_moved = false;    // both lists are known and ask for different archs
    bool list_unknown = false;  // there is a wheel, but not what was asked for it
    bool gone = false;          // missing: a wheel is recorded, but it is not among the assets
    bool rebuild = false;
    bool carry = false;             // stale, but its list is the same: valid for the current epoch as it is
    std::vector<std::size_t> rows;  // of the grid; several for a sharded cell
};

struct PlanOptions {
    bool changed_only = false;  // of the stale ones, rebuild only those whose list moved, and carry the others
    std::function<bool(const Cell&)> takes;  // only these cells, and no orphans; empty: all
};

// `assets`, if they are known, decide which wheels there are: one that has no record is at epoch 1 with a list that
// nobody knows, and a record without its asset is of no use. Null: what is recorded is there.
std::vector<PlannedCell> make_plan(const Farm& farm, const std::vector<GridRow>& grid, const Recorded& recorded,
                                   const AssetList* assets, const PlanOptions& options);

}  // namespace wheelarch
