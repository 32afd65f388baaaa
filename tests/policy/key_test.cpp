#include "policy/key.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/sha256.hpp"
#include "policy/asset_index.hpp"

namespace wheelarch {
namespace {

const Cell kCell{"flash_attn", "2.8.3", "12.8", "2.8.0", "3.12", "linux"};

Package package_of(bool links_torch = true) {
    Package package;
    package.name = kCell.package;
    package.links_torch = links_torch;
    return package;
}

Cell with_python(const std::string& python) {
    Cell cell = kCell;
    cell.python = python;
    return cell;
}

Cell on(const std::string& platform) {
    Cell cell = kCell;
    cell.platform = platform;
    return cell;
}

// By both ways, which must agree.
bool exists(const std::string& asset, const Cell& cell = kCell, bool links_torch = true) {
    const Package package = package_of(links_torch);
    const bool one = is_wheel_of(asset, package, cell);
    CHECK(AssetIndex({asset}).wheels_of(package, cell).size() == (one ? 1 : 0));
    return one;
}

bool version_exists(const std::string& version, const Cell& cell = kCell, bool links_torch = true) {
    return exists("flash_attn-" + version + "-cp312-cp312-manylinux_2_28_x86_64.whl", cell, links_torch);
}

bool tags_exist(const std::string& tags, const Cell& cell = kCell) {
    return exists("flash_attn-2.8.3+cu128torch2.8-" + tags + ".whl", cell);
}

}  // namespace

TEST_CASE("key: its text") {
    Farm farm;
    Package package = package_of();
    const ExistsKey key = exists_key(farm, package, kCell);
    CHECK(key.text == "flash_attn-2.8.3+cu128torch2.8-cp312-linux@epoch1");
    CHECK(key.sha256 == to_hex(sha256_of(key.text)));
    farm.build_epoch = 4;
    CHECK(exists_key(farm, package, on("linux_aarch64")).text ==
          "flash_attn-2.8.3+cu128torch2.8-cp312-linux_aarch64@epoch4");
    package.build_epoch = 5;
    CHECK(exists_key(farm, package, with_python("3.13t")).text ==
          "flash_attn-2.8.3+cu128torch2.8-cp313t-linux@epoch4+pkg5");
}

TEST_CASE("key: without torch, without a version, in normal forms") {
    const Farm farm;
    CHECK(exists_key(farm, package_of(false), kCell).text == "flash_attn-2.8.3+cu128torch*-cp312-linux@epoch1");
    Cell cell = kCell;
    cell.version.clear();
    CHECK(exists_key(farm, package_of(), cell).text == "flash_attn-*+cu128torch2.8-cp312-linux@epoch1");
    cell.version = "V2.8.03-RC.1";
    CHECK(exists_key(farm, package_of(), cell).text == "flash_attn-2.8.3rc1+cu128torch2.8-cp312-linux@epoch1");
    cell.version = "1.0+Pt_2";
    CHECK(exists_key(farm, package_of(), cell).text == "flash_attn-1.0+pt.2.cu128torch2.8-cp312-linux@epoch1");
    Package package = package_of();
    package.name = "Flash.Attn";
    CHECK(exists_key(farm, package, kCell).text == "flash_attn-2.8.3+cu128torch2.8-cp312-linux@epoch1");
}

TEST_CASE("key: torch with and without its dot") {
    CHECK(version_exists("2.8.3+cu128torch2.8"));
    CHECK(version_exists("2.8.3+cu128torch28"));
    CHECK(version_exists("2.8.3+CU128Torch2.8"));
    CHECK_FALSE(version_exists("2.8.3+cu128torch2.7"));
    CHECK_FALSE(version_exists("2.8.3+cu128torch2.80"));
    CHECK_FALSE(version_exists("2.8.3+cu12torch2.8cxx11abiFALSE"));
    CHECK_FALSE(version_exists("2.8.3+cu129torch2.8"));
    CHECK_FALSE(version_exists("2.8.3+cu128"));
    CHECK_FALSE(version_exists("2.8.3+torch2.8"));
    CHECK_FALSE(version_exists("2.8.3"));
    Cell ten = kCell;
    ten.pytorch = "2.10.0";
    CHECK(version_exists("2.8.3+cu128torch2.10", ten));
    CHECK(version_exists("2.8.3+cu128torch210", ten));
    CHECK_FALSE(version_exists("2.8.3+cu128torch2.1", ten));
    CHECK_FALSE(version_exists("2.8.3+cu128torch21", ten));
}

TEST_CASE("key: without torch, any torch will do") {
    CHECK(version_exists("2.8.3+cu128torch2.7", kCell, false));
    CHECK(version_exists("2.8.3+cu128torch210", kCell, false));
    CHECK_FALSE(version_exists("2.8.3+cu126torch2.8", kCell, false));
    CHECK_FALSE(version_exists("2.8.3+cu128", kCell, false));
}

TEST_CASE("key: the version is part of the match") {
    CHECK_FALSE(version_exists("2.8.2+cu128torch2.8"));
    CHECK_FALSE(version_exists("2.8.3.post1+cu128torch2.8"));
    CHECK(version_exists("2.8.03+cu128torch2.8"));
    CHECK_FALSE(version_exists("2.8.3+git.cu128torch2.8"));
    Cell any = kCell;
    any.version.clear();
    CHECK(version_exists("2.8.2+cu128torch2.8", any));
    Cell local = kCell;
    local.version = "2.8.3+git";
    CHECK(version_exists("2.8.3+git.cu128torch2.8", local));
    CHECK_FALSE(version_exists("2.8.3+cu128torch2.8", local));
}

TEST_CASE("key: the Python that tags serve") {
    CHECK(tags_exist("cp312-cp312-linux_x86_64"));
    CHECK_FALSE(tags_exist("cp311-cp311-linux_x86_64"));
    CHECK(tags_exist("cp310-abi3-linux_x86_64"));
    CHECK(tags_exist("cp312-abi3-linux_x86_64"));
    CHECK_FALSE(tags_exist("cp313-abi3-linux_x86_64"));
    CHECK(tags_exist("py3-none-linux_x86_64"));
    CHECK(tags_exist("py2.py3-none-linux_x86_64"));
    CHECK(tags_exist("cp311.cp312-cp311.cp312-linux_x86_64"));
    CHECK_FALSE(tags_exist("py2-none-linux_x86_64"));
    CHECK_FALSE(tags_exist("pp312-pypy312_pp73-linux_x86_64"));
    CHECK_FALSE(tags_exist("cp312-cp311-linux_x86_64"));
}

TEST_CASE("key: Python without its lock has an ABI of its own") {
    CHECK(tags_exist("cp313-cp313t-linux_x86_64", with_python("3.13t")));
    CHECK_FALSE(tags_exist("cp313-cp313-linux_x86_64", with_python("3.13t")));
    CHECK_FALSE(tags_exist("cp313-cp313t-linux_x86_64", with_python("3.13")));
    CHECK_FALSE(tags_exist("cp310-abi3-linux_x86_64", with_python("3.13t")));
    CHECK(tags_exist("py3-none-linux_x86_64", with_python("3.13t")));
}

TEST_CASE("key: platforms, compressed or bare") {
    const std::string linux_set = "cp312-cp312-manylinux_2_27_x86_64.manylinux_2_28_x86_64";
    CHECK(tags_exist(linux_set));
    CHECK(tags_exist("cp312-cp312-manylinux_2_28_x86_64.manylinux_2_27_x86_64"));
    CHECK(tags_exist("cp312-cp312-manylinux2014_x86_64"));
    CHECK(tags_exist("cp312-cp312-linux_x86_64"));
    CHECK_FALSE(tags_exist("cp312-cp312-manylinux_2_28_aarch64"));
    CHECK_FALSE(tags_exist("cp312-cp312-musllinux_1_2_x86_64"));
    CHECK_FALSE(tags_exist("cp312-cp312-win_amd64"));
    CHECK_FALSE(tags_exist("cp312-cp312-macosx_11_0_x86_64"));
    CHECK_FALSE(tags_exist("cp312-cp312-any"));
    CHECK(tags_exist("cp312-cp312-win_amd64", on("windows")));
    CHECK_FALSE(tags_exist("cp312-cp312-win_arm64", on("windows")));
    CHECK(tags_exist("cp312-cp312-manylinux_2_28_aarch64", on("linux_aarch64")));
    CHECK(tags_exist("cp312-cp312-linux_aarch64", on("linux_aarch64")));
    CHECK_FALSE(tags_exist(linux_set, on("linux_aarch64")));
}

TEST_CASE("key: other names") {
    CHECK(exists("Flash_Attn-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl"));
    CHECK(exists("flash.attn-2.8.3+cu128torch2.8-1-cp312-cp312-linux_x86_64.whl"));
    CHECK_FALSE(exists("flash_attn_3-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl"));
    for (const char* name : {"", ".whl", "flash_attn", "flash_attn-2.8.3.tar.gz", "SHA256SUMS", "a-b-c.whl",
                             "flash_attn-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl.sha256"}) {
        CHECK_FALSE(exists(name));
    }
}

TEST_CASE("key: the index keeps the order of the assets and counts what is no wheel") {
    const AssetIndex index({"notes.txt", "flash_attn-2.8.3+cu128torch28-cp312-cp312-linux_x86_64.whl",
                            "flash_attn-2.8.3+cu128torch2.8-cp312-cp312-manylinux_2_28_x86_64.whl",
                            "flash_attn-2.8.3+cu128torch2.8-cp313-cp313-linux_x86_64.whl"});
    CHECK(index.others() == 1);
    CHECK(index.wheels_of(package_of(), kCell) ==
          std::vector<std::string>{"flash_attn-2.8.3+cu128torch28-cp312-cp312-linux_x86_64.whl",
                                   "flash_attn-2.8.3+cu128torch2.8-cp312-cp312-manylinux_2_28_x86_64.whl"});
    Cell other = kCell;
    other.package = "other";
    Package package = package_of();
    package.name = "other";
    CHECK(index.wheels_of(package, other).empty());
}

}  // namespace wheelarch
