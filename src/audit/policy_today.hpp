// PolicyToday: what the farm's policy asks of a wheel now, by the cell that it is of. Threads may ask it at the same
// time.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "policy/arch_check.hpp"
#include "policy/farm.hpp"
#include "policy/grid.hpp"
#include "policy/resolve.hpp"

namespace wheelarch {

// The answer for one cell of the grid.
struct AskedOfCell {
    Cell cell;
    const Package* package = nullptr;  // in the farm
    ResolvedList resolved;
    Requirement requirement;
    Epochs epoch;
};

class PolicyToday {
public:
    // Makes the grid, and throws as make_grid does.
    explicit PolicyToday(Farm farm);
    PolicyToday(const PolicyToday&) = delete;
    PolicyToday& operator=(const PolicyToday&) = delete;

    const Farm& farm() const noexcept { return farm_; }

    // Do these facts say which cells they mean? CUDA and the platform must be known.
    static bool tells_cell(const Cell& facts);
    // The cells of the grid that agree with all that is known; cells that ask for the same are given once. Empty: such
    // a wheel is no longer built.
    std::vector<AskedOfCell> asked_of(const Cell& facts) const;

private:
    Farm farm_;
    std::vector<GridRow> grid_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_line_;  // package, CUDA line and platform
};

}  // namespace wheelarch
