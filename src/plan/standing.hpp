// Standing: how the wheels of a cell stand against the policy of today, by what is recorded of them and what hangs on
// the releases. `key`, `matrix` and `plan` all go by it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "plan/assets.hpp"
#include "plan/recorded.hpp"
#include "policy/arch_list.hpp"
#include "policy/asset_index.hpp"
#include "policy/cell.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

enum class CellState {
    missing,   // nothing is recorded, and no asset is there
    stale,     // an epoch is behind, or it was built from another source: to be rebuilt
    current,   // at both epochs, from the source and with the list that the policy has
    drifted,   // the same, but the policy resolves to another list: the bump was forgotten
    replaced,  // its asset is not the file that is recorded
    orphan,    // recorded, but no cell of the grid
};
std::string_view name(CellState state);

struct Standing {
    CellState state = CellState::missing;
    std::string wheel;                      // the best of the cell's; empty: there is none
    const RecordedWheel* record = nullptr;  // of it; null: none
    Epochs epochs = {0, 0};                 // that the wheel is valid for
    bool behind = false;                    // in one of the counters
    bool source_moved = false;              // both refs are known and differ
    bool list_moved = false;                // both lists are known and ask for different archs
    bool list_unknown = false;              // there is a wheel, but not what was asked for it
    bool young = false;                     // replaced, but a moment ago: its entry may be on its way
    bool gone = false;                      // missing: a wheel is recorded, but it is not among the assets
    bool rebuild = false;
    bool carry = false;              // stale, but it may be called valid for the epochs of today as it is
    std::vector<std::string> older;  // further wheels of the cell that are not current

    // For `key`: is there nothing to build?
    bool exists() const { return !wheel.empty() && !rebuild; }
};

struct StandingOptions {
    bool changed_only = false;      // carry what may be carried
    bool rebuild_replaced = false;  // what is not the recorded file, too
    std::string young_after = {};   // a time, `2026-11-30T12:34:56Z`: what was uploaded since is left alone
};

class WheelJudge {
public:
    // `assets`, if they are known, decide which wheels there are: one that has no record is at the farm's epoch 1 with
    // a list and a source that nobody knows, and a record without its asset is of no use. Null: what is recorded is
    // there. All of them must outlive this.
    WheelJudge(const Farm& farm, const Recorded& recorded, const AssetList* assets, StandingOptions options);

    // `source_tag`: of the policy, or of the row. `arch_list`: what the policy resolves to; empty: it is not asked
    // whether the list moved. The best wheel of the cell is the first that is current, drifted, replaced, carried,
    // stale; of several, the one with the latest epoch, and then what was recorded last.
    Standing judge(const Package& package, const Cell& cell, const std::string& source_tag,
                   const std::string& arch_list);

    // Was it a wheel of one of the cells that were judged so far?
    bool has_cell(const RecordedWheel& wheel) const { return matched_.contains(&wheel); }
    const Recorded& recorded() const noexcept { return recorded_; }
    const AssetList* assets() const noexcept { return assets_; }
    const Farm& farm() const noexcept { return farm_; }

private:
    struct Known {
        const RecordedWheel* record = nullptr;
        bool published = true;
        const std::string* asset = nullptr;  // its spelling on the release
    };

    Standing judge_one(const std::string& wheel, const Known& known, const Package& package,
                       const std::string& source_tag, const std::string& arch_list);
    void judge_file(Standing& standing, const std::string& asset) const;
    const ArchSet& archs_of(const std::string& list, const std::string& place);

    const Farm& farm_;
    const Recorded& recorded_;
    const AssetList* assets_;
    StandingOptions options_;
    AssetIndex index_;
    std::unordered_map<std::string, Known> known_;  // by the names in the index
    std::unordered_set<const RecordedWheel*> matched_;
    std::map<std::string, ArchSet> archs_;  // lists are few, cells are many
};

}  // namespace wheelarch
