#include "plan/plan.hpp"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "policy/arch_list.hpp"
#include "policy/asset_index.hpp"
#include "policy/resolve.hpp"

namespace wheelarch {
namespace {

// Of what is recorded and what hangs on the releases, each wheel once.
std::vector<std::string> names_of(const Recorded& recorded, const AssetList* assets) {
    std::vector<std::string> names;
    for (const RecordedWheel& wheel : recorded.wheels()) {
        names.push_back(wheel.file_name);
    }
    for (const std::string& asset : assets == nullptr ? std::vector<std::string>() : assets->names) {
        if (recorded.find(asset) == nullptr) {
            names.push_back(asset);
        }
    }
    return names;
}

std::set<const RecordedWheel*> published(const Recorded& recorded, const AssetList& assets) {
    std::set<const RecordedWheel*> wheels;
    for (const std::string& asset : assets.names) {
        wheels.insert(recorded.find(asset));
    }
    return wheels;
}

class Planner {
public:
    Planner(const Farm& farm, const Recorded& recorded, const AssetList* assets, const PlanOptions& options)
        : farm_(farm), recorded_(recorded), options_(options), index_(names_of(recorded, assets)) {
        if (assets != nullptr) {
            published_ = published(recorded, *assets);
        }
    }

    void add(const GridRow& row, std::size_t number) {
        // The shards of a cell follow each other.
        if (row.shard_index > 1) {
            if (!skipped_) {
                plan_.back().rows.push_back(number);
            }
            return;
        }
        const std::vector<std::string> wheels = index_.wheels_of(*row.package, row.cell);
        matched_.insert(wheels.begin(), wheels.end());
        skipped_ = options_.takes && !options_.takes(row.cell);
        if (skipped_) {
            return;
        }
        plan_.push_back(judge(row, wheels));
        plan_.back().rows.push_back(number);
    }

    std::vector<PlannedCell> take() {
        if (!options_.takes) {
            add_orphans();
        }
        return std::move(plan_);
    }

private:
    PlannedCell judge(const GridRow& row, const std::vector<std::string>& wheels) {
        PlannedCell planned;
        planned.cell = row.cell;
        planned.resolved = row.arch_list;
        planned.current_epoch = static_cast<std::uint64_t>(epoch(farm_, *row.package));
        choose(planned, wheels);
        if (planned.wheel.empty()) {
            planned.rebuild = true;
            return planned;
        }
        planned.list_unknown = planned.recorded.empty();
        planned.list_moved =
            !planned.list_unknown && archs_of(planned.recorded, "the ledger's arch list of " + planned.wheel) !=
                                         archs_of(planned.resolved, "the policy's arch list");
        if (planned.epoch < planned.current_epoch) {
            planned.state = CellState::stale;
            planned.carry = options_.changed_only && !planned.list_moved && !planned.list_unknown;
            planned.rebuild = !planned.carry;
        } else {
            planned.state = planned.list_moved ? CellState::drifted : CellState::current;
        }
        if (planned.list_moved) {
            planned.source = resolve_unchecked(farm_, *row.package, row.cell).source;
        }
        return planned;
    }

    // The one with the latest epoch, and of those the one that was recorded last.
    void choose(PlannedCell& planned, const std::vector<std::string>& wheels) const {
        std::string recorded_at;
        for (const std::string& name : wheels) {
            const RecordedWheel* wheel = recorded_.find(name);
            if (wheel != nullptr && published_ && !published_->contains(wheel)) {
                planned.gone = true;
                continue;
            }
            const std::uint64_t epoch = wheel == nullptr ? 1 : wheel->epoch;
            const std::string at = wheel == nullptr ? "" : wheel->recorded_at;
            if (std::pair(epoch, at) >= std::pair(planned.epoch, recorded_at)) {
                planned.wheel = name;
                planned.recorded = wheel == nullptr ? "" : wheel->arch_list;
                planned.epoch = epoch;
                recorded_at = at;
            }
        }
    }

    void add_orphans() {
        for (const RecordedWheel& wheel : recorded_.wheels()) {
            if (!matched_.contains(wheel.file_name)) {
                PlannedCell orphan;
                orphan.state = CellState::orphan;
                orphan.cell.package = wheel.package;
                orphan.wheel = wheel.file_name;
                orphan.recorded = wheel.arch_list;
                orphan.epoch = wheel.epoch;
                plan_.push_back(std::move(orphan));
            }
        }
    }

    // Lists are few, cells are many.
    const ArchSet& archs_of(const std::string& list, const std::string& place) {
        const auto found = archs_.find(list);
        return found != archs_.end() ? found->second
                                     : archs_.emplace(list, parse_arch_list(list, place).archs).first->second;
    }

    const Farm& farm_;
    const Recorded& recorded_;
    const PlanOptions& options_;
    AssetIndex index_;
    std::optional<std::set<const RecordedWheel*>> published_;  // if the assets are known
    std::set<std::string> matched_;
    std::map<std::string, ArchSet> archs_;
    std::vector<PlannedCell> plan_;
    bool skipped_ = false;  // the cell at hand
};

}  // namespace

std::string_view name(CellState state) {
    switch (state) {
        case CellState::missing: return "missing";
        case CellState::stale: return "stale";
        case CellState::current: return "current";
        case CellState::drifted: return "drifted";
        case CellState::orphan: return "orphan";
    }
    return "missing";
}

std::vector<PlannedCell> make_plan(const Farm& farm, const std::vector<GridRow>& grid, const Recorded& recorded,
                                   const AssetList* assets, const PlanOptions& options) {
    Planner planner(farm, recorded, assets, options);
    for (std::size_t i = 0; i < grid.size(); ++i) {
        planner.add(grid[i], i);
    }
    return planner.take();
}

}  // namespace wheelarch
