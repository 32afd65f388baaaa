#include "plan/standing.hpp"

#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "policy/farm.hpp"
#include "policy/key.hpp"
#include "support/farm_folder.hpp"

namespace wheelarch {
namespace {

constexpr char kWheel[] = "example_attn-2.8.3+cu128torch2.7-cp312-cp312-manylinux_2_28_x86_64.whl";
constexpr char kOther[] = "example_attn-2.8.3+cu128torch27-cp312-cp312-linux_x86_64.whl";
const Cell kCell{"example_attn", "2.8.3", "12.8", "2.7.1", "3.12", "linux"};

const Farm& flat() {
    static const Farm farm = read_farm(farm_folder("flat"));  // at epoch 2; example_attn at its own 3 too
    return farm;
}

RecordedWheel recorded(const std::string& name, const Epochs& at) {
    return {"example_attn", name, "8.0", "2026-01-31T12:00:00Z", false, {at, false}, std::string(64, 'a'), "v1"};
}
RecordedWheel recorded(const std::string& name, std::uint64_t own) {
    return recorded(name, Epochs{2, own});
}

struct Checked {
    bool exists;
    std::string asset;
    Epochs epoch;
};

Checked check(const std::vector<std::string>& assets, const std::vector<RecordedWheel>& wheels,
              const Cell& cell = kCell) {
    Recorded all;
    for (const RecordedWheel& wheel : wheels) {
        all.add(wheel);
    }
    const AssetList list = {assets};
    const Standing standing =
        WheelJudge(flat(), all, &list, {}).judge(find_package(flat(), cell.package), cell, "v1", "");
    return {standing.exists(), standing.wheel, standing.epochs};
}

Standing judge(const RecordedWheel& wheel, const AssetList& assets, const StandingOptions& options = {},
               const std::string& source_tag = "v1") {
    static std::vector<std::unique_ptr<Recorded>> kept;
    Recorded& all = *kept.emplace_back(std::make_unique<Recorded>());
    all.add(wheel);
    return WheelJudge(flat(), all, &assets, options)
        .judge(find_package(flat(), kCell.package), kCell, source_tag, "8.0");
}

AssetList with_digest(const std::string& sha256, const std::string& at = "2026-02-01T00:00:00Z") {
    AssetList list = {{kWheel}};
    list.facts.emplace(kWheel, AssetFacts{sha256, at});
    return list;
}

}  // namespace

TEST_CASE("standing: neither counter makes up for the other") {
    CHECK(check({kWheel}, {recorded(kWheel, Epochs{2, 3})}).exists);
    CHECK_FALSE(check({kWheel}, {recorded(kWheel, Epochs{1, 3})}).exists);
    CHECK_FALSE(check({kWheel}, {recorded(kWheel, Epochs{9, 2})}).exists);
    CHECK_FALSE(check({kWheel}, {recorded(kWheel, Epochs{1, 9})}).exists);
    // Of two that are each behind in one, none is current.
    CHECK_FALSE(check({kWheel, kOther}, {recorded(kWheel, Epochs{1, 9}), recorded(kOther, Epochs{9, 1})}).exists);
}

TEST_CASE("standing: the one number of schema 1 is the farm's only where the package has none of its own") {
    const BuiltAt built = {{5, 0}, true};
    CHECK(built.as_of(false) == Epochs{5, 0});
    CHECK(built.as_of(true) == Epochs{1, 0});
    RecordedWheel wheel = recorded(kWheel, 0);
    wheel.valid_for = built;
    CHECK_FALSE(check({kWheel}, {wheel}).exists);
}

TEST_CASE("standing: another source is another wheel, if both are known") {
    const AssetList assets = {{kWheel}};
    CHECK(judge(recorded(kWheel, 3), assets).state == CellState::current);
    const Standing moved = judge(recorded(kWheel, 3), assets, {}, "v2");
    CHECK(moved.state == CellState::stale);
    CHECK(moved.source_moved);
    CHECK_FALSE(moved.behind);
    CHECK(judge(recorded(kWheel, 3), assets, {}, "").state == CellState::current);
    RecordedWheel unknown = recorded(kWheel, 3);
    unknown.source_ref.clear();
    CHECK(judge(unknown, assets, {}, "v2").state == CellState::current);
}

TEST_CASE("standing: an asset that is not the recorded file is replaced") {
    const std::string same(64, 'a');
    const std::string other(64, 'b');
    CHECK(judge(recorded(kWheel, 3), with_digest(same)).state == CellState::current);
    for (const std::uint64_t own : {2U, 3U}) {
        const Standing standing = judge(recorded(kWheel, own), with_digest(other));
        CHECK(standing.state == CellState::replaced);
        CHECK_FALSE(standing.rebuild);
        CHECK(judge(recorded(kWheel, own), with_digest(other), {.rebuild_replaced = true}).rebuild);
        const Standing young = judge(recorded(kWheel, own), with_digest(other),
                                     {.rebuild_replaced = true, .young_after = "2026-01-31T23:00:00Z"});
        CHECK(young.young);
        CHECK_FALSE(young.rebuild);
    }
    AssetList two = with_digest(other);
    two.facts.emplace(kWheel, AssetFacts{same, ""});
    CHECK(judge(recorded(kWheel, 3), two).state == CellState::current);
}

TEST_CASE("standing: older wheels of the cell are named") {
    Recorded all;
    all.add(recorded(kWheel, 3));
    all.add(recorded(kOther, 2));
    const AssetList list = {{kOther, kWheel}};
    const Standing standing =
        WheelJudge(flat(), all, &list, {}).judge(find_package(flat(), kCell.package), kCell, "v1", "8.0");
    CHECK(standing.state == CellState::current);
    CHECK(standing.wheel == kWheel);
    CHECK(standing.older == std::vector<std::string>{kOther});
}

TEST_CASE("exists: no asset") {
    const Checked existing = check({}, {recorded(kWheel, 3)});
    CHECK_FALSE(existing.exists);
    CHECK(existing.asset.empty());
    CHECK(existing.epoch == Epochs{0, 0});
}

TEST_CASE("exists: an asset without a record is at epoch 1") {
    const Checked existing = check({kWheel, "SHA256SUMS"}, {});
    CHECK_FALSE(existing.exists);
    CHECK(existing.asset == kWheel);
    CHECK(existing.epoch == Epochs{1, 0});
}

TEST_CASE("exists: behind the epoch, at it, ahead of it") {
    CHECK_FALSE(check({kWheel}, {recorded(kWheel, 2)}).exists);
    CHECK(check({kWheel}, {recorded(kWheel, 3)}).exists);
    CHECK(check({kWheel}, {recorded(kWheel, 4)}).exists);
}

TEST_CASE("exists: of several wheels the one with the latest epoch") {
    const Checked existing = check({kWheel, kOther}, {recorded(kWheel, 2), recorded(kOther, 3)});
    CHECK(existing.exists);
    CHECK(existing.asset == kOther);
    CHECK(existing.epoch == Epochs{2, 3});
    CHECK(check({kOther, kWheel}, {recorded(kWheel, 2), recorded(kOther, 3)}).asset == kOther);
}

TEST_CASE("exists: the record may spell the name in another way") {
    const std::string asset =
        "example_attn-2.8.3+cu128torch2.7-cp312-cp312-manylinux_2_28_x86_64.manylinux_2_27_x86_64.whl";
    const std::string record =
        "Example.Attn-2.8.3+CU128torch2.7-cp312-cp312-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl";
    CHECK(check({asset}, {recorded(record, 3)}).exists);
}

TEST_CASE("exists: a record is no asset, and the record of another wheel is none of this") {
    CHECK_FALSE(check({kWheel}, {recorded(kOther, 3)}).exists);
    Cell windows = kCell;
    windows.platform = "windows";
    CHECK(check({kWheel}, {recorded(kWheel, 3)}, windows).asset.empty());
}

TEST_CASE("recorded: the latest epoch that an entry is valid for") {
    Entry entry;
    entry.package = "example_attn";
    entry.file_name = kWheel;
    entry.json = {{"schema", 2},
                  {"arch_list", "8.0;9.0"},
                  {"build_epoch", 2},
                  {"package_epoch", 1},
                  {"provenance", "recorded"},
                  {"recorded_at", "x"},
                  {"source", {{"ref", "v1"}}},
                  {"wheel", {{"sha256", "y"}}}};
    RecordedWheel wheel = recorded_wheel(entry);
    CHECK(wheel.package == "example_attn");
    CHECK(wheel.file_name == kWheel);
    CHECK(wheel.arch_list == "8.0;9.0");
    CHECK(wheel.recorded_at == "x");
    CHECK_FALSE(wheel.inferred);
    CHECK(wheel.valid_for.epochs == Epochs{2, 1});
    CHECK(wheel.source_ref == "v1");
    CHECK(recorded_wheel(carried(entry, {5, 1})).valid_for.epochs == Epochs{5, 1});
    entry.json["arch_list"] = nullptr;
    entry.json["provenance"] = "inferred";
    wheel = recorded_wheel(entry);
    CHECK(wheel.arch_list.empty());
    CHECK(wheel.inferred);
    CHECK(wheel.source_ref.empty());
}

TEST_CASE("recorded: found under any spelling, and not under what is no wheel's name") {
    Recorded all;
    CHECK(all.find(kWheel) == nullptr);
    all.add(recorded(kWheel, 2));
    REQUIRE(all.find("Example.Attn-2.8.3+CU128torch2.7-cp312-cp312-manylinux_2_28_x86_64.whl") != nullptr);
    CHECK(all.find(kOther) == nullptr);
    CHECK(all.find("SHA256SUMS") == nullptr);
    CHECK(all.find("") == nullptr);
}

}  // namespace wheelarch
