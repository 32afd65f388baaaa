#include "plan/filters.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

const std::vector<Cell> kCells = {{"flash_attn", "2.8.3", "12.8", "2.8.0", "3.12", "linux"},
                                  {"flash_attn", "2.8.3", "12.8", "2.10.0", "3.13", "windows"},
                                  {"flash_attn", "2.8.3", "13.0", "2.9.1", "3.13t", "linux_aarch64"},
                                  {"vox2seq", "", "12.6", "2.6.0", "3.10", "linux"}};

// Which of the cells are taken, by their numbers.
std::string taken(const FilterWords& words) {
    const CellFilter filter(words, kCells);
    std::string numbers;
    for (std::size_t i = 0; i < kCells.size(); ++i) {
        numbers += filter.takes(kCells[i]) ? std::to_string(i) : "";
    }
    return numbers;
}

std::string packages(const std::vector<std::string>& words) {
    return taken({words, {}, {}, {}, {}});
}
std::string platforms(const std::vector<std::string>& words) {
    return taken({{}, words, {}, {}, {}});
}
std::string cudas(const std::vector<std::string>& words) {
    return taken({{}, {}, words, {}, {}});
}
std::string pytorches(const std::vector<std::string>& words) {
    return taken({{}, {}, {}, words, {}});
}
std::string pythons(const std::vector<std::string>& words) {
    return taken({{}, {}, {}, {}, words});
}

std::string error_of(const FilterWords& words) {
    try {
        return taken(words);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return std::string(error.what()) + " | " + error.fix();
    }
}

}  // namespace

TEST_CASE("filters: none takes all") {
    CHECK(FilterWords().empty());
    CHECK(taken({}) == "0123");
    CHECK(CellFilter({}, {}).takes(kCells[0]));
}

TEST_CASE("filters: in the words that people type") {
    for (const std::string word : {"flash_attn", "flash-attn", "Flash.Attn", "FLASH_ATTN"}) {
        CHECK(packages({word}) == "012");
    }
    for (const std::string word : {"linux", "linux_x64", "linux-x64", "x86_64"}) {
        CHECK(platforms({word}) == "03");
    }
    for (const std::string word : {"windows", "win", "win_amd64"}) {
        CHECK(platforms({word}) == "1");
    }
    for (const std::string word : {"linux_aarch64", "linux-aarch64", "aarch64", "arm64", "linux-arm64"}) {
        CHECK(platforms({word}) == "2");
    }
    for (const std::string word : {"12.8", "128", "cu128", "cu12.8"}) {
        CHECK(cudas({word}) == "01");
    }
    for (const std::string word : {"2.10", "2.10.0", "210", "torch2.10", "torch210"}) {
        CHECK(pytorches({word}) == "1");
    }
    for (const std::string word : {"3.12", "312", "cp312", "py312"}) {
        CHECK(pythons({word}) == "0");
    }
    CHECK(pythons({"3.13"}) == "1");
    CHECK(pythons({"3.13t"}) == "2");
    CHECK(pythons({"cp313t"}) == "2");
}

TEST_CASE("filters: several values, and several fields") {
    CHECK(cudas({"12.6,13.0"}) == "23");
    CHECK(cudas({" 126 , cu130 ,"}) == "23");
    CHECK(cudas({"12.6", "12.8,12.8"}) == "013");
    CHECK(taken({{"flash_attn"}, {"linux"}, {"12.8"}, {"2.8"}, {"3.12"}}) == "0");
    CHECK(taken({{"flash_attn", "vox2seq"}, {"linux"}, {}, {}, {}}) == "03");
}

TEST_CASE("filters: what no cell has is an error that lists what there is") {
    CHECK(error_of({{"flash_atn"}, {}, {}, {}, {}}) ==
          "--package 'flash_atn': no cell has it | did you mean flash_attn? there are flash_attn, vox2seq");
    CHECK(error_of({{}, {"macos"}, {}, {}, {}}) ==
          "--platform 'macos': no cell has it | there are linux, linux_aarch64, windows");
    CHECK(error_of({{}, {}, {"12.8,12"}, {}, {}}) == "--cuda '12': no cell has it | there are 12.6, 12.8, 13.0");
    CHECK(error_of({{}, {}, {}, {"\n::error::"}, {}}) ==
          "--pytorch '\\n::error::': no cell has it | there are 2.10.0, 2.6.0, 2.8.0, 2.9.1");
    CHECK(error_of({{}, {}, {}, {}, {"3"}}).find("--python '3': no cell has it | ") == 0);
    CHECK(error_of({{"vox2seq"}, {"windows"}, {}, {}, {}}) ==
          "no cell has all that is asked for | each value is there, but not in one cell: widen one of the filters");
}

}  // namespace wheelarch
