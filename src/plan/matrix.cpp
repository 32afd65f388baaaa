#include "plan/matrix.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "policy/grid.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr char kShapes[] =
    "expected {\"include\": [...]}, a list of rows, or such for each platform: {\"linux\": {\"include\": [...]}}";

void add_rows(Matrix& matrix, const std::string& list, json::value& rows) {
    if (!rows.is_array()) {
        throw bad_usage(fmt::format("`include`{} is no list of rows", list.empty() ? "" : " of " + printable(list)),
                        kShapes);
    }
    std::size_t number = 0;
    for (json::value& row : rows.as_array()) {
        const std::string place = fmt::format("row {}{}", ++number, list.empty() ? "" : " of " + printable(list));
        inside(place, [&] {
            if (!row.is_object()) {
                throw bad_usage("it is no JSON object", kShapes);
            }
            Cell cell = parse_cell(row.as_object());
            matrix.rows.push_back({list, std::move(cell), std::move(row.as_object())});
        });
    }
}

json::value& include_of(const std::string& list, json::value& value) {
    json::value* include = value.is_object() ? value.as_object().if_contains("include") : nullptr;
    if (include == nullptr || value.as_object().size() != 1) {
        throw bad_usage(fmt::format("'{}' of the matrix holds something else than `include`", printable(list)),
                        kShapes);
    }
    return *include;
}

// Code points beyond the first plane take two units.
std::size_t utf16_units(std::string_view text) {
    std::size_t units = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        units += byte >= 0xf0 ? 2 : (byte & 0xc0U) != 0x80U ? 1 : 0;
    }
    return units;
}

// Rows that must be in one page.
struct Unit {
    std::vector<std::size_t> rows;
    std::map<std::string, std::size_t> per_list;
    std::size_t size = 0;  // in UTF-16 units, with commas
};

std::vector<Unit> to_units(const Matrix& matrix) {
    std::vector<Unit> units;
    std::map<Cell, std::size_t> by_cell;
    for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
        const MatrixRow& row = matrix.rows[i];
        const auto [found, is_new] = by_cell.try_emplace(row.cell, units.size());
        if (is_new) {
            units.emplace_back();
        }
        Unit& unit = units[found->second];
        unit.rows.push_back(i);
        unit.size += utf16_units(json::serialize(row.fields)) + 1;
        ++unit.per_list[row.list];
    }
    return units;
}

// A page while it is being filled.
class Page {
public:
    explicit Page(std::size_t frame) : size_(frame) {}

    void fill(std::deque<Unit>& units) {
        while (!units.empty() && takes(units.front())) {
            add(units.front());
            units.pop_front();
        }
    }
    bool empty() const { return rows_.empty(); }
    MatrixPage take() {
        std::sort(rows_.begin(), rows_.end());
        return std::move(rows_);
    }

private:
    bool takes(const Unit& unit) const {
        return size_ + unit.size <= kMostOutputUnits &&
               std::all_of(unit.per_list.begin(), unit.per_list.end(), [this](const auto& item) {
                   const auto found = counts_.find(item.first);
                   return item.second + (found == counts_.end() ? 0 : found->second) <= kMostJobs;
               });
    }
    void add(const Unit& unit) {
        rows_.insert(rows_.end(), unit.rows.begin(), unit.rows.end());
        size_ += unit.size;
        for (const auto& [list, count] : unit.per_list) {
            counts_[list] += count;
        }
    }

    std::size_t size_;
    MatrixPage rows_;
    std::map<std::string, std::size_t> counts_;
};

}  // namespace

Matrix to_matrix(json::value value) {
    Matrix matrix;
    if (value.is_array()) {
        matrix.shape = Matrix::Shape::array;
        add_rows(matrix, "", value);
        return matrix;
    }
    if (!value.is_object()) {
        throw bad_usage("the matrix is no JSON object or list", kShapes);
    }
    if (value.as_object().contains("include")) {
        matrix.shape = Matrix::Shape::include;
        add_rows(matrix, "", include_of("the matrix", value));
        return matrix;
    }
    for (json::key_value_pair& list : value.as_object()) {
        matrix.lists.emplace_back(list.key());
        add_rows(matrix, matrix.lists.back(), include_of(matrix.lists.back(), list.value()));
    }
    return matrix;
}

Matrix parse_matrix(std::string_view text) {
    boost::system::error_code failure;
    json::value value = json::parse(text, failure);
    if (failure) {
        throw bad_usage(fmt::format("the matrix is no JSON, or cut short: {}", failure.message()), kShapes);
    }
    return to_matrix(std::move(value));
}

MatrixPage all_rows(const Matrix& matrix) {
    MatrixPage rows(matrix.rows.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

std::string to_text(const Matrix& matrix, const MatrixPage& rows) {
    std::map<std::string, std::string> lists;  // what stands between the brackets
    for (const std::size_t i : rows) {
        std::string& list = lists[matrix.rows[i].list];
        list += list.empty() ? "" : ",";
        list += json::serialize(matrix.rows[i].fields);
    }
    switch (matrix.shape) {
        case Matrix::Shape::array: return "[" + lists[""] + "]";
        case Matrix::Shape::include: return "{\"include\":[" + lists[""] + "]}";
        case Matrix::Shape::lists: break;
    }
    std::string text = "{";
    for (const std::string& list : matrix.lists) {
        text +=
            (text.size() == 1 ? "" : ",") + json::serialize(json::value(list)) + ":{\"include\":[" + lists[list] + "]}";
    }
    return text + "}";
}

std::vector<MatrixPage> to_pages(const Matrix& matrix) {
    const std::size_t frame = utf16_units(to_text(matrix, {}));
    // By the lists they stand in: where one of them does not fit, no later one of the kind need be tried.
    std::map<std::string, std::deque<Unit>> left;
    for (Unit& unit : to_units(matrix)) {
        std::string kind;
        for (const auto& [list, _] : unit.per_list) {
            kind += list + ' ';
        }
        left[kind].push_back(std::move(unit));
    }
    std::vector<MatrixPage> pages;
    while (!left.empty()) {
        Page page(frame);
        for (auto kind = left.begin(); kind != left.end();) {
            page.fill(kind->second);
            kind = kind->second.empty() ? left.erase(kind) : std::next(kind);
        }
        if (page.empty()) {
            const Unit& unit = left.begin()->second.front();
            throw bad_usage(fmt::format("{} has {} jobs, more than one page of a matrix takes",
                                        to_text(matrix.rows[unit.rows.front()].cell), unit.rows.size()),
                            fmt::format("give it fewer shards: at most {} jobs of a list", kMostJobs));
        }
        pages.push_back(page.take());
    }
    return pages;
}

}  // namespace wheelarch
