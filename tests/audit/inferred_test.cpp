#include "audit/inferred.hpp"

#include <doctest/doctest.h>

#include "base/setting.hpp"
#include "ledger/entry.hpp"

namespace wheelarch {
namespace {

constexpr char kFile[] = "Flash_Attn-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl";

PublishedWheel published(const std::string& file_name = kFile) {
    PublishedWheel wheel;
    wheel.inventory.file_name = file_name;
    wheel.inventory.is_wheel = true;
    wheel.inventory.size = 123;
    Member member;
    member.path = "flash_attn/_C.so";
    member.role = Role::extension;
    member.image_count = 2;
    member.size = 10;
    member.archs.sass = {*parse_bare_arch("90a")};
    member.archs.ptx = {*parse_bare_arch("90")};
    wheel.inventory.members = {member};
    wheel.inventory.digests = {{.name = member.path, .size = 10}};
    wheel.sha256 = std::string(64, 'a');
    return wheel;
}

PublishedWheel stamped(const Cell& cell, std::uint64_t epoch, const std::string& file_name = kFile) {
    PublishedWheel wheel = published(file_name);
    wheel.has_stamp = true;
    wheel.stamp.emplace();
    wheel.stamp->facts.cell = cell;
    wheel.stamp->facts.build_epoch = epoch;
    wheel.stamp->facts.arch_list = "9.0a+PTX";
    return wheel;
}

Farm farm_of(const std::string& package, int epoch = 1) {
    Farm farm;
    farm.build_epoch = epoch;
    farm.packages.emplace_back().name = package;
    return farm;
}

const Readers kReaders = {{"", "13.0", "0.1.0"}, {"native", "cuobjdump"}};

TEST_CASE("an inferred entry has what the file name and the binaries tell, and nothing of a build") {
    const Setting in_actions("GITHUB_ACTIONS", "true");
    const Setting run("GITHUB_RUN_ID", "7");
    const Entry entry = infer_entry(published(), nullptr, kReaders, 1'700'000'000);
    CHECK(ledger_path(entry) == "flash_attn/" + std::string(kFile) + ".json");
    CHECK(canonical_text(entry.json) == R"({
  "arch_list": null,
  "archs": {
    "ptx": ["compute_90"],
    "sass": ["sm_90a"]
  },
  "build_epoch": 1,
  "cell": {
    "cuda": "12.8",
    "platform": "linux",
    "python": "3.12",
    "pytorch": "2.8"
  },
  "defaults_sha256": null,
  "epoch_why": null,
  "exists_key": null,
  "expected": null,
  "members": [
    {
      "path": "flash_attn/_C.so",
      "ptx": ["compute_90"],
      "role": "extension",
      "sass": ["sm_90a"],
      "sha256": "0000000000000000000000000000000000000000000000000000000000000000",
      "size": 10
    }
  ],
  "package": "flash_attn",
  "package_epoch": 0,
  "provenance": "inferred",
  "recorded_at": "2023-11-14T22:13:20Z",
  "run": {
    "repository": null,
    "run_attempt": null,
    "run_id": null,
    "server": null,
    "sha": null,
    "workflow_ref": null
  },
  "schema": 2,
  "source": {
    "commit": null,
    "ref": null,
    "repo": null
  },
  "toolchain": {
    "cuobjdump": "13.0",
    "nvcc": null,
    "wheelarch": "0.1.0"
  },
  "version": "2.8.3",
  "wheel": {
    "filename": "Flash_Attn-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl",
    "sha256": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "size": 123
  },
  "witnesses": ["native", "cuobjdump"]
}
)");
}

TEST_CASE("the package's folder is the one that gate chooses: by the stamp, the farm, the file name") {
    const Farm farm = farm_of("Flash_Attn");
    CHECK(infer_entry(published(), &farm, kReaders, 0).package == "Flash_Attn");
    const Cell other = {
        .package = "flash_attn_2", .version = "", .cuda = "", .pytorch = "", .python = "", .platform = ""};
    CHECK(infer_entry(stamped(other, 1), &farm, kReaders, 0).package == "flash_attn_2");
    const Cell hostile = {.package = "../x", .version = "", .cuda = "", .pytorch = "", .python = "", .platform = ""};
    CHECK(infer_entry(stamped(hostile, 1), &farm, kReaders, 0).package == "Flash_Attn");
}

TEST_CASE("the stamp fills in what the file name lacks, but never what was requested") {
    const Cell cell = {.package = "flash_attn",
                       .version = "2.8.3",
                       .cuda = "12.8",
                       .pytorch = "2.8.1",
                       .python = "3.12",
                       .platform = "linux"};
    const Entry entry =
        infer_entry(stamped(cell, 3, "flash_attn-2.8.3-cp39-abi3-linux_x86_64.whl"), nullptr, kReaders, 0);
    CHECK(entry.json.at("cell").at("cuda") == "12.8");
    CHECK(entry.json.at("cell").at("python") == "3.12");
    CHECK(entry.json.at("build_epoch") == 3);
    CHECK(entry.json.at("arch_list").is_null());
}

TEST_CASE("a wheel without device code is recorded with a warning, unless its package says that it has none") {
    PublishedWheel wheel = published();
    wheel.inventory.members.clear();
    const std::vector<Finding> findings = check_inference(wheel, nullptr);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rule == "no-device-code");
    CHECK_FALSE(fails(findings));
    Farm farm = farm_of("flash_attn");
    farm.packages[0].device_code_none = true;
    CHECK(check_inference(wheel, &farm).empty());
}

}  // namespace
}  // namespace wheelarch
