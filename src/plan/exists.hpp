// Exists-check: is there a wheel of a cell that is not behind the current epoch?
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "plan/assets.hpp"
#include "plan/recorded.hpp"
#include "policy/asset_index.hpp"
#include "policy/cell.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

struct Existing {
    std::string asset;        // the best of the cell's wheels; empty: there is none
    std::uint64_t epoch = 0;  // its own
    bool exists = false;      // it is at the current epoch or ahead
};

class ExistsCheck {
public:
    // The epoch of an asset is that of its ledger entry; without one it is 1.
    ExistsCheck(const AssetList& assets, const Recorded& recorded);

    Existing check(const Farm& farm, const Package& package, const Cell& cell) const;

private:
    AssetIndex index_;
    std::unordered_map<std::string, std::uint64_t> epochs_;  // of the assets that have an entry
};

}  // namespace wheelarch
