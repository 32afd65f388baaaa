#include "policy/grid.hpp"

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/error.hpp"
#include "support/farm_folder.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

// `12.8 2.8.0 3.12 linux 1/2: 8.0;9.0+PTX`, a line for each row of the package.
std::string rows_of(const std::vector<GridRow>& grid, std::string_view package) {
    std::string text;
    for (const GridRow& row : grid) {
        if (row.cell.package == package) {
            const std::string shard =
                row.shard_count > 0 ? fmt::format(" {}/{}", row.shard_index, row.shard_count) : std::string();
            text += fmt::format("{} {} {} {}{}: {}\n", row.cell.cuda, row.cell.pytorch, row.cell.python,
                                row.cell.platform, shard, row.arch_list);
        }
    }
    return text;
}

boost::json::object cell_json() {
    return {{"package", "flash-attn"}, {"version", "2.8.3"},  {"cuda", "12.8"},    {"pytorch", "2.8.0"},
            {"python", "3.12"},        {"platform", "linux"}, {"arch_list", "8.0"}};
}

std::string cell_error(const boost::json::object& row) {
    try {
        return to_text(parse_cell(row));
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
}

}  // namespace

TEST_CASE("grid: the farm's rows, by min_pytorch, platform and phantoms") {
    const Farm farm = read_farm(farm_folder("flat"));
    const auto grid = make_grid(farm);
    CHECK(grid.size() == 25);
    CHECK(rows_of(grid, "example_attn") ==
          "12.8 2.7.1 3.12 linux: 8.0 9.0 12.0+PTX\n"
          "12.8 2.7.1 3.12 linux_aarch64: 8.0;9.0;10.0\n"
          "12.8 2.10.0 3.12 linux: 8.0 9.0 12.0+PTX\n"
          "12.8 2.10.0 3.12 linux_aarch64: 8.0;9.0;10.0\n"
          "13.0 2.9.1 3.12 linux: 8.0;9.0;10.0;12.0+PTX\n"
          "13.0 2.9.1 3.12 linux_aarch64: 9.0;11.0\n"
          "13.0 2.9.1 3.13 linux: 8.0;9.0;10.0;12.0+PTX\n"
          "13.0 2.9.1 3.13 linux_aarch64: 9.0;11.0\n");
}

TEST_CASE("grid: without torch, the newest of each CUDA line") {
    const Farm farm = read_farm(farm_folder("flat"));
    CHECK(rows_of(make_grid(farm), "example_cpu") ==
          "12.6 2.6.0 3.11 linux: 7.0;8.0;9.0+PTX\n"
          "12.6 2.6.0 3.11 windows: 7.0;8.0;9.0+PTX\n"
          "12.6 2.6.0 3.12 linux: 7.0;8.0;9.0+PTX\n"
          "12.6 2.6.0 3.12 windows: 7.0;8.0;9.0+PTX\n"
          "12.8 2.10.0 3.12 linux: 8.0;9.0+PTX;10.0;12.0+PTX\n"
          "12.8 2.10.0 3.12 windows: 8.0;9.0+PTX;10.0;12.0+PTX\n"
          "13.0 2.9.1 3.12 linux: 8.0;9.0;10.0;12.0+PTX\n"
          "13.0 2.9.1 3.12 windows: 8.0;9.0;10.0;12.0+PTX\n"
          "13.0 2.9.1 3.13 linux: 8.0;9.0;10.0;12.0+PTX\n");
}

TEST_CASE("grid: a package's own rows, in shards") {
    const Farm farm = read_farm(farm_folder("flat"));
    const auto grid = make_grid(farm);
    CHECK(rows_of(grid, "example_rows") ==
          "12.8 2.8.0 3.12 linux 1/2: 10.0a\n"
          "12.8 2.8.0 3.12 linux 2/2: 10.0a\n"
          "12.8 2.8.0 3.12 windows 1/2: 10.0a\n"
          "12.8 2.8.0 3.12 windows 2/2: 10.0a\n"
          "12.6 2.6.0 3.10 linux 1/2: 9.0a\n"
          "12.6 2.6.0 3.10 linux 2/2: 9.0a\n"
          "12.6 2.6.0 3.10 windows 1/2: 9.0a\n"
          "12.6 2.6.0 3.10 windows 2/2: 9.0a\n");
    CHECK(grid[17].source_tag == "blackwell");
    CHECK(grid[24].source_tag == "main");
}

TEST_CASE("grid: shards on some platforms only") {
    const Farm farm = read_farm(farm_folder("split"));
    CHECK(rows_of(make_grid(farm), "example_shards") ==
          "12.6 2.6.0 3.12 linux 1/2: 8.0;9.0+PTX\n"
          "12.6 2.6.0 3.12 linux 2/2: 8.0;9.0+PTX\n"
          "12.6 2.6.0 3.12 windows: 8.0;9.0+PTX\n"
          "12.8 2.8.0 3.12 linux 1/2: 8.0;9.0+PTX;10.0;12.0+PTX\n"
          "12.8 2.8.0 3.12 linux 2/2: 8.0;9.0+PTX;10.0;12.0+PTX\n"
          "12.8 2.8.0 3.12 windows: 8.0;9.0+PTX;10.0;12.0+PTX\n"
          "12.8 2.8.0 3.12 linux_aarch64 1/2: 9.0;10.0\n"
          "12.8 2.8.0 3.12 linux_aarch64 2/2: 9.0;10.0\n");
}

