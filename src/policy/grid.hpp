// Grid: every cell of every package, package × row × Python × platform, without those that min_pytorch, the aarch64
// policy or the phantoms drop.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "base/finding.hpp"
#include "policy/cell.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

// One row of the workflow's matrix: a cell, or one shard of it.
struct GridRow {
    Cell cell;
    const Package* package = nullptr;  // in the farm
    std::string arch_list;
    std::string source_tag;
    std::int64_t shard_index = 0;  // from 1; both 0: not sharded
    std::int64_t shard_count = 0;
};

// Versions that the sources say, by package name; they go before the YAML's.
using SourceVersions = std::map<std::string, std::string>;

// Ordered by package name, then as the policy has rows, Pythons and platforms, then by shard. Throws an Error (exit 2)
// for a cell whose arch list cannot be resolved, or if there are too many rows. Whether nvcc can build the lists is not
// asked here.
std::vector<GridRow> make_grid(const Farm& farm, const SourceVersions& versions = {});

// `cuda-lacks-arch` for each arch of each list that nvcc of a row's CUDA cannot build, once for all the cells that
// share it, with their number. It is an error in a list that is given for the CUDA line: such a farm is to be refused
// before a job starts. In a package's one list for all lines it is a warning: the builds of some lines will fail.
std::vector<Finding> unbuildable(const Farm& farm, const std::vector<GridRow>& rows);
// The same of what else there is to warn of, in packages that link torch: what its cpp_extension refuses, for one.
std::vector<Finding> list_warnings(const Farm& farm, const std::vector<GridRow>& rows);

// The lists of a workflow's matrix, `{"linux": {"include": [...]}, "linux_aarch64": ..., "windows": ..., "linux_link":
// ..., "windows_link": ...}`, in the split layout also `linux_aarch64_link`, in the flat one also `linux_chain` and
// `windows_chain`, to which rows with `sequential_checkpoint` go instead. `*_link` has one row for each sharded cell,
// without `shard_index`.
std::vector<std::string> lists_of(Layout layout);
// The one in which a row stands.
std::string list_of(const Farm& farm, const GridRow& row);

// What all rows of a package repeat, as JSON.
struct RowConstants {
    std::string source_repo;
    std::string settings;  // fields, without braces
};
RowConstants row_constants(const Farm& farm, const Package& package);
// Appends the row as a JSON object with every field of the layout.
void write_row(std::string& out, const GridRow& row, const RowConstants& constants, bool link);

// The cell of one matrix row, which need not be the policy's. Throws an Error (exit 2) that names the field that is
// missing or has not its form.
Cell parse_cell(const boost::json::object& row);

}  // namespace wheelarch
