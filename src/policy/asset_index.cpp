#include "policy/asset_index.hpp"

namespace wheelarch {
namespace {

// CUDA is all digits, so nothing else gives the same.
std::string line_of(const std::string& package, const std::string& cuda) {
    return cuda + ' ' + package;
}

}  // namespace

AssetIndex::AssetIndex(const std::vector<std::string>& assets) {
    for (const std::string& asset : assets) {
        auto name = read_asset_name(asset);
        if (!name) {
            ++others_;
            continue;
        }
        by_line_[line_of(name->package, name->cuda)].push_back(wheels_.size());
        wheels_.push_back({asset, *std::move(name)});
    }
}

std::vector<std::string> AssetIndex::wheels_of(const Package& package, const Cell& cell) const {
    const WantedName wanted = wanted_name(package, cell);
    std::vector<std::string> found;
    const auto line = by_line_.find(line_of(wanted.package, wanted.cuda));
    if (line == by_line_.end()) {
        return found;
    }
    for (const std::size_t i : line->second) {
        if (serves(wheels_[i].name, wanted)) {
            found.push_back(wheels_[i].asset);
        }
    }
    return found;
}

}  // namespace wheelarch
