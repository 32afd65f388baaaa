#include "report/explain.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "policy/key.hpp"
#include "policy/resolve.hpp"
#include "report/json.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

std::string or_unknown(const std::string& text) {
    return text.empty() ? "not known" : printable(text);
}

std::string recorded_text(const Standing& standing) {
    const RecordedWheel* record = standing.record;
    if (standing.wheel.empty()) {
        return standing.gone ? "a wheel is, but it is not among the assets" : "nothing";
    }
    if (record == nullptr) {
        return fmt::format("nothing of {}: epoch 1, its list not known", printable(standing.wheel));
    }
    return fmt::format("{}: epoch {}, list {}, source {}, {}{}", printable(standing.wheel), to_text(standing.epochs),
                       or_unknown(record->arch_list), or_unknown(record->source_ref), printable(record->recorded_at),
                       record->inferred ? ", inferred" : "");
}

std::string policy_text(const Farm& farm, const PlannedCell& cell) {
    return fmt::format("epoch {}, list {} by {}, source {}", to_text(cell.today), printable(cell.row->arch_list),
                       printable(resolve_unchecked(farm, *cell.row->package, cell.row->cell).source),
                       or_unknown(cell.row->source_tag));
}

std::string bumps_text(const Farm& farm, const PlannedCell& cell) {
    std::vector<std::string> texts;
    if (!cell.standing.wheel.empty()) {
        for (const BumpStep& step : steps_since(farm, *cell.row->package, cell.standing.epochs)) {
            texts.push_back(to_text(step));
        }
    }
    return texts.empty() ? "none since" : fmt::format("{}", fmt::join(texts, ", "));
}

std::string asset_text(const Standing& standing, bool assets_known) {
    if (!assets_known) {
        return "not looked at";
    }
    if (standing.wheel.empty()) {
        return "none";
    }
    return standing.state == CellState::replaced ? "there, but not the recorded file"
           : standing.record == nullptr          ? "there, not recorded"
                                                 : "there";
}

std::string outcome_text(const Standing& standing) {
    std::vector<std::string> why;
    if (standing.behind) {
        why.emplace_back("it has not seen each bump");
    }
    if (standing.source_moved) {
        why.emplace_back("it was built from another source");
    }
    if (standing.list_moved) {
        why.emplace_back("its list is another one");
    }
    if (standing.young) {
        why.emplace_back("its asset was uploaded just now");
    }
    return fmt::format("{}, {}{}{}", name(standing.state),
                       standing.rebuild ? "rebuilt"
                       : standing.carry ? "carried forward"
                                        : "not rebuilt",
                       why.empty() ? "" : ": ", fmt::join(why, ", "));
}

bool is_asked(const Farm& farm, const PlannedCell& cell, const std::string& asked) {
    if (cell.row == nullptr) {
        return false;
    }
    if (asked.ends_with(".whl")) {
        return cell.standing.wheel == asked || is_wheel_of(asked, *cell.row->package, cell.row->cell);
    }
    const std::string key = key_text(farm, *cell.row->package, cell.row->cell);
    return key.substr(0, key.rfind("@epoch")) == asked.substr(0, asked.rfind("@epoch"));
}

}  // namespace

json::array explain(const Farm& farm, const std::vector<PlannedCell>& plan, const std::string& asked, bool assets_known,
                    std::string& text) {
    json::array all;
    for (const PlannedCell& cell : plan) {
        if (!is_asked(farm, cell, asked)) {
            continue;
        }
        const std::string key = key_text(farm, *cell.row->package, cell.row->cell);
        const std::array<std::pair<const char*, std::string>, 5> lines = {
            {{"recorded", recorded_text(cell.standing)},
             {"policy", policy_text(farm, cell)},
             {"bumps", bumps_text(farm, cell)},
             {"asset", asset_text(cell.standing, assets_known)},
             {"so", outcome_text(cell.standing)}}};
        json::object object = {{"key", valid_utf8(key)}};
        text += printable(key) + '\n';
        for (const auto& [what, line] : lines) {
            object[what] = valid_utf8(line);
            text += fmt::format("  {:<9} {}\n", what, line);
        }
        all.push_back(std::move(object));
    }
    if (all.empty()) {
        throw bad_usage(fmt::format("--explain '{}': no cell of the plan is meant", printable(asked)),
                        "give a key as `wheelarch key` prints it, or the file name of a wheel");
    }
    return all;
}

json::object change_json(const PolicyChange& change, const std::string& base) {
    json::array lists;
    for (const ListChange& list : change.lists) {
        lists.push_back({{"source", valid_utf8(list.source)},
                         {"before", valid_utf8(list.before)},
                         {"after", valid_utf8(list.after)},
                         {"cells", list.cells},
                         {"forgotten", list.forgotten}});
    }
    json::array epochs;
    for (const EpochChange& epoch : change.epochs) {
        json::array steps;
        for (const std::string& step : epoch.steps) {
            steps.emplace_back(valid_utf8(step));
        }
        epochs.push_back({{"package", epoch.package.empty() ? json::value() : json::value(valid_utf8(epoch.package))},
                          {"before", epoch.before},
                          {"after", epoch.after},
                          {"steps", std::move(steps)}});
    }
    const auto names = [](const std::vector<std::string>& packages) {
        json::array array;
        for (const std::string& package : packages) {
            array.emplace_back(valid_utf8(package));
        }
        return array;
    };
    return {
        {"schema", kSchema},
        {"base", base},
        {"lists", std::move(lists)},
        {"epochs", std::move(epochs)},
        {"packages_added", names(change.packages_added)},
        {"packages_removed", names(change.packages_removed)},
        {"cells",
         {{"all", change.cells}, {"added", change.added}, {"removed", change.removed}, {"sources", change.sources}}},
        {"jobs", change.jobs},
        {"jobs_changed_only", change.jobs_changed_only},
        {"findings", findings_json(change.findings)}};
}

}  // namespace wheelarch
