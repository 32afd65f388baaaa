#include "plan/exists.hpp"

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

RecordedWheel recorded(const std::string& name, std::uint64_t epoch) {
    return {"example_attn", name, "8.0", "2026-01-31T12:00:00Z", false, epoch};
}

Existing check(const std::vector<std::string>& assets, const std::vector<RecordedWheel>& wheels,
               const Cell& cell = kCell) {
    static const Farm farm = read_farm(farm_folder("flat"));  // example_attn is at epoch 3
    Recorded all;
    for (const RecordedWheel& wheel : wheels) {
        all.add(wheel);
    }
    return ExistsCheck({assets, {}}, all).check(farm, find_package(farm, cell.package), cell);
}

}  // namespace

TEST_CASE("exists: no asset") {
    const Existing existing = check({}, {recorded(kWheel, 3)});
    CHECK_FALSE(existing.exists);
    CHECK(existing.asset.empty());
    CHECK(existing.epoch == 0);
}

TEST_CASE("exists: an asset without a record is at epoch 1") {
    const Existing existing = check({kWheel, "SHA256SUMS"}, {});
    CHECK_FALSE(existing.exists);
    CHECK(existing.asset == kWheel);
    CHECK(existing.epoch == 1);
}

TEST_CASE("exists: behind the epoch, at it, ahead of it") {
    CHECK_FALSE(check({kWheel}, {recorded(kWheel, 2)}).exists);
    CHECK(check({kWheel}, {recorded(kWheel, 3)}).exists);
    CHECK(check({kWheel}, {recorded(kWheel, 4)}).exists);
}

TEST_CASE("exists: of several wheels the one with the latest epoch") {
    const Existing existing = check({kWheel, kOther}, {recorded(kWheel, 2), recorded(kOther, 3)});
    CHECK(existing.exists);
    CHECK(existing.asset == kOther);
    CHECK(existing.epoch == 3);
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
    entry.json = {{"arch_list", "8.0;9.0"}, {"build_epoch", 2}, {"provenance", "recorded"}, {"recorded_at", "x"}};
    RecordedWheel wheel = recorded_wheel(entry);
    CHECK(wheel.package == "example_attn");
    CHECK(wheel.file_name == kWheel);
    CHECK(wheel.arch_list == "8.0;9.0");
    CHECK(wheel.recorded_at == "x");
    CHECK_FALSE(wheel.inferred);
    CHECK(wheel.epoch == 2);
    CHECK(recorded_wheel(carried(entry, 5)).epoch == 5);
    entry.json["arch_list"] = nullptr;
    entry.json["provenance"] = "inferred";
    wheel = recorded_wheel(entry);
    CHECK(wheel.arch_list.empty());
    CHECK(wheel.inferred);
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
