// AssetIndex: which of a release's assets are the wheel of a cell, for all cells and all assets at once.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "policy/asset_name.hpp"
#include "policy/cell.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

class AssetIndex {
public:
    AssetIndex() = default;
    explicit AssetIndex(const std::vector<std::string>& assets);

    // The assets that is_wheel_of() (policy/key.hpp) says yes to, in the order in which they were given.
    std::vector<std::string> wheels_of(const Package& package, const Cell& cell) const;
    // Assets that are no wheel by their name.
    std::size_t others() const noexcept { return others_; }

private:
    struct Wheel {
        std::string asset;
        AssetName name;
    };

    std::vector<Wheel> wheels_;
    // By package and CUDA line, which every cell asks for: few wheels share them.
    std::unordered_map<std::string, std::vector<std::size_t>> by_line_;
    std::size_t others_ = 0;
};

}  // namespace wheelarch
