#include "report/plan.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "base/text.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr std::array<CellState, 5> kStates = {CellState::missing, CellState::stale, CellState::current,
                                              CellState::drifted, CellState::orphan};
constexpr std::size_t kMostReasons = 40;

// How many cells are in each state, and what becomes of them.
struct Counts {
    std::array<std::size_t, kStates.size()> by_state = {};
    std::size_t rebuild = 0;
    std::size_t carry = 0;

    void add(const PlannedCell& cell) {
        ++by_state.at(static_cast<std::size_t>(cell.state));
        rebuild += cell.rebuild ? 1 : 0;
        carry += cell.carry ? 1 : 0;
    }
    std::size_t of(CellState state) const { return by_state.at(static_cast<std::size_t>(state)); }
    std::size_t all() const { return std::accumulate(by_state.begin(), by_state.end(), std::size_t{0}); }
};

Counts count(const std::vector<PlannedCell>& plan) {
    Counts counts;
    std::for_each(plan.begin(), plan.end(), [&](const PlannedCell& cell) { counts.add(cell); });
    return counts;
}

std::map<std::string, Counts> count_packages(const std::vector<PlannedCell>& plan) {
    std::map<std::string, Counts> packages;
    for (const PlannedCell& cell : plan) {
        packages[cell.cell.package].add(cell);
    }
    return packages;
}

bool is_ahead(const PlannedCell& cell) {
    return cell.state != CellState::orphan && cell.epoch > cell.current_epoch;
}

// Why a cell is not simply current.
std::string reason(const PlannedCell& cell) {
    const std::string moved =
        fmt::format("{} → {}, by {}", printable(cell.recorded), printable(cell.resolved), printable(cell.source));
    const std::string behind = fmt::format("epoch {} is behind {}", cell.epoch, cell.current_epoch);
    switch (cell.state) {
        case CellState::missing: return cell.gone ? "recorded, but not among the assets" : "nothing is recorded";
        case CellState::stale:
            return cell.list_moved     ? behind + ", and the list moved: " + moved
                   : cell.list_unknown ? behind + ", and its list is not known"
                   : cell.carry        ? behind + ", but its list is the same: carried forward"
                                       : behind + "; its list is the same";
        case CellState::current:
            return is_ahead(cell)      ? fmt::format("epoch {} is ahead of {}", cell.epoch, cell.current_epoch)
                   : cell.list_unknown ? "at the epoch, but its list is not known"
                                       : "";
        case CellState::drifted: return "the list moved without a new epoch: " + moved;
        case CellState::orphan: return "recorded, but no cell of the grid";
    }
    return {};
}

struct Reason {
    CellState state;
    std::string text;
    std::size_t cells = 0;
};

// The most frequent first.
std::vector<Reason> reasons(const std::vector<PlannedCell>& plan) {
    std::map<std::pair<CellState, std::string>, std::size_t> by_text;
    for (const PlannedCell& cell : plan) {
        if (std::string text = reason(cell); !text.empty()) {
            ++by_text[{cell.state, std::move(text)}];
        }
    }
    std::vector<Reason> sorted;
    for (const auto& [key, cells] : by_text) {
        sorted.push_back({key.first, key.second, cells});
    }
    std::sort(sorted.begin(), sorted.end(), [](const Reason& left, const Reason& right) {
        return std::tie(right.cells, left.state, left.text) < std::tie(left.cells, right.state, right.text);
    });
    return sorted;
}

std::string headline(const std::vector<PlannedCell>& plan) {
    const Counts counts = count(plan);
    std::string text = fmt::format("{}:", count_of(counts.all() - counts.of(CellState::orphan), "cell"));
    for (const CellState state : kStates) {
        text += fmt::format("{} {} {}", state == CellState::missing ? "" : ",", counts.of(state), name(state));
    }
    text += counts.rebuild == 0 ? "; nothing to rebuild" : fmt::format("; {} to rebuild", counts.rebuild);
    if (counts.carry > 0) {
        text += fmt::format(", {} carried forward", counts.carry);
    }
    return text;
}

// Packages of which nothing is rebuilt: what a bump did not touch.
std::vector<std::string> untouched(const std::vector<PlannedCell>& plan) {
    std::vector<std::string> names;
    for (const auto& [package, counts] : count_packages(plan)) {
        if (counts.rebuild == 0) {
            names.push_back(package);
        }
    }
    return names;
}

