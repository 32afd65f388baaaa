#include "audit/policy_today.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

std::string line_key(const Cell& cell) {
    return fmt::format("{}\n{}\n{}", normal_name(cell.package), major_minor(cell.cuda), cell.platform);
}

// What is not known agrees with anything.
bool agree(const Package& package, const Cell& row, const Cell& facts) {
    const auto same = [](const std::string& left, const std::string& right) {
        return left.empty() || right.empty() || left == right;
    };
    return same(comparable_version(row.version), comparable_version(facts.version)) && same(row.python, facts.python) &&
           (!package.links_torch || same(major_minor(row.pytorch), major_minor(facts.pytorch)));
}

bool same_question(const AskedOfCell& asked, const GridRow& row) {
    return asked.package == row.package && asked.resolved.text == row.arch_list;
}

}  // namespace

PolicyToday::PolicyToday(Farm farm) : farm_(std::move(farm)), grid_(make_grid(farm_)) {
    for (std::size_t i = 0; i < grid_.size(); ++i) {
        if (grid_[i].shard_index <= 1) {
            by_line_[line_key(grid_[i].cell)].push_back(i);
        }
    }
}

bool PolicyToday::tells_cell(const Cell& facts) {
    return !facts.cuda.empty() && !facts.platform.empty();
}

std::vector<AskedOfCell> PolicyToday::asked_of(const Cell& facts) const {
    std::vector<AskedOfCell> all;
    const auto rows = by_line_.find(line_key(facts));
    for (const std::size_t i : rows == by_line_.end() ? std::vector<std::size_t>() : rows->second) {
        const GridRow& row = grid_[i];
        const bool is_known =
            std::any_of(all.begin(), all.end(), [&](const AskedOfCell& asked) { return same_question(asked, row); });
        if (is_known || !agree(*row.package, row.cell, facts)) {
            continue;
        }
        AskedOfCell asked;
        asked.cell = row.cell;
        asked.package = row.package;
        asked.resolved = resolve_unchecked(farm_, *row.package, row.cell);
        asked.requirement = requirement(*row.package, row.cell, asked.resolved);
        asked.epoch = epochs(farm_, *row.package);
        all.push_back(std::move(asked));
    }
    return all;
}

}  // namespace wheelarch
