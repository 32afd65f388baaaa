#include "plan/plan.hpp"

#include <algorithm>
#include <unordered_set>

#include "policy/resolve.hpp"

namespace wheelarch {
namespace {

PlannedCell planned_cell(WheelJudge& judge, const GridRow& row, std::size_t number) {
    PlannedCell planned;
    planned.row = &row;
    planned.first_row = number;
    planned.rows = 1;
    planned.today = epochs(judge.farm(), *row.package);
    planned.standing = judge.judge(*row.package, row.cell, row.source_tag, row.arch_list);
    if (planned.standing.list_moved) {
        planned.source = resolve_unchecked(judge.farm(), *row.package, row.cell).source;
    }
    return planned;
}

// Recorded wheels of no cell; those that are gone from the releases are no cell's either, but no orphans.
void add_orphans(std::vector<PlannedCell>& plan, const WheelJudge& judge) {
    for (const RecordedWheel& wheel : judge.recorded().wheels()) {
        if (!judge.has_cell(wheel)) {
            PlannedCell& orphan = plan.emplace_back();
            orphan.standing.state = CellState::orphan;
            orphan.standing.wheel = wheel.file_name;
            orphan.standing.record = &wheel;
            orphan.standing.epochs = wheel.valid_for.epochs;
        }
    }
}

}  // namespace

std::vector<PlannedCell> make_plan(WheelJudge& judge, const std::vector<GridRow>& grid,
                                   const std::function<bool(const Cell&)>& takes) {
    std::vector<PlannedCell> plan;
    bool skipped = false;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        if (grid[i].shard_index > 1) {  // the shards of a cell follow each other
            if (!skipped) {
                ++plan.back().rows;
            }
            continue;
        }
        skipped = takes && !takes(grid[i].cell);
        if (skipped) {
            continue;
        }
        plan.push_back(planned_cell(judge, grid[i], i));
    }
    if (!takes) {
        add_orphans(plan, judge);
    }
    return plan;
}

std::vector<std::string> retirable(const std::vector<PlannedCell>& plan, const Recorded& recorded) {
    std::unordered_set<const RecordedWheel*> needed;
    for (const PlannedCell& cell : plan) {
        needed.insert(cell.row == nullptr ? nullptr : cell.standing.record);
    }
    std::vector<std::string> names;
    for (const RecordedWheel& wheel : recorded.wheels()) {
        if (!needed.contains(&wheel)) {
            names.push_back(wheel.file_name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace wheelarch