// A wheel that is ahead of the policy: the bump was lost. Nothing would be rebuilt until the epoch is past it.
const PlannedCell* first_ahead(const std::vector<PlannedCell>& plan) {
    const auto first = std::find_if(plan.begin(), plan.end(), is_ahead);
    return first == plan.end() ? nullptr : &*first;
}

json::value text_or_null(std::string_view text) {
    return text.empty() ? json::value() : json::value(valid_utf8(text));
}

json::object counts_json(const Counts& counts) {
    json::object object;
    for (const CellState state : kStates) {
        object[name(state)] = counts.of(state);
    }
    object["rebuild"] = counts.rebuild;
    object["carry"] = counts.carry;
    return object;
}

json::object cell_json(const PlannedCell& planned) {
    const Cell& cell = planned.cell;
    return {{"state", name(planned.state)},
            {"package", valid_utf8(cell.package)},
            {"version", text_or_null(cell.version)},
            {"cuda", text_or_null(cell.cuda)},
            {"pytorch", text_or_null(cell.pytorch)},
            {"python", text_or_null(cell.python)},
            {"platform", text_or_null(cell.platform)},
            {"wheel", text_or_null(planned.wheel)},
            {"recorded", text_or_null(planned.recorded)},
            {"resolved", text_or_null(planned.resolved)},
            {"source", text_or_null(planned.source)},
            {"epoch", planned.epoch == 0 ? json::value() : json::value(planned.epoch)},
            {"current_epoch", planned.current_epoch == 0 ? json::value() : json::value(planned.current_epoch)},
            {"rebuild", planned.rebuild},
            {"carry", planned.carry}};
}

}  // namespace

json::object key_json(const ExistsKey& key, const Existing* existing, std::uint64_t current_epoch) {
    json::object object = {{"schema", kSchema},
                           {"key", valid_utf8(key.text)},
                           {"sha256", key.sha256},
                           {"build_epoch", current_epoch},
                           {"exists", existing == nullptr ? json::value() : json::value(existing->exists)},
                           {"asset", nullptr},
                           {"asset_epoch", nullptr}};
    if (existing != nullptr && !existing->asset.empty()) {
        object["asset"] = valid_utf8(existing->asset);
        object["asset_epoch"] = existing->epoch;
    }
    return object;
}

std::string key_text(const ExistsKey& key, const Existing* existing, std::uint64_t current_epoch) {
    std::string out = printable(key.text) + '\n' + fmt::format("  sha256    {}\n", key.sha256);
    if (existing == nullptr) {
        return out;
    }
    if (existing->asset.empty()) {
        out += "  exists    no: no asset is its wheel\n";
    } else if (existing->exists) {
        out += fmt::format("  exists    yes: {}, at epoch {}\n", printable(existing->asset), existing->epoch);
    } else {
        out += fmt::format("  exists    no: {} is at epoch {}, behind {}\n", printable(existing->asset),
                           existing->epoch, current_epoch);
    }
    return out;
}

PageReport report_pages(const Matrix& matrix, const std::vector<MatrixPage>& pages, std::size_t page) {
    PageReport report;
    report.jobs = matrix.rows.size();
    report.page = page;
    report.pages = pages.size();
    report.page_jobs = page <= pages.size() ? pages[page - 1].size() : 0;
    for (std::size_t later = page; later < pages.size(); ++later) {
        report.remain += pages[later].size();
    }
    for (const std::string& list : matrix.lists) {
        report.per_list[list] = 0;
    }
    for (const MatrixRow& row : matrix.rows) {
        ++report.per_list[row.list];
    }
    return report;
}

std::string to_text(const PageReport& report) {
    if (report.jobs == 0) {
        return "nothing to build";
    }
    std::string text = count_of(report.jobs, "job");
    if (report.pages > 1) {
        text += fmt::format(" in {} pages; page {} has {}, {} remain{}", report.pages, report.page, report.page_jobs,
                            report.remain, report.remain == 1 ? "s" : "");
    }
    return text;
}

json::object page_json(const PageReport& report) {
    json::object lists;
    for (const auto& [list, jobs] : report.per_list) {
        lists[valid_utf8(list)] = jobs;
    }
    return {{"jobs", report.jobs},           {"pages", report.pages},   {"page", report.page},
            {"page_jobs", report.page_jobs}, {"remain", report.remain}, {"lists", std::move(lists)}};
}

