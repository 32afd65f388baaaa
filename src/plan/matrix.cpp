#include "plan/matrix.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
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
#include "policy/key.hpp"

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
            matrix.rows.push_back(
                {list, nullptr,
                 std::make_shared<const ForeignRow>(ForeignRow{std::move(cell), std::move(row.as_object())})});
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
    std::vector<std::pair<const std::string*, std::size_t>> per_list;  // names in the matrix
    std::size_t size = 0;                                              // in UTF-16 units, with commas
};

std::string text_in(const json::object& fields, std::string_view key) {
    const json::value* value = fields.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

json::array texts(const std::vector<std::string>& items) {
    json::array array;
    for (const std::string& item : items) {
        array.emplace_back(item);
    }
    return array;
}

// Writes rows; what the rows of one package repeat is made once.
class RowWriter {
public:
    explicit RowWriter(const Farm* farm) : farm_(farm) {}

    void write(std::string& out, const MatrixRow& row) {
        if (row.grid == nullptr) {
            write_foreign(out, row);
            return;
        }
        if (package_ != row.grid->package) {
            package_ = row.grid->package;
            constants_ = row_constants(*farm_, *package_);
            epochs_ = epochs(*farm_, *package_);
        }
        write_row(out, *row.grid, constants_, row.is_link());
        if (row.package != nullptr) {
            out.pop_back();
            fmt::format_to(std::back_inserter(out), ",\"build_epoch\":{},\"package_epoch\":{},\"exists_key\":{}",
                           epochs_.farm, epochs_.package,
                           json::serialize(json::value(key_text(*farm_, *row.package, row.grid->cell))));
            out += row.serves.empty() ? "}" : ",\"serves_pythons\":" + json::serialize(texts(row.serves)) + "}";
        }
    }

private:
    void write_foreign(std::string& out, const MatrixRow& row) const {
        if (row.package == nullptr) {
            out += json::serialize(row.foreign->fields);
            return;
        }
        json::object fields = row.foreign->fields;
        const Epochs today = epochs(*farm_, *row.package);
        fields["build_epoch"] = today.farm;
        fields["package_epoch"] = today.package;
        fields["exists_key"] = key_text(*farm_, *row.package, row.foreign->cell);
        if (!row.serves.empty()) {
            fields["serves_pythons"] = texts(row.serves);
        }
        out += json::serialize(fields);
    }

    const Farm* farm_;
    const Package* package_ = nullptr;
    RowConstants constants_;
    Epochs epochs_;
};

// The rows of a cell need not stand beside each other: its link is in another list.
std::vector<Unit> to_units(const Matrix& matrix) {
    std::vector<Unit> units;
    std::map<Cell, std::size_t> by_cell;  // of those whose rows are in several lists, or that are another's
    RowWriter writer(matrix.farm);
    std::string text;
    for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
        const MatrixRow& row = matrix.rows[i];
        const bool alone = row.grid != nullptr && row.grid->shard_count == 0;
        const auto [found, is_new] =
            alone ? std::pair(by_cell.end(), true) : by_cell.try_emplace(row.cell(), units.size());
        if (is_new) {
            units.emplace_back();
        }
        Unit& unit = is_new ? units.back() : units[found->second];
        unit.rows.push_back(i);
        text.clear();
        writer.write(text, row);
        unit.size += utf16_units(text) + 1;
        const auto count = std::find_if(unit.per_list.begin(), unit.per_list.end(),
                                        [&](const auto& item) { return *item.first == row.list; });
        if (count == unit.per_list.end()) {
            unit.per_list.emplace_back(&row.list, 1);
        } else {
            ++count->second;
        }
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
                   const auto found = counts_.find(*item.first);
                   return item.second + (found == counts_.end() ? 0 : found->second) <= kMostJobs;
               });
    }
    void add(const Unit& unit) {
        rows_.insert(rows_.end(), unit.rows.begin(), unit.rows.end());
        size_ += unit.size;
        for (const auto& [list, count] : unit.per_list) {
            counts_[*list] += count;
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

Matrix to_matrix(const Farm& farm, const std::vector<const GridRow*>& rows) {
    Matrix matrix;
    matrix.farm = &farm;
    matrix.lists = lists_of(farm.layout);
    const auto add = [&](std::string list, const GridRow& row) {
        // A flat farm has no list for the links of aarch64 until it has such a cell.
        if (std::find(matrix.lists.begin(), matrix.lists.end(), list) == matrix.lists.end()) {
            matrix.lists.push_back(list);
        }
        matrix.rows.push_back({std::move(list), &row});
    };
    for (const GridRow* row : rows) {
        if (row->shard_index == 1) {
            add(row->cell.platform + "_link", *row);
        }
        add(list_of(farm, *row), *row);
    }
    return matrix;
}

void complete_rows(Matrix& matrix, const Farm& farm) {
    matrix.farm = &farm;
    for (MatrixRow& row : matrix.rows) {
        row.package = row.grid != nullptr
                          ? row.grid->package
                          : inside(to_text(row.cell()), [&] { return &find_package(farm, row.foreign->cell.package); });
    }
}

std::string MatrixRow::arch_list() const {
    return grid != nullptr ? grid->arch_list : text_in(foreign->fields, "arch_list");
}

std::string MatrixRow::source_tag() const {
    return grid != nullptr ? grid->source_tag : text_in(foreign->fields, "source_tag");
}

void write_text(const Matrix& matrix, const MatrixPage& rows, const std::function<void(std::string_view)>& take) {
    std::map<std::string_view, MatrixPage> lists;
    for (const std::size_t i : rows) {
        lists[matrix.rows[i].list].push_back(i);
    }
    RowWriter writer(matrix.farm);
    std::string text;
    const auto write_list = [&](std::string_view list) {
        bool first = true;
        for (const std::size_t i : lists[list]) {
            text += first ? "" : ",";
            first = false;
            writer.write(text, matrix.rows[i]);
            constexpr std::size_t kPart = std::size_t{1} << 20;
            if (text.size() > kPart) {
                take(text);
                text.clear();
            }
        }
    };
    switch (matrix.shape) {
        case Matrix::Shape::array:
            text = "[";
            write_list("");
            text += ']';
            break;
        case Matrix::Shape::include:
            text = "{\"include\":[";
            write_list("");
            text += "]}";
            break;
        case Matrix::Shape::lists:
            text = "{";
            for (const std::string& list : matrix.lists) {
                text +=
                    (&list == matrix.lists.data() ? "" : ",") + json::serialize(json::value(list)) + ":{\"include\":[";
                write_list(list);
                text += "]}";
            }
            text += '}';
            break;
    }
    take(text);
}

std::string to_text(const Matrix& matrix, const MatrixPage& rows) {
    std::string text;
    write_text(matrix, rows, [&](std::string_view part) { text += part; });
    return text;
}

std::vector<MatrixPage> to_pages(const Matrix& matrix) {
    const std::size_t frame = utf16_units(to_text(matrix, {}));
    // By the lists they stand in: where one of them does not fit, no later one of the kind need be tried.
    std::map<std::string, std::deque<Unit>> left;
    for (Unit& unit : to_units(matrix)) {
        std::string kind;
        std::sort(unit.per_list.begin(), unit.per_list.end(),
                  [](const auto& left, const auto& right) { return *left.first < *right.first; });
        for (const auto& [list, _] : unit.per_list) {
            kind += *list + ' ';
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
                                        to_text(matrix.rows[unit.rows.front()].cell()), unit.rows.size()),
                            fmt::format("give it fewer shards: at most {} jobs of a list", kMostJobs));
        }
        pages.push_back(page.take());
    }
    return pages;
}

}  // namespace wheelarch