TEST_CASE("grid: the version that the sources say goes first") {
    const Farm farm = read_farm(farm_folder("flat"));
    CHECK(make_grid(farm)[0].cell.version == "2.8.3");
    CHECK(make_grid(farm)[8].cell.version.empty());
    const auto grid = make_grid(farm, {{"example_attn", "2.9"}, {"example_cpu", "1.0"}});
    CHECK(grid[0].cell.version == "2.9");
    CHECK(grid[8].cell.version == "1.0");
}

TEST_CASE("grid: lists that nvcc cannot build, once for the cells that share them") {
    const TemporaryFolder folder;
    folder.write("packages/_defaults.yml",
                 "combinations:\n  - {cuda: \"12.8\", pytorch: 2.8.0, python_versions: [\"3.12\", \"3.13\"]}\n"
                 "  - {cuda: \"13.0\", pytorch: 2.9.0, python_versions: [\"3.12\", \"3.13\"]}\n"
                 "arch_policy: {\"12.8\": \"8.0\", \"13.0\": \"8.0\"}\nplatforms: [linux, windows]\n");
    folder.write("packages/example.yml", "arch_list: 7.0;8.0\nsharding: 3\n");
    const Farm farm = read_farm(folder.path());
    const auto findings = unbuildable(farm, make_grid(farm));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rule == "cuda-lacks-arch");
    CHECK(findings[0].severity == Severity::warning);
    CHECK(findings[0].place == fmt::format("arch_list in {}/packages/example.yml:1", folder.path().string()));
    CHECK(findings[0].message == "4 cells: CUDA 13.0 has no target for 7.0 (sm_70); CUDA 9.0 to 12.9 have");

    // A list that is given for the line contradicts itself.
    folder.write("packages/example.yml", "arch_list_by_cuda: {\"13.0\": 7.0;8.0}\n");
    const Farm strict = read_farm(folder.path());
    const auto errors = unbuildable(strict, make_grid(strict));
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].severity == Severity::error);
}

TEST_CASE("grid: lists that torch refuses, in packages that link it") {
    const TemporaryFolder folder;
    folder.write("packages/_defaults.yml",
                 "combinations: [{cuda: \"12.8\", pytorch: 2.6.0, python_versions: [\"3.12\", \"3.13\"]}]\n"
                 "arch_policy: {\"12.8\": \"8.0;12.0\"}\n");
    folder.write("packages/example.yml", "source_tag: v1\n");
    folder.write("packages/without.yml", "links_torch: false\n");
    const Farm farm = read_farm(folder.path());
    const auto findings = list_warnings(farm, make_grid(farm));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rule == "torch-lacks-arch");
    CHECK(findings[0].severity == Severity::warning);
    CHECK(findings[0].message.starts_with("2 cells: cpp_extension of torch 2.6 refuses "));
}

TEST_CASE("grid: it is bounded") {
    const TemporaryFolder folder;
    std::string rows;
    for (int i = 0; i < 200; ++i) {
        rows += fmt::format(
            "  - {{cuda: \"12.8\", pytorch: 2.{}.0, python_versions: [\"3.8\", \"3.9\", \"3.10\", \"3.11\", "
            "\"3.12\", \"3.13\"]}}\n",
            i);
    }
    folder.write("packages/_defaults.yml", "arch_policy: {\"12.8\": \"8.0\"}\ncombinations:\n" + rows);
    folder.write("packages/example.yml", "sharding: 1000\n");
    const Farm farm = read_farm(folder.path());
    CHECK_THROWS_WITH_AS(make_grid(farm), "the grid has more than 400000 rows", Error);
    folder.write("packages/example.yml", "sharding: 100\nnvcc_flags: -" + std::string(10'000, 'x') + "\n");
    CHECK_THROWS_WITH_AS(make_grid(read_farm(folder.path())),
                         "the texts in the grid's rows are more than 268435456 bytes", Error);
}

TEST_CASE("grid: the cell of a matrix row") {
    CHECK(cell_error(cell_json()) == "flash_attn 2.8.3, CUDA 12.8, torch 2.8.0, Python 3.12, linux");
    boost::json::object row = cell_json();
    row["version"] = nullptr;
    CHECK(cell_error(row) == "flash_attn, CUDA 12.8, torch 2.8.0, Python 3.12, linux");
    row["version"] = 2;
    CHECK(cell_error(row) == "the cell has no version that is text");
    row = cell_json();
    row.erase("cuda");
    CHECK(cell_error(row) == "the cell has no cuda");
    row["cuda"] = 12.8;
    CHECK(cell_error(row) == "the cell has no cuda that is text");
    row = cell_json();
    row["python"] = "3.12/../x";
    CHECK(cell_error(row) == "the cell's python is \"3.12/../x\", a version such as 3.12 is expected");
    row = cell_json();
    row["version"] = "1 2";
    CHECK(cell_error(row) == "the cell's version is \"1 2\", a version such as 2.8.3 is expected");
    row = cell_json();
    row["package"] = "../x";
    CHECK(cell_error(row) == "the cell's package is \"../x\", a package's name is expected");
    row = cell_json();
    row["cuda"] = "128";
    CHECK(cell_error(row) == "the cell's cuda is \"128\", a version such as 12.8 is expected");
    row = cell_json();
    row["pytorch"] = "nightly";
    CHECK(cell_error(row) == "the cell's pytorch is \"nightly\", a version such as 2.8.0 is expected");
    row = cell_json();
    row["platform"] = "macos\n::error::";
    CHECK(cell_error(row) ==
          "the cell's platform is \"macos\\n::error::\", linux, windows or linux_aarch64 is expected");
}

}  // namespace wheelarch
