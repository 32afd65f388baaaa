// Matrix: a workflow's matrix as JSON, filtered, and cut into pages that GitHub takes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "policy/cell.hpp"

namespace wheelarch {

// GitHub's limits (docs/policy.md): jobs of one matrix, and UTF-16 units of a step's output, with room for the rest of
// the step's outputs.
inline constexpr std::size_t kMostJobs = 256;
inline constexpr std::size_t kMostOutputUnits = 500'000;

struct MatrixRow {
    std::string list;  // `linux`, `linux_link`; empty: the matrix is one list
    Cell cell;
    boost::json::object fields;
};

struct Matrix {
    enum class Shape {
        lists,    // {"linux": {"include": [...]}, ...}
        include,  // {"include": [...]}
        array,    // [...]
    };
    Shape shape = Shape::lists;
    std::vector<std::string> lists;  // their names, in order
    std::vector<MatrixRow> rows;     // in order within each list
};

// `text` is a matrix in one of the shapes. Throws an Error (exit 2) that names the list and the row.
Matrix parse_matrix(std::string_view text);
Matrix to_matrix(boost::json::value value);

// Rows of a matrix, by number and in order.
using MatrixPage = std::vector<std::size_t>;
MatrixPage all_rows(const Matrix& matrix);

// In its shape, on one line; lists that are empty stay.
std::string to_text(const Matrix& matrix, const MatrixPage& rows);

// Each page has at most kMostJobs rows of each list and kMostOutputUnits units of text. The rows of one cell (its
// shards and the row that links them) stay together. No rows: no pages. Throws an Error (exit 2) if one cell alone is
// too much.
std::vector<MatrixPage> to_pages(const Matrix& matrix);

}  // namespace wheelarch
