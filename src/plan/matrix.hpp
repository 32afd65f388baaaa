// Matrix: a workflow's matrix as JSON, filtered, and cut into pages that GitHub takes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "policy/cell.hpp"
#include "policy/farm.hpp"
#include "policy/grid.hpp"

namespace wheelarch {

// GitHub's limits (docs/policy.md): jobs of one matrix, and UTF-16 units of a step's output, with room for the rest of
// the step's outputs.
inline constexpr std::size_t kMostJobs = 256;
inline constexpr std::size_t kMostOutputUnits = 500'000;

// A row of another's matrix: its fields as they came.
struct ForeignRow {
    Cell cell;
    boost::json::object fields;
};

// A row of the farm's own grid, or of another's matrix. It stays a value until it is written.
struct MatrixRow {
    std::string list;                             // `linux`, `linux_link`; empty: the matrix is one list
    const GridRow* grid = nullptr;                // in the grid that the matrix was made of, or
    std::shared_ptr<const ForeignRow> foreign{};  // null if `grid` is set
    // What is ours, once it is known (`package` is not null).
    const Package* package = nullptr;
    std::vector<std::string> serves{};  // the Pythons, if the one job is for several cells

    const Cell& cell() const { return grid != nullptr ? grid->cell : foreign->cell; }
    bool is_link() const { return list.ends_with("_link"); }
    // Of the fields; empty if there is none.
    std::string arch_list() const;
    std::string source_tag() const;
};

struct Matrix {
    enum class Shape {
        lists,    // {"linux": {"include": [...]}, ...}
        include,  // {"include": [...]}
        array,    // [...]
    };
    Shape shape = Shape::lists;
    const Farm* farm = nullptr;      // of rows of a grid
    std::vector<std::string> lists;  // their names, in order
    std::vector<MatrixRow> rows;     // in order within each list
};

// `text` is a matrix in one of the shapes. Throws an Error (exit 2) that names the list and the row.
Matrix parse_matrix(std::string_view text);
Matrix to_matrix(boost::json::value value);
// What a workflow reads, of the grid's rows (lists_of() in policy/grid.hpp). They must outlive it.
Matrix to_matrix(const Farm& farm, const std::vector<const GridRow*>& rows);

// Adds what is ours: the packages of the farm. Throws an Error (exit 2) for a row of a package that it has not.
void complete_rows(Matrix& matrix, const Farm& farm);

// Rows of a matrix, by number and in order.
using MatrixPage = std::vector<std::size_t>;
MatrixPage all_rows(const Matrix& matrix);

// In its shape, on one line; lists that are empty stay. The second form hands it on in parts.
std::string to_text(const Matrix& matrix, const MatrixPage& rows);
void write_text(const Matrix& matrix, const MatrixPage& rows, const std::function<void(std::string_view)>& take);

// Each page has at most kMostJobs rows of each list and kMostOutputUnits units of text. The rows of one cell (its
// shards and the row that links them) stay together. No rows: no pages. Throws an Error (exit 2) if one cell alone is
// too much.
std::vector<MatrixPage> to_pages(const Matrix& matrix);

}  // namespace wheelarch
