#include "report/plan.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <ostream>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "base/text.hpp"
#include "plan/selection.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostReasons = 40;
constexpr std::array<CellState, 6> kStates = {CellState::missing, CellState::stale,    CellState::current,
                                              CellState::drifted, CellState::replaced, CellState::orphan};
static_assert(kStates.size() == PlanCounts::kStateCount);

bool is_ahead(const PlannedCell& cell) {
    return cell.row != nullptr && !cell.standing.wheel.empty() && !reach(cell.today, cell.standing.epochs);
}

std::string recorded_list(const PlannedCell& cell) {
    return cell.standing.record == nullptr ? std::string() : cell.standing.record->arch_list;
}

// Why a stale wheel is, and whether its list is another one.
std::string stale_reason(const PlannedCell& cell, const std::string& moved) {
    const Standing& standing = cell.standing;
    std::string text;
    if (standing.behind) {
        text = fmt::format("epoch {} is behind {}", to_text(standing.epochs), to_text(cell.today));
    }
    if (standing.source_moved) {
        text += fmt::format("{}built from {}, the policy says {}", text.empty() ? "" : ", and ",
                            printable(standing.record->source_ref), printable(cell.row->source_tag));
    }
    return text + (standing.list_moved     ? ", and the list moved: " + moved
                   : standing.list_unknown ? ", and its list is not known"
                   : standing.carry        ? ", but its list is the same: carried forward"
                                           : "; its list is the same");
}

// Why a cell is not simply current.
std::string reason(const PlannedCell& cell) {
    const Standing& standing = cell.standing;
    std::string moved;
    if (standing.list_moved) {
        moved = fmt::format("{} → {}, by {}", printable(recorded_list(cell)), printable(cell.row->arch_list),
                            printable(cell.source));
    }
    switch (standing.state) {
        case CellState::missing: return standing.gone ? "recorded, but not among the assets" : "nothing is recorded";
        case CellState::stale: return stale_reason(cell, moved);
        case CellState::current:
            return is_ahead(cell)
                       ? fmt::format("epoch {} is ahead of {}", to_text(standing.epochs), to_text(cell.today))
                   : standing.list_unknown ? "at the epoch, but its list is not known"
                                           : "";
        case CellState::drifted: return "the list moved without a new epoch: " + moved;
        case CellState::replaced:
            return standing.young     ? "its asset is not the recorded file, but was uploaded just now: left alone"
                   : standing.rebuild ? "its asset is not the recorded file; rebuilt, as --rebuild-replaced says"
                                      : "its asset is not the recorded file; --rebuild-replaced has it built again";
        case CellState::orphan: return "recorded, but no cell of the grid";
    }
    return {};
}

// The most frequent first.
std::vector<PlanReason> sorted_reasons(const std::map<std::pair<CellState, std::string>, std::size_t>& by_text) {
    std::vector<PlanReason> sorted;
    for (const auto& [key, cells] : by_text) {
        sorted.push_back({key.first, key.second, cells});
    }
    std::sort(sorted.begin(), sorted.end(), [](const PlanReason& left, const PlanReason& right) {
        return std::tie(right.cells, left.state, left.text) < std::tie(left.cells, right.state, right.text);
    });
    return sorted;
}

// What each bump was for that a stale wheel has not seen.
std::vector<std::string> missed_bumps(const Farm& farm, const std::vector<PlannedCell>& plan) {
    std::set<std::tuple<const Package*, std::uint64_t, std::uint64_t>> known;
    std::set<std::tuple<bool, std::string, std::uint64_t>> seen;
    std::vector<std::string> texts;
    for (const PlannedCell& cell : plan) {
        const Epochs& built = cell.standing.epochs;
        if (cell.standing.state != CellState::stale || !cell.standing.behind ||
            !known.emplace(cell.row->package, built.farm, built.package).second) {
            continue;
        }
        for (const BumpStep& step : steps_since(farm, *cell.row->package, built)) {
            const std::string& whose = step.of_farm ? std::string() : cell.row->package->name;
            if (seen.emplace(!step.of_farm, whose, step.number).second) {
                texts.push_back(whose + (whose.empty() ? "" : ": ") + to_text(step));
            }
        }
    }
    return texts;
}

