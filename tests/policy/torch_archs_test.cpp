#include "policy/torch_archs.hpp"

#include <string>

#include <doctest/doctest.h>

using namespace wheelarch;

TEST_CASE("torch_archs: which releases know an arch") {
    const auto knows = [](Arch arch, TorchVersion torch) { return check_torch({{arch}, {}}, torch, "").empty(); };
    CHECK(knows({75, '\0'}, {1, 13}));
    CHECK_FALSE(knows({87, '\0'}, {2, 0}));
    CHECK(knows({87, '\0'}, {2, 1}));
    CHECK_FALSE(knows({90, 'a'}, {2, 1}));
    CHECK(knows({90, 'a'}, {2, 2}));
    CHECK(knows({101, '\0'}, {2, 8}));
    CHECK_FALSE(knows({110, '\0'}, {2, 8}));
    CHECK(knows({110, '\0'}, {2, 9}));
    CHECK_FALSE(knows({107, '\0'}, {2, 13}));
    CHECK(knows({107, '\0'}, {2, 14}));
    CHECK_FALSE(torch_support({88, '\0'}));
    CHECK_FALSE(torch_support({100, 'f'}));
}

TEST_CASE("torch_archs: a name is after the longer ones that begin with it") {
    const auto& names = torch_names();
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (std::size_t j = i + 1; j < names.size(); ++j) {
            CAPTURE(names[j].name);
            CHECK(names[j].name.substr(0, names[i].name.size()) != names[i].name);
        }
    }
}

TEST_CASE("torch_archs: an old torch and a newer arch") {
    const ArchSet archs{{{86, '\0'}, {90, '\0'}}, {{90, '\0'}}};
    const auto findings = check_torch(archs, {1, 13}, "x.yml:3");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rule == "torch-lacks-arch");
    CHECK(findings[0].severity == Severity::warning);
    CHECK(findings[0].place == "x.yml:3");
    CHECK(findings[0].message == "cpp_extension of torch 1.13 refuses 9.0: torch 2.0 and later have it");
    CHECK(findings[0].fix ==
          "take 9.0 out of the list for torch 1.13, unless the package passes its own -gencode flags or builds with "
          "CMake");
    CHECK(check_torch(archs, {2, 0}, "").empty());
}

TEST_CASE("torch_archs: an arch that torch dropped, and one that it never had") {
    CHECK(check_torch({{{101, '\0'}}, {}}, {2, 8}, "").empty());
    CHECK(check_torch({{{101, '\0'}}, {}}, {2, 9}, "").at(0).message ==
          "cpp_extension of torch 2.9 refuses 10.1: torch 2.7 to 2.8 have it");
    CHECK(check_torch({{{100, 'f'}}, {}}, {2, 15}, "").at(0).message ==
          "cpp_extension of torch 2.15 refuses 10.0f: no release up to 2.15 has it");
}

TEST_CASE("torch_archs: a torch newer than the table is judged as the newest in it") {
    CHECK(check_torch({{{120, 'a'}}, {}}, {3, 0}, "").empty());
    CHECK(check_torch({{{88, '\0'}}, {}}, {3, 0}, "").at(0).message ==
          "cpp_extension of torch 3.0 refuses 8.8: no release up to 2.15 has it");
}