std::string plan_text(const std::vector<PlannedCell>& plan) {
    std::string out = headline(plan) + "\n\n";
    out += fmt::format("  {:<32} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "package", "missing", "stale", "current",
                       "drifted", "orphan", "rebuild", "carry");
    for (const auto& [package, counts] : count_packages(plan)) {
        out += fmt::format("  {:<32}", printable(package));
        for (const std::size_t cells : counts.by_state) {
            out += fmt::format(" {:>8}", cells);
        }
        out += fmt::format(" {:>8} {:>8}\n", counts.rebuild, counts.carry);
    }
    out += '\n';
    std::size_t shown = 0;
    const std::vector<Reason> all = reasons(plan);
    for (const Reason& reason : all) {
        if (++shown > kMostReasons) {
            out += fmt::format("  {} more reasons; --json has all\n", all.size() - kMostReasons);
            break;
        }
        out += fmt::format("  {:>8} {:<8} {}\n", reason.cells, name(reason.state), reason.text);
    }
    if (const std::vector<std::string> names = untouched(plan); !names.empty()) {
        out += fmt::format("  nothing is rebuilt of {}\n", printable(enumerate(names, 60)));
    }
    return out;
}

std::string plan_summary(const std::vector<PlannedCell>& plan) {
    std::string text = fmt::format("### Plan\n\n{}\n\n", headline(plan));
    text += "| package | missing | stale | current | drifted | orphan | rebuild | carry |\n";
    text += "| --- | --: | --: | --: | --: | --: | --: | --: |\n";
    for (const auto& [package, counts] : count_packages(plan)) {
        text += fmt::format("| {} |", markdown_code(package));
        for (const std::size_t cells : counts.by_state) {
            text += fmt::format(" {} |", cells);
        }
        text += fmt::format(" {} | {} |\n", counts.rebuild, counts.carry);
    }
    text += "\n| cells | state | why |\n| --: | --- | --- |\n";
    std::size_t shown = 0;
    for (const Reason& reason : reasons(plan)) {
        if (++shown <= kMostReasons) {
            text += fmt::format("| {} | {} | {} |\n", reason.cells, name(reason.state), markdown_code(reason.text));
        }
    }
    return text + '\n';
}

json::object plan_json(const std::vector<PlannedCell>& plan) {
    json::array cells;
    json::object packages;
    json::array why;
    for (const PlannedCell& cell : plan) {
        cells.push_back(cell_json(cell));
    }
    for (const auto& [package, counts] : count_packages(plan)) {
        packages[valid_utf8(package)] = counts_json(counts);
    }
    for (const Reason& reason : reasons(plan)) {
        why.push_back({{"state", name(reason.state)}, {"cells", reason.cells}, {"reason", valid_utf8(reason.text)}});
    }
    return {{"schema", kSchema},
            {"counts", counts_json(count(plan))},
            {"packages", std::move(packages)},
            {"reasons", std::move(why)},
            {"cells", std::move(cells)}};
}

std::vector<Finding> drift_findings(const std::vector<PlannedCell>& plan) {
    std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> changes;
    for (const PlannedCell& cell : plan) {
        if (cell.state == CellState::drifted) {
            ++changes[{cell.cell.package, cell.recorded, cell.resolved, cell.source}];
        }
    }
    std::vector<Finding> findings;
    for (const auto& [change, cells] : changes) {
        const auto& [package, recorded, resolved, source] = change;
        findings.push_back(
            {"drifted", Severity::error, package,
             fmt::format("{} at the current epoch with {}, but {} says {}",
                         cells == 1 ? "1 wheel is recorded" : fmt::format("{} wheels are recorded", cells), recorded,
                         source, resolved),
             "raise build_epoch so that they are rebuilt, or take the change back"});
    }
    if (const PlannedCell* ahead = first_ahead(plan)) {
        findings.push_back({"epoch-went-back", Severity::error, ahead->cell.package,
                            fmt::format("{} is recorded for epoch {}, but the policy is at {}", printable(ahead->wheel),
                                        ahead->epoch, ahead->current_epoch),
                            fmt::format("raise build_epoch to {} or more: it never goes back", ahead->epoch)});
    }
    return findings;
}

}  // namespace wheelarch