void note_cell(PlanTotals& totals, const PlannedCell& cell, std::set<std::string>& replaced,
               std::set<std::string>& older, std::set<std::string>& versions) {
    const Standing& standing = cell.standing;
    if (standing.state == CellState::replaced && !standing.young && !standing.rebuild) {
        replaced.insert(standing.wheel);
    }
    if (standing.state == CellState::current) {
        older.insert(standing.older.begin(), standing.older.end());
        totals.blind += standing.list_unknown ? 1 : 0;
    }
    if (cell.row != nullptr && cell.row->cell.version.empty()) {
        versions.insert(cell.row->cell.package);
    }
}

std::string headline(const PlanTotals& totals) {
    const PlanCounts& counts = totals.counts;
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
std::vector<std::string> untouched(const PlanTotals& totals) {
    std::vector<std::string> names;
    for (const auto& [package, counts] : totals.packages) {
        if (counts.rebuild == 0) {
            names.push_back(package);
        }
    }
    return names;
}

// What is to be known besides the states, a line each.
std::vector<std::string> notes(const PlanTotals& totals) {
    std::vector<std::string> lines;
    for (const std::string& bump : totals.bumps) {
        lines.push_back("bump: " + bump);
    }
    const auto add = [&](const std::vector<std::string>& names, std::string_view what, std::size_t most) {
        if (!names.empty()) {
            lines.push_back(fmt::format("{}: {}", what, printable(enumerate(names, most))));
        }
    };
    add(totals.unknown_versions, "the version is not known, and any version of the wheel counts", 60);
    add(totals.older, "served beside a current wheel of the same cell", 3);
    add(totals.retirable,
        fmt::format("{} for no cell; once pruned from the releases, `ledger retire` takes the record away",
                    totals.retirable.size() == 1 ? "1 recorded wheel is"
                                                 : fmt::format("{} recorded wheels are", totals.retirable.size())),
        3);
    if (!totals.assets_known) {
        lines.emplace_back("the releases were not looked at: --gh or --existing tells whether the wheels are there");
    }
    return lines;
}

json::value text_or_null(std::string_view text) {
    return text.empty() ? json::value() : json::value(valid_utf8(text));
}

json::object counts_json(const PlanCounts& counts) {
    json::object object;
    for (const CellState state : kStates) {
        object[name(state)] = counts.of(state);
    }
    object["rebuild"] = counts.rebuild;
    object["carry"] = counts.carry;
    return object;
}

json::object cell_json(const PlannedCell& planned) {
    const Standing& standing = planned.standing;
    const bool orphan = planned.row == nullptr;
    const Cell cell = orphan ? Cell{planned.package(), {}, {}, {}, {}, {}} : planned.row->cell;
    const bool epochs_known = !standing.wheel.empty();
    const auto number = [](bool known, std::uint64_t value) { return known ? json::value(value) : json::value(); };
    return {{"state", name(standing.state)},
            {"package", valid_utf8(cell.package)},
            {"version", text_or_null(cell.version)},
            {"cuda", text_or_null(cell.cuda)},
            {"pytorch", text_or_null(cell.pytorch)},
            {"python", text_or_null(cell.python)},
            {"platform", text_or_null(cell.platform)},
            {"wheel", text_or_null(standing.wheel)},
            {"recorded", text_or_null(recorded_list(planned))},
            {"resolved", text_or_null(orphan ? "" : planned.row->arch_list)},
            {"source", text_or_null(planned.source)},
            {"recorded_ref", text_or_null(standing.record == nullptr ? "" : standing.record->source_ref)},
            {"source_tag", text_or_null(orphan ? "" : planned.row->source_tag)},
            {"epoch", number(epochs_known, standing.epochs.farm)},
            {"package_epoch", number(epochs_known, standing.epochs.package)},
            {"current_epoch", number(!orphan, planned.today.farm)},
            {"current_package_epoch", number(!orphan, planned.today.package)},
            {"rebuild", standing.rebuild},
            {"carry", standing.carry}};
}

json::array texts_json(const std::vector<std::string>& texts) {
    json::array array;
    for (const std::string& text : texts) {
        array.emplace_back(valid_utf8(text));
    }
    return array;
}

}  // namespace

