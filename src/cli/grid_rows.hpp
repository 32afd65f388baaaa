// The part that matrix and plan have in common: which cells of the grid are asked about, and the rows that are made of
// them, page by page.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "cli/arguments.hpp"
#include "plan/filters.hpp"
#include "plan/matrix.hpp"
#include "policy/farm.hpp"
#include "policy/grid.hpp"
#include "report/outcome.hpp"

namespace wheelarch {

struct GridOptions {
    std::string farm = ".";
    std::string versions;  // a JSON file, or empty
    FilterWords filters;
    std::string output;  // a file for the whole matrix, or empty
    std::size_t page = 1;
};
// And --json.
void add_grid(Arguments& arguments, GridOptions& options, Outputs& outputs);

// What --versions says, by the names that the farm has for its packages.
SourceVersions read_versions(const Farm& farm, const std::string& path);

// What nvcc cannot build is refused before a job starts: throws an Error (exit 2). What torch would stumble over is
// said.
void check_lists(const Farm& farm, const std::vector<GridRow>& rows, Listener& listener);

std::vector<Cell> cells_of(const std::vector<GridRow>& grid);
std::vector<GridRow> taken(const std::vector<GridRow>& grid, const CellFilter& filter);

std::set<std::string> packages_of(const std::vector<GridRow>& rows);

// Writes the whole and its pages to `--output`, and without one the page to standard output if `print_page`; says how
// it is cut, and warns of what remains. Adds to the result and the outputs of `outcome`. Throws an Error (exit 2) for a
// page that is not there.
void put_matrix(const Matrix& whole, const GridOptions& options, bool print_page, Listener& listener, Outcome& outcome);

}  // namespace wheelarch
