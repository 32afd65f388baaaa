#include "plan/plan.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "support/farm_folder.hpp"

namespace wheelarch {
namespace {

// tests/farm/flat: example_attn is at epoch 3, the rest at 2; example_rows has shards.
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
    return {name.substr(0, name.find('-')), name, list, at, list.empty(), epoch};
}

std::vector<PlannedCell> plan(const std::vector<RecordedWheel>& wheels, const AssetList* assets = nullptr,
                              const PlanOptions& options = {}) {
    Recorded recorded;
    for (const RecordedWheel& one : wheels) {
        recorded.add(one);
    }
    return make_plan(farm(), grid(), recorded, assets, options);
}

const PlannedCell& of(const std::vector<PlannedCell>& cells, const std::string& name) {
    const auto found =
        std::find_if(cells.begin(), cells.end(), [&](const PlannedCell& cell) { return cell.wheel == name; });
    REQUIRE(found != cells.end());
    return *found;
}

PlannedCell planned(const RecordedWheel& recorded, bool changed_only = false) {
    PlanOptions options;
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
        CHECK(cell.state == CellState::missing);
        CHECK(cell.rebuild);
        CHECK_FALSE(cell.carry);
        CHECK(cell.epoch == 0);
        CHECK(cell.current_epoch == (cell.cell.package == "example_attn" ? 3 : 2));
        rows += cell.rows.size();
    }
    CHECK(rows == grid().size());
}

TEST_CASE("plan: current, whether at the epoch or ahead of it, however the list is written") {
    for (const std::string list : {kAttnList, "12.0+PTX 10.0 9.0 8.0"}) {
        for (const std::uint64_t epoch : {3U, 4U}) {
            const PlannedCell cell = planned(wheel(kAttn, list, epoch));
            CHECK(cell.state == CellState::current);
            CHECK_FALSE(cell.rebuild);
            CHECK_FALSE(cell.list_moved);
            CHECK(cell.epoch == epoch);
        }
    }
}

TEST_CASE("plan: drifted, with the place of the list") {
    for (const std::string list : {"8.0;9.0", "8.0;9.0;10.0;12.0", "8.0;9.0a;10.0;12.0+PTX"}) {
        const PlannedCell cell = planned(wheel(kAttn, list, 3));
        CHECK(cell.state == CellState::drifted);
        CHECK(cell.list_moved);
        CHECK_FALSE(cell.rebuild);
        CHECK(cell.recorded == list);
        CHECK(cell.resolved == kAttnList);
        CHECK(cell.source.find("arch_policy['13.0'] in ") == 0);
    }
}

TEST_CASE("plan: stale, and what is left of it with changed_only") {
    const PlannedCell same = planned(wheel(kAttn, kAttnList, 2));
    CHECK(same.state == CellState::stale);
    CHECK(same.rebuild);
    CHECK_FALSE(same.carry);
    const PlannedCell kept = planned(wheel(kAttn, kAttnList, 2), true);
    CHECK(kept.state == CellState::stale);
    CHECK_FALSE(kept.rebuild);
    CHECK(kept.carry);
    const PlannedCell moved = planned(wheel(kAttn, "8.0", 2), true);
    CHECK(moved.state == CellState::stale);
    CHECK(moved.rebuild);
    CHECK_FALSE(moved.carry);
}

TEST_CASE("plan: a list that nobody knows is neither drifted nor carried") {
    const PlannedCell current = planned(wheel(kAttn, "", 3));
    CHECK(current.state == CellState::current);
    CHECK(current.list_unknown);
    const PlannedCell stale = planned(wheel(kAttn, "", 2), true);
    CHECK(stale.rebuild);
    CHECK_FALSE(stale.carry);
}

TEST_CASE("plan: an asset without a record is at epoch 1") {
    const AssetList assets = {{kAttn, "SHA256SUMS"}, {kRows}};
    const auto cells = plan({}, &assets);
    const PlannedCell& cell = of(cells, kAttn);
    CHECK(cell.state == CellState::stale);
    CHECK(cell.epoch == 1);
    CHECK(cell.list_unknown);
    CHECK_FALSE(cell.gone);
    CHECK(std::none_of(cells.begin(), cells.end(), [](const PlannedCell& one) { return one.wheel == kRows; }));
}

TEST_CASE("plan: where the assets are known, they decide which wheels there are") {
    const AssetList both = {{kAttn, kRows}, {}};
    const AssetList none;
    const std::vector<RecordedWheel> records = {wheel(kAttn, kAttnList, 3)};
    CHECK(of(plan(records, &both), kAttn).state == CellState::current);
    for (const PlannedCell& cell : plan(records, &none)) {
        CHECK(cell.state == CellState::missing);
        CHECK(cell.rebuild);
        const bool is_recorded = cell.cell == Cell{"example_attn", "2.8.3", "13.0", "2.9.1", "3.13", "linux"};
        CHECK(cell.gone == is_recorded);
    }
}

TEST_CASE("plan: of several wheels of a cell the latest epoch counts, then the latest record") {
    const std::string other = "example_attn-2.8.3+cu130torch29-cp313-cp313-linux_x86_64.whl";
    CHECK(of(plan({wheel(kAttn, kAttnList, 3), wheel(other, "8.0", 2)}), kAttn).state == CellState::current);
    CHECK(of(plan({wheel(other, "8.0", 2), wheel(kAttn, kAttnList, 3)}), kAttn).state == CellState::current);
    const auto cells = plan({wheel(kAttn, kAttnList, 3, "2026-02-01T00:00:00Z"), wheel(other, "8.0", 3)});
    CHECK(of(cells, kAttn).state == CellState::current);
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
        CHECK(orphan.state == CellState::orphan);
        CHECK(orphan.cell.package == name.substr(0, name.find('-')));
        CHECK(orphan.rows.empty());
        CHECK_FALSE(orphan.rebuild);
        CHECK_FALSE(orphan.carry);
    }
}

TEST_CASE("plan: a sharded cell is one cell with all of its rows") {
    const PlannedCell cell = planned(wheel(kRows, "8.0", 1));
    REQUIRE(cell.rows.size() == 2);
    for (const std::size_t number : cell.rows) {
        CHECK(grid()[number].cell == cell.cell);
        CHECK(grid()[number].shard_count == 2);
    }
}

TEST_CASE("plan: of some cells only, without the orphans") {
    PlanOptions options;
    options.takes = [](const Cell& cell) { return cell.package == "example_rows"; };
    const auto cells =
        plan({wheel(kAttn, kAttnList, 1), wheel("example_gone-1.0-py3-none-any.whl", "8.0", 2)}, nullptr, options);
    CHECK(cells.size() == 4);
    CHECK(std::all_of(cells.begin(), cells.end(), [](const PlannedCell& cell) {
        return cell.cell.package == "example_rows" && cell.rows.size() == 2;
    }));
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
