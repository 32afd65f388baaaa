#include "plan/standing.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace wheelarch {
namespace {

int rank(const Standing& standing) {
    switch (standing.state) {
        case CellState::current: return 5;
        case CellState::drifted: return 4;
        case CellState::replaced: return 3;
        case CellState::stale: return standing.carry ? 2 : 1;
        case CellState::missing:
        case CellState::orphan: break;
    }
    return 0;
}

bool better(const Standing& left, const Standing& right) {
    const auto order = [](const Standing& one) {
        return std::tuple(rank(one), one.epochs.farm, one.epochs.package,
                          one.record == nullptr ? std::string_view() : std::string_view(one.record->recorded_at));
    };
    return order(left) >= order(right);
}

}  // namespace

std::string_view name(CellState state) {
    switch (state) {
        case CellState::missing: return "missing";
        case CellState::stale: return "stale";
        case CellState::current: return "current";
        case CellState::drifted: return "drifted";
        case CellState::replaced: return "replaced";
        case CellState::orphan: return "orphan";
    }
    return "missing";
}

WheelJudge::WheelJudge(const Farm& farm, const Recorded& recorded, const AssetList* assets, StandingOptions options)
    : farm_(farm), recorded_(recorded), assets_(assets), options_(std::move(options)) {
    std::vector<std::string> names;  // of what is recorded and what hangs on the releases, each wheel once
    for (const RecordedWheel& wheel : recorded.wheels()) {
        names.push_back(wheel.file_name);
        known_[wheel.file_name] = {&wheel, assets == nullptr, nullptr};
    }
    const std::vector<std::string> none;
    for (const std::string& asset : assets == nullptr ? none : assets->names) {
        const RecordedWheel* record = recorded.find(asset);
        if (record == nullptr) {
            names.push_back(asset);
        }
        known_[record == nullptr ? asset : record->file_name] = {record, true, &asset};
    }
    index_ = AssetIndex(names);
}

Standing WheelJudge::judge(const Package& package, const Cell& cell, const std::string& source_tag,
                           const std::string& arch_list) {
    Standing best;
    bool gone = false;
    std::vector<std::string> older;
    for (const std::string& wheel : index_.wheels_of(package, cell)) {
        const Known& known = known_.at(wheel);
        if (known.record != nullptr) {
            matched_.insert(known.record);
        }
        if (!known.published) {
            gone = true;
            continue;
        }
        Standing standing = judge_one(wheel, known, package, source_tag, arch_list);
        Standing& worse = best.wheel.empty() || better(standing, best) ? best : standing;
        if (!worse.wheel.empty() && worse.state != CellState::current) {
            older.push_back(worse.wheel);
        }
        if (&worse == &best) {
            best = std::move(standing);
        }
    }
    best.gone = gone && best.wheel.empty();
    best.rebuild = best.rebuild || best.wheel.empty();
    best.older = std::move(older);
    return best;
}

Standing WheelJudge::judge_one(const std::string& wheel, const Known& known, const Package& package,
                               const std::string& source_tag, const std::string& arch_list) {
    Standing standing;
    standing.wheel = wheel;
    standing.record = known.record;
    const RecordedWheel* record = known.record;
    const Epochs today = epochs(farm_, package);
    standing.epochs = record == nullptr ? Epochs{} : record->valid_for.as_of(today.package > 0);
    standing.behind = !reach(standing.epochs, today);
    standing.source_moved =
        record != nullptr && !record->source_ref.empty() && !source_tag.empty() && record->source_ref != source_tag;
    standing.list_unknown = record == nullptr || record->arch_list.empty();
    standing.list_moved = !standing.list_unknown && !arch_list.empty() &&
                          archs_of(record->arch_list, "the ledger's arch list of " + wheel) !=
                              archs_of(arch_list, "the policy's arch list");
    if (standing.behind || standing.source_moved) {
        standing.state = CellState::stale;
        standing.carry = options_.changed_only && !standing.source_moved && !standing.list_moved &&
                         !standing.list_unknown && only_lists(farm_, package, standing.epochs);
        standing.rebuild = !standing.carry;
    } else {
        standing.state = standing.list_moved ? CellState::drifted : CellState::current;
    }
    if (known.record != nullptr && known.asset != nullptr) {
        judge_file(standing, *known.asset);
    }
    return standing;
}

// What is recorded is of another file: nothing is known of this one.
void WheelJudge::judge_file(Standing& standing, const std::string& asset) const {
    const auto [first, last] = assets_->facts.equal_range(asset);
    const bool same =
        std::any_of(first, last, [&](const auto& one) { return one.second.sha256 == standing.record->sha256; });
    if (first == last || same) {
        return;
    }
    standing.state = CellState::replaced;
    standing.carry = false;
    standing.young = !options_.young_after.empty() && std::any_of(first, last, [&](const auto& one) {
        return one.second.uploaded_at > options_.young_after;
    });
    standing.rebuild = options_.rebuild_replaced && !standing.young;
}

const ArchSet& WheelJudge::archs_of(const std::string& list, const std::string& place) {
    const auto found = archs_.find(list);
    return found != archs_.end() ? found->second
                                 : archs_.emplace(list, parse_arch_list(list, place).archs).first->second;
}

}  // namespace wheelarch
