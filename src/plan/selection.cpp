#include "plan/selection.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/text.hpp"
#include "plan/one_job.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

struct ByValue {
    bool operator()(const Cell* left, const Cell* right) const { return *left < *right; }
};
using CellNumbers = std::map<const Cell*, std::size_t, ByValue>;

// Cells whose job may be another's, with the rows that they have.
class Sharing {
public:
    void add(const MatrixRow& row, const Standing& standing) {
        if (standing.wheel.empty() && row.package->wheel_python.empty()) {
            return;
        }
        if (numbers_.try_emplace(&row.cell(), cells_.size()).second) {
            cells_.push_back({row.package, &row.cell(), row.arch_list(), row.source_tag(), standing.wheel});
        }
    }

    std::size_t apply(Matrix& matrix) {
        const std::vector<Job> jobs = jobs_of(cells_);
        return std::erase_if(matrix.rows, [&](MatrixRow& row) {
            const auto number = numbers_.find(&row.cell());
            if (number == numbers_.end()) {
                return false;
            }
            const Job& job = jobs[number->second];
            row.serves = job.serves;
            return job.leader != number->second;
        });
    }

private:
    std::vector<JobCell> cells_;
    CellNumbers numbers_;
};

// By what a generator and the policy write alike.
using CellWords = std::tuple<std::string, std::string, std::string, std::string, std::string>;
CellWords words_of(const Cell& cell) {
    return {normal_name(cell.package), cell.cuda, major_minor(cell.pytorch), cell.python, cell.platform};
}

}  // namespace

Selected select_rows(Matrix& matrix, const Farm& farm, WheelJudge* judge) {
    complete_rows(matrix, farm);
    Selected selected;
    Sharing sharing;
    std::set<std::string> replaced;
    std::vector<MatrixRow> kept;
    for (MatrixRow& row : matrix.rows) {
        Standing standing;
        standing.rebuild = true;
        if (judge != nullptr) {
            standing = judge->judge(*row.package, row.cell(), row.source_tag(), "");
        }
        if (standing.state == CellState::replaced && !standing.young && !standing.rebuild) {
            replaced.insert(standing.wheel);
        }
        if (!standing.rebuild) {
            ++selected.existing;
            continue;
        }
        kept.push_back(std::move(row));
        sharing.add(kept.back(), standing);
    }
    matrix.rows = std::move(kept);
    selected.shared = sharing.apply(matrix);
    selected.replaced = {replaced.begin(), replaced.end()};
    return selected;
}

std::vector<Finding> replaced_warning(const std::vector<std::string>& assets) {
    if (assets.empty()) {
        return {};
    }
    return {{"asset-replaced",
             Severity::warning,
             {},
             fmt::format("{} not the recorded file: {}",
                         assets.size() == 1 ? "1 asset is" : fmt::format("{} assets are", assets.size()),
                         printable(enumerate(assets, 3))),
             "if a rebuild was uploaded, collect its entry; if not, --rebuild-replaced has them built again"}};
}

std::vector<Finding> missing_rows(const Matrix& matrix, const std::vector<GridRow>& grid, WheelJudge& judge) {
    std::set<CellWords> there;
    for (const MatrixRow& row : matrix.rows) {
        there.insert(words_of(row.cell()));
    }
    std::size_t hidden = 0;
    const GridRow* first = nullptr;
    for (const GridRow& row : grid) {
        if (row.shard_index > 1 || there.contains(words_of(row.cell)) ||
            judge.judge(*row.package, row.cell, row.source_tag, "").state != CellState::stale) {
            continue;
        }
        first = first == nullptr ? &row : first;
        ++hidden;
    }
    if (first == nullptr) {
        return {};
    }
    return {
        {"rows-missing",
         Severity::warning,
         {},
         fmt::format("{} behind but not among the rows, such as {}",
                     hidden == 1 ? "1 cell of the policy is" : fmt::format("{} cells of the policy are", hidden),
                     to_text(first->cell)),
         "a generator that drops wheels that are there by name hides them from the epoch: take that check out of it"}};
}

}  // namespace wheelarch
