#include "plan/plan.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "support/farm_folder.hpp"

namespace wheelarch {
namespace {

// tests/farm/flat: the farm is at epoch 2, example_attn at its own 3 too; example_rows has shards.
const Farm& farm() {
    static const Farm farm = read_farm(farm_folder("flat"));
    return farm;
}
const std::vector<GridRow>& grid() {
    static const std::vector<GridRow> rows = make_grid(farm());
    return rows;
}

constexpr char kAttn[] = "example_attn-2.8.3+cu130torch2.9-cp313-cp313-manylinux_2_28_x86_64.whl";
constexpr char kAttnList[] = "8.0;9.0;10.0;12.0+PTX";
constexpr char kRows[] = "example_rows-1.0+cu128torch2.8-cp312-cp312-win_amd64.whl";

RecordedWheel wheel(const std::string& name, const std::string& list, std::uint64_t epoch,
                    const std::string& at = "2026-01-31T12:00:00Z") {
    const std::string package = name.substr(0, name.find('-'));
    return {package, name, list, at, list.empty(), {{2, epoch}, false}};
}

// What the cells point into lives as long as the test.
std::vector<PlannedCell> plan(const std::vector<RecordedWheel>& wheels, const AssetList* assets = nullptr,
                              const StandingOptions& options = {}, const std::function<bool(const Cell&)>& takes = {}) {
    static std::vector<std::unique_ptr<Recorded>> kept;
    Recorded& recorded = *kept.emplace_back(std::make_unique<Recorded>());
    for (const RecordedWheel& one : wheels) {
        recorded.add(one);
    }
    WheelJudge judge(farm(), recorded, assets, options);
    return make_plan(judge, grid(), takes);
}

const PlannedCell& of(const std::vector<PlannedCell>& cells, const std::string& name) {
    const auto found =
        std::find_if(cells.begin(), cells.end(), [&](const PlannedCell& cell) { return cell.standing.wheel == name; });
    REQUIRE(found != cells.end());
    return *found;
}

PlannedCell planned(const RecordedWheel& recorded, bool changed_only = false) {
    StandingOptions options;
    options.changed_only = changed_only;
    const auto cells = plan({recorded}, nullptr, options);
    CHECK(cells.size() == 21);
    return of(cells, recorded.file_name);
}

}  // namespace

TEST_CASE("plan: nothing recorded, everything missing") {
    const auto cells = plan({});
    REQUIRE(cells.size() == 21);
    std::size_t rows = 0;
    for (const PlannedCell& cell : cells) {
        CHECK(cell.standing.state == CellState::missing);
        CHECK(cell.standing.rebuild);
        CHECK_FALSE(cell.standing.carry);
        CHECK(cell.standing.epochs == Epochs{0, 0});
        CHECK(cell.today == Epochs{2, cell.package() == "example_attn" ? 3U : 0U});
        rows += cell.rows;
    }
    CHECK(rows == grid().size());
}

TEST_CASE("plan: current, whether at the epoch or ahead of it, however the list is written") {
    for (const std::string list : {kAttnList, "12.0+PTX 10.0 9.0 8.0"}) {
        for (const std::uint64_t epoch : {3U, 4U}) {
            const PlannedCell cell = planned(wheel(kAttn, list, epoch));
            CHECK(cell.standing.state == CellState::current);
            CHECK_FALSE(cell.standing.rebuild);
            CHECK_FALSE(cell.standing.list_moved);
            CHECK(cell.standing.epochs == Epochs{2, epoch});
        }
    }
}

TEST_CASE("plan: drifted, with the place of the list") {
    for (const std::string list : {"8.0;9.0", "8.0;9.0;10.0;12.0", "8.0;9.0a;10.0;12.0+PTX"}) {
        const PlannedCell cell = planned(wheel(kAttn, list, 3));
        CHECK(cell.standing.state == CellState::drifted);
        CHECK(cell.standing.list_moved);
        CHECK_FALSE(cell.standing.rebuild);
        CHECK(cell.standing.record->arch_list == list);
        CHECK(cell.row->arch_list == kAttnList);
        CHECK(cell.source.find("arch_policy['13.0'] in ") == 0);
    }
}

TEST_CASE("plan: stale, and what is left of it with changed_only") {
    const PlannedCell same = planned(wheel(kAttn, kAttnList, 2));
    CHECK(same.standing.state == CellState::stale);
    CHECK(same.standing.rebuild);
    CHECK_FALSE(same.standing.carry);
    const PlannedCell kept = planned(wheel(kAttn, kAttnList, 2), true);
    CHECK(kept.standing.state == CellState::stale);
    CHECK(kept.standing.rebuild);  // a bump that says nothing is for everything
    CHECK_FALSE(kept.standing.carry);
    const PlannedCell moved = planned(wheel(kAttn, "8.0", 2), true);
    CHECK(moved.standing.state == CellState::stale);
    CHECK(moved.standing.rebuild);
    CHECK_FALSE(moved.standing.carry);
}

TEST_CASE("plan: a list that nobody knows is neither drifted nor carried") {
    const PlannedCell current = planned(wheel(kAttn, "", 3));
    CHECK(current.standing.state == CellState::current);
    CHECK(current.standing.list_unknown);
    const PlannedCell stale = planned(wheel(kAttn, "", 2), true);
    CHECK(stale.standing.rebuild);
    CHECK_FALSE(stale.standing.carry);
}

TEST_CASE("plan: an asset without a record is at epoch 1") {
    const AssetList assets = {{kAttn, "SHA256SUMS"}, {}, {kRows}};
    const auto cells = plan({}, &assets);
    const PlannedCell& cell = of(cells, kAttn);
    CHECK(cell.standing.state == CellState::stale);
    CHECK(cell.standing.epochs == Epochs{1, 0});
    CHECK(cell.standing.list_unknown);
    CHECK_FALSE(cell.standing.gone);
    CHECK(std::none_of(cells.begin(), cells.end(), [](const PlannedCell& one) { return one.standing.wheel == kRows; }));
}

TEST_CASE("plan: where the assets are known, they decide which wheels there are") {
    const AssetList both = {{kAttn, kRows}, {}};
    const AssetList none;
    const std::vector<RecordedWheel> records = {wheel(kAttn, kAttnList, 3)};
    CHECK(of(plan(records, &both), kAttn).standing.state == CellState::current);
    for (const PlannedCell& cell : plan(records, &none)) {
        CHECK(cell.standing.state == CellState::missing);
        CHECK(cell.standing.rebuild);
        const bool is_recorded = cell.row->cell == Cell{"example_attn", "2.8.3", "13.0", "2.9.1", "3.13", "linux"};
        CHECK(cell.standing.gone == is_recorded);
    }
}

TEST_CASE("plan: of several wheels of a cell the latest epoch counts, then the latest record") {
    const std::string other = "example_attn-2.8.3+cu130torch29-cp313-cp313-linux_x86_64.whl";
    CHECK(of(plan({wheel(kAttn, kAttnList, 3), wheel(other, "8.0", 2)}), kAttn).standing.state == CellState::current);
    CHECK(of(plan({wheel(other, "8.0", 2), wheel(kAttn, kAttnList, 3)}), kAttn).standing.state == CellState::current);
    const auto cells = plan({wheel(kAttn, kAttnList, 3, "2026-02-01T00:00:00Z"), wheel(other, "8.0", 3)});
    CHECK(of(cells, kAttn).standing.state == CellState::current);
    // The other one is a cell's too, and so no orphan.
    CHECK(cells.size() == 21);
}

TEST_CASE("plan: what is in no cell is an orphan") {
    const std::string gone = "example_gone-1.0+cu128torch2.8-cp312-cp312-win_amd64.whl";
    const std::string old = "example_attn-2.8.2+cu130torch2.9-cp313-cp313-manylinux_2_28_x86_64.whl";
    const auto cells = plan({wheel(gone, "8.0", 2), wheel(old, "8.0", 3), wheel(kRows, "10.0a", 2)});
    REQUIRE(cells.size() == 23);
    for (const std::string& name : {gone, old}) {
        const PlannedCell& orphan = of(cells, name);
        CHECK(orphan.standing.state == CellState::orphan);
        CHECK(orphan.package() == name.substr(0, name.find('-')));
        CHECK(orphan.row == nullptr);
        CHECK_FALSE(orphan.standing.rebuild);
        CHECK_FALSE(orphan.standing.carry);
    }
}

TEST_CASE("plan: a sharded cell is one cell with all of its rows") {
    const PlannedCell cell = planned(wheel(kRows, "8.0", 1));
    REQUIRE(cell.rows == 2);
    for (std::size_t number = cell.first_row; number < cell.first_row + 2; ++number) {
        CHECK(grid()[number].cell == cell.row->cell);
        CHECK(grid()[number].shard_count == 2);
    }
}

TEST_CASE("plan: of some cells only, without the orphans") {
    const auto takes = [](const Cell& cell) { return cell.package == "example_rows"; };
    const auto cells =
        plan({wheel(kAttn, kAttnList, 1), wheel("example_gone-1.0-py3-none-any.whl", "8.0", 2)}, nullptr, {}, takes);
    CHECK(cells.size() == 4);
    CHECK(std::all_of(cells.begin(), cells.end(),
                      [](const PlannedCell& cell) { return cell.package() == "example_rows" && cell.rows == 2; }));
}

TEST_CASE("plan: what could be retired is of no cell, older than another, or gone") {
    const std::string other = "example_attn-2.8.3+cu130torch29-cp313-cp313-linux_x86_64.whl";
    const std::string gone = "example_gone-1.0+cu128torch2.8-cp312-cp312-win_amd64.whl";
    Recorded recorded;
    for (const RecordedWheel& one : {wheel(kAttn, kAttnList, 3), wheel(other, "8.0", 2), wheel(gone, "8.0", 2)}) {
        recorded.add(one);
    }
    WheelJudge judge(farm(), recorded, nullptr, {});
    CHECK(retirable(make_plan(judge, grid(), {}), recorded) == std::vector<std::string>{other, gone});
}

TEST_CASE("plan: a recorded list that is none is an error that names the wheel") {
    try {
        plan({wheel(kAttn, "8.0,9.0", 3)});
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(std::string(error.what()).find("the ledger's arch list of " + std::string(kAttn)) == 0);
    }
}

}  // namespace wheelarch