void PlanCounts::add(const PlannedCell& cell) {
    ++by_state.at(static_cast<std::size_t>(cell.standing.state));
    rebuild += cell.standing.rebuild ? 1 : 0;
    carry += cell.standing.carry ? 1 : 0;
}

std::size_t PlanCounts::all() const {
    return std::accumulate(by_state.begin(), by_state.end(), std::size_t{0});
}

PlanTotals plan_totals(const Farm& farm, const std::vector<PlannedCell>& plan, const Recorded& recorded, bool whole,
                       bool assets_known) {
    PlanTotals totals;
    totals.assets_known = assets_known;
    std::map<std::pair<CellState, std::string>, std::size_t> by_text;
    std::set<std::string> replaced;
    std::set<std::string> older;
    std::set<std::string> versions;
    for (const PlannedCell& cell : plan) {
        totals.counts.add(cell);
        totals.packages[cell.package()].add(cell);
        if (std::string text = reason(cell); !text.empty()) {
            ++by_text[{cell.standing.state, std::move(text)}];
        }
        note_cell(totals, cell, replaced, older, versions);
    }
    totals.reasons = sorted_reasons(by_text);
    totals.bumps = missed_bumps(farm, plan);
    totals.replaced = {replaced.begin(), replaced.end()};
    totals.older = {older.begin(), older.end()};
    totals.unknown_versions = {versions.begin(), versions.end()};
    if (whole) {
        totals.retirable = retirable(plan, recorded);
    }
    return totals;
}

json::object key_json(const ExistsKey& key, const Standing* standing, const Epochs& today) {
    json::object object = {{"schema", kSchema},
                           {"key", valid_utf8(key.text)},
                           {"sha256", key.sha256},
                           {"build_epoch", today.farm},
                           {"package_epoch", today.package},
                           {"exists", standing == nullptr ? json::value() : json::value(standing->exists())},
                           {"state", standing == nullptr ? json::value() : json::value(name(standing->state))},
                           {"asset", nullptr},
                           {"asset_epoch", nullptr},
                           {"asset_package_epoch", nullptr}};
    if (standing != nullptr && !standing->wheel.empty()) {
        object["asset"] = valid_utf8(standing->wheel);
        object["asset_epoch"] = standing->epochs.farm;
        object["asset_package_epoch"] = standing->epochs.package;
    }
    return object;
}

