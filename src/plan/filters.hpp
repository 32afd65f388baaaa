// Filters: which cells of a grid are asked about, in the words that people type.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "policy/cell.hpp"

namespace wheelarch {

// As they were typed; each may hold several values, with commas between them. An empty one takes all.
struct FilterWords {
    std::vector<std::string> packages;
    std::vector<std::string> platforms;
    std::vector<std::string> cudas;
    std::vector<std::string> pytorches;
    std::vector<std::string> pythons;

    bool empty() const noexcept {
        return packages.empty() && platforms.empty() && cudas.empty() && pytorches.empty() && pythons.empty();
    }
};

class CellFilter {
public:
    // `cells` are all that there are. `all`, and words that name nothing, take all. `flash-attn` is flash_attn; `128`
    // and `cu128` are 12.8; `2.8` is any 2.8.x, `2.8.1` is itself; `312` and `cp312` are 3.12; `win`, `aarch64` and
    // `arm64` are platforms. Throws an Error (exit 2) for a value that no cell has, with those that there are, and if
    // no cell has all that is asked; where there are no cells it takes none.
    CellFilter(const FilterWords& words, const std::vector<Cell>& cells);

    bool takes(const Cell& cell) const;
    bool takes_all() const;

private:
    std::vector<std::set<std::string>> wanted_;  // by field, normal forms; an empty one takes all
};

}  // namespace wheelarch
