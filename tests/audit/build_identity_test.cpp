#include "audit/build_identity.hpp"

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

constexpr char kFile[] = "Flash_Attn-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl";

Claim claim_of(const Cell& cell, std::uint64_t epoch = 1) {
    Claim claim;
    claim.facts.cell = cell;
    claim.facts.build_epoch = epoch;
    return claim;
}

Cell own_cell() {
    return {.package = "flash-attn",
            .version = "2.8.3.0",
            .cuda = "12.8",
            .pytorch = "2.8.1",
            .python = "3.12",
            .platform = "linux"};
}

Farm farm_of(const std::string& version, int epoch = 1) {
    Farm farm;
    farm.build_epoch = epoch;
    Package& package = farm.packages.emplace_back();
    package.name = "flash_attn";
    package.version = version;
    return farm;
}

TEST_CASE("a claim of the build that the file name tells, however it is spelled, is let be") {
    const Farm farm = farm_of("2.8.3", 2);
    CHECK(check_build(claim_of(own_cell(), 2), "stamp", kFile, &farm).empty());
    CHECK(check_build(claim_of({}, 1), "entry", kFile, nullptr).empty());
}

TEST_CASE("each fact that the file name contradicts is told") {
    const Cell other = {.package = "flash_attn",
                        .version = "2.0",
                        .cuda = "13.0",
                        .pytorch = "2.9.0",
                        .python = "3.13",
                        .platform = "win\ndows"};
    const std::vector<Finding> findings = check_build(claim_of(other), "entry", kFile, nullptr);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rule == "other-build");
    CHECK(findings[0].severity == Severity::error);
    CHECK(findings[0].message ==
          "its entry is of another build than its file name says: version 2.0 against 2.8.3; cuda 13.0 against 12.8; "
          "pytorch 2.9 against 2.8; python 3.13 against 3.12; platform win\\ndows against linux");
}

TEST_CASE("a stamp's epoch that is yet to come is wrong") {
    const Farm farm = farm_of("2.8.3", 2);
    const std::vector<Finding> findings = check_stamped_epoch(claim_of(own_cell(), 3), kFile, &farm);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rule == "other-build");
    CHECK(findings[0].message == "its stamp says epoch 3, but the policy is at 2");
    CHECK(check_stamped_epoch(claim_of(own_cell(), 2), kFile, &farm).empty());
    CHECK(check_stamped_epoch(claim_of(own_cell(), 3), kFile, nullptr).empty());
}

TEST_CASE("another package is wrong if the farm makes this very wheel, and else a matter of names") {
    Cell cell = own_cell();
    cell.package = "flash_attn_2";
    const Farm farm = farm_of("2.8.3");
    const std::vector<Finding> wrong = check_build(claim_of(cell), "stamp", kFile, &farm);
    REQUIRE(wrong.size() == 1);
    CHECK(wrong[0].message ==
          "its stamp is of another build than its file name says: package flash_attn_2 against "
          "flash_attn, which the farm has");
    const Farm later = farm_of("2.9.0");
    for (const Farm* other : {&later, static_cast<const Farm*>(nullptr)}) {
        const std::vector<Finding> named = check_build(claim_of(cell), "stamp", kFile, other);
        REQUIRE(named.size() == 1);
        CHECK(named[0].rule == "package-name");
        CHECK(named[0].severity == Severity::warning);
        CHECK(named[0].message == "its stamp is of package flash_attn_2, the wheel's distribution is flash_attn");
    }
}

}  // namespace
}  // namespace wheelarch