std::string key_text(const ExistsKey& key, const Standing* standing, const Epochs& today,
                     const std::string& source_tag) {
    std::string out;
    out += printable(key.text) + '\n' + fmt::format("  sha256    {}\n", key.sha256);
    if (standing == nullptr) {
        return out;
    }
    const std::string asset = printable(standing->wheel);
    std::string text;
    if (standing->wheel.empty()) {
        text = "no: no asset is its wheel";
    } else if (standing->state == CellState::replaced) {
        text = fmt::format("{}: {} is not the recorded file{}", standing->exists() ? "yes" : "no", asset,
                           standing->young ? ", and was uploaded just now" : "");
    } else if (standing->exists()) {
        text = fmt::format("yes: {}, at epoch {}", asset, to_text(standing->epochs));
    } else if (standing->behind) {
        text = fmt::format("no: {} is at epoch {}, behind {}", asset, to_text(standing->epochs), to_text(today));
    } else {
        text = fmt::format("no: {} was built from {}, not {}", asset, printable(standing->record->source_ref),
                           printable(source_tag));
    }
    out += fmt::format("  exists    {}\n", text);
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

std::string plan_text(const PlanTotals& totals) {
    std::string out;
    out += headline(totals) + "\n\n";
    out += fmt::format("  {:<32}", "package");
    for (const CellState state : kStates) {
        out += fmt::format(" {:>8}", name(state));
    }
    out += fmt::format(" {:>8} {:>8}\n", "rebuild", "carry");
    for (const auto& [package, counts] : totals.packages) {
        out += fmt::format("  {:<32}", printable(package));
        for (const std::size_t cells : counts.by_state) {
            out += fmt::format(" {:>8}", cells);
        }
        out += fmt::format(" {:>8} {:>8}\n", counts.rebuild, counts.carry);
    }
    out += '\n';
    std::size_t shown = 0;
    for (const PlanReason& reason : totals.reasons) {
        if (++shown > kMostReasons) {
            out += fmt::format("  {} more reasons; --json has all\n", totals.reasons.size() - kMostReasons);
            break;
        }
        out += fmt::format("  {:>8} {:<8} {}\n", reason.cells, name(reason.state), reason.text);
    }
    for (const std::string& line : notes(totals)) {
        out += "  " + line + '\n';
    }
    if (const std::vector<std::string> names = untouched(totals); !names.empty()) {
        out += fmt::format("  nothing is rebuilt of {}\n", printable(enumerate(names, 60)));
    }
    return out;
}

std::string plan_summary(const PlanTotals& totals) {
    std::string text = fmt::format("### Plan\n\n{}\n\n| package |", headline(totals));
    for (const CellState state : kStates) {
        text += fmt::format(" {} |", name(state));
    }
    text += " rebuild | carry |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n";
    for (const auto& [package, counts] : totals.packages) {
        text += fmt::format("| {} |", markdown_code(package));
        for (const std::size_t cells : counts.by_state) {
            text += fmt::format(" {} |", cells);
        }
        text += fmt::format(" {} | {} |\n", counts.rebuild, counts.carry);
    }
    text += "\n| cells | state | why |\n| --: | --- | --- |\n";
    std::size_t shown = 0;
    for (const PlanReason& reason : totals.reasons) {
        if (++shown <= kMostReasons) {
            text += fmt::format("| {} | {} | {} |\n", reason.cells, name(reason.state), markdown_code(reason.text));
        }
    }
    for (const std::string& line : notes(totals)) {
        text += fmt::format("\n{}\n", markdown_code(line));
    }
    return text + '\n';
}

json::object plan_json(const PlanTotals& totals) {
    json::object packages;
    json::array why;
    for (const auto& [package, counts] : totals.packages) {
        packages[valid_utf8(package)] = counts_json(counts);
    }
    for (const PlanReason& reason : totals.reasons) {
        why.push_back({{"state", name(reason.state)}, {"cells", reason.cells}, {"reason", valid_utf8(reason.text)}});
    }
    return {{"schema", kSchema},
            {"counts", counts_json(totals.counts)},
            {"packages", std::move(packages)},
            {"reasons", std::move(why)},
            {"bumps", texts_json(totals.bumps)},
            {"replaced", texts_json(totals.replaced)},
            {"older", texts_json(totals.older)},
            {"retirable", texts_json(totals.retirable)},
            {"unknown_versions", texts_json(totals.unknown_versions)},
            {"assets_known", totals.assets_known}};
}

void write_plan_json(std::ostream& out, const json::object& result, const std::vector<PlannedCell>& plan) {
    std::string head = json::serialize(result);
    head.pop_back();
    out << head << ",\"cells\":[";
    for (const PlannedCell& cell : plan) {
        out << (&cell == plan.data() ? "" : ",") << json::serialize(cell_json(cell));
    }
    out << "]}\n";
}

std::vector<Finding> drift_findings(const std::vector<PlannedCell>& plan) {
    std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> changes;
    std::map<std::string, std::vector<std::string>> replaced;
    for (const PlannedCell& cell : plan) {
        if (cell.standing.state == CellState::drifted) {
            ++changes[{cell.package(), recorded_list(cell), cell.row->arch_list, cell.source}];
        }
        if (cell.standing.state == CellState::replaced && !cell.standing.young) {
            replaced[cell.package()].push_back(cell.standing.wheel);
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
    for (auto& [package, wheels] : replaced) {
        wheels.erase(std::unique(wheels.begin(), wheels.end()), wheels.end());
        for (Finding finding : replaced_warning(wheels)) {
            finding.severity = Severity::error;
            finding.place = package;
            findings.push_back(std::move(finding));
        }
    }
    return findings;
}

}  // namespace wheelarch
