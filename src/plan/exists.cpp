#include "plan/exists.hpp"

namespace wheelarch {

ExistsCheck::ExistsCheck(const AssetList& assets, const Recorded& recorded) : index_(assets.names) {
    for (const std::string& asset : assets.names) {
        if (const RecordedWheel* wheel = recorded.find(asset)) {
            epochs_[asset] = wheel->epoch;
        }
    }
}

Existing ExistsCheck::check(const Farm& farm, const Package& package, const Cell& cell) const {
    Existing best;
    for (std::string& asset : index_.wheels_of(package, cell)) {
        const auto found = epochs_.find(asset);
        const std::uint64_t epoch = found == epochs_.end() ? 1 : found->second;
        if (epoch > best.epoch) {
            best.asset = std::move(asset);
            best.epoch = epoch;
        }
    }
    best.exists = best.epoch >= static_cast<std::uint64_t>(epoch(farm, package));
    return best;
}

}  // namespace wheelarch
