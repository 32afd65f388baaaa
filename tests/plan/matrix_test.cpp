#include "plan/matrix.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/error.hpp"
#include "support/farm_folder.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

json::object row(std::size_t number, std::size_t shard = 0) {
    json::object fields = {{"package", "pkg"}, {"version", fmt::format("1.{}", number)},
                           {"cuda", "12.8"},   {"pytorch", "2.8.0"},
                           {"python", "3.12"}, {"platform", "linux"}};
    if (shard > 0) {
        fields["shard_index"] = shard;
    }
    return fields;
}

json::array rows(std::size_t count, std::size_t shards = 1) {
    json::array all;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t shard = 1; shard <= shards; ++shard) {
            all.push_back(row(i, shards == 1 ? 0 : shard));
        }
    }
    return all;
}

json::object list(json::array rows) {
    return {{"include", std::move(rows)}};
}

std::vector<std::size_t> sizes(const std::vector<MatrixPage>& pages) {
    std::vector<std::size_t> all;
    for (const MatrixPage& page : pages) {
        all.push_back(page.size());
    }
    return all;
}

std::vector<std::size_t> page_sizes(json::value matrix) {
    return sizes(to_pages(to_matrix(std::move(matrix))));
}

std::string error_of(const std::string& text) {
    try {
        return fmt::format("{} rows", parse_matrix(text).rows.size());
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
}

std::string row_text(const Farm& farm, const GridRow& row) {
    std::string text;
    write_row(text, row, row_constants(farm, *row.package), false);
    return text;
}

std::string grid_text(const Farm& farm, const std::vector<GridRow>& grid) {
    std::vector<const GridRow*> rows;
    for (const GridRow& one : grid) {
        rows.push_back(&one);
    }
    const Matrix matrix = to_matrix(farm, rows);
    return to_text(matrix, all_rows(matrix));
}

}  // namespace

TEST_CASE("matrix: each shape stays as it is") {
    for (const json::value& value :
         {json::value(rows(2)), json::value(list(rows(2))), json::value(list({})), json::value(json::array()),
          json::value(json::object()), json::value({{"windows", list({})}, {"linux", list(rows(2))}})}) {
        const Matrix matrix = to_matrix(value);
        CHECK(to_text(matrix, all_rows(matrix)) == json::serialize(value));
    }
}

TEST_CASE("matrix: rows know their list and their cell") {
    const Matrix matrix = to_matrix({{"linux", list(rows(1))}, {"linux_link", list({row(7)})}});
    REQUIRE(matrix.rows.size() == 2);
    CHECK(matrix.rows[1].list == "linux_link");
    CHECK(matrix.rows[1].cell() == Cell{"pkg", "1.7", "12.8", "2.8.0", "3.12", "linux"});
    CHECK(to_text(matrix, {}) == R"({"linux":{"include":[]},"linux_link":{"include":[]}})");
}

TEST_CASE("matrix: what is none names the place") {
    CHECK(error_of("") == "the matrix is no JSON, or cut short: incomplete JSON");
    CHECK(error_of("{} x") == "the matrix is no JSON, or cut short: extra data");
    CHECK(error_of("1") == "the matrix is no JSON object or list");
    CHECK(error_of("{\"include\": 1}") == "`include` is no list of rows");
    CHECK(error_of("{\"include\": [], \"x\": 1}") == "'the matrix' of the matrix holds something else than `include`");
    CHECK(error_of("{\"linux\": {\"include\": 1}}") == "`include` of linux is no list of rows");
    CHECK(error_of("{\"linux\": []}") == "'linux' of the matrix holds something else than `include`");
    CHECK(error_of("[1]") == "row 1: it is no JSON object");
    CHECK(error_of("{\"linux\": {\"include\": [{}]}}") == "row 1 of linux: the cell has no package");
    CHECK(error_of(std::string(10'000, '[')) == "the matrix is no JSON, or cut short: too deep");
}

TEST_CASE("matrix: the fields of a row, flat") {
    const Farm farm = read_farm(farm_folder("flat"));
    CHECK(
        row_text(farm, make_grid(farm)[8]) ==
        R"({"package":"example_cpu","version":"","source_repo":"example-org/cpu","source_tag":"v1.0","cuda":"12.6",)"
        R"("cuda_short":"126","pytorch":"2.6.0","python":"3.11","platform":"linux","arch_list":"7.0;8.0;9.0+PTX",)"
        R"("extra_deps":"cmake ninja","pre_build_script":"","patch_script":"","build_subdir":"","cuda_installer":"network",)"
        R"("extra_cuda_components":"","nvcc_flags":"","free_disk_space":false,"max_jobs":2,"clone_recursive":false,)"
        R"("sequential_checkpoint":600,"shard_index":0,"shard_count":0})");
}

TEST_CASE("matrix: the fields of a row, split, and what is ours") {
    const Farm farm = read_farm(farm_folder("split"));
    const auto grid = make_grid(farm);
    const std::string text =
        R"({"package":"example_attn","version":"2.8.3","source_repo":"example-org/attn","source_tag":"v2.8.3",)"
        R"("cuda":"12.6","cuda_short":"126","pytorch":"2.6.0","python":"3.12","platform":"linux",)"
        R"("arch_list":"8.0;9.0+PTX","extra_deps":"","pre_build_script":"","patch_script":"","build_subdir":"",)"
        R"("cuda_installer":"network","extra_cuda_components":"","nvcc_flags":"","shard_filter":"seat",)"
        R"("free_disk_space":true,"max_jobs":1,"clone_recursive":false,"nvcc_threads":2,"shard_index":0,"shard_count":0)";
    CHECK(row_text(farm, grid[0]) == text + "}");
    Matrix matrix = to_matrix(farm, {&grid[0]});
    complete_rows(matrix, farm);
    matrix.rows[0].serves = {"3.12", "3.13"};
    CHECK(to_text(matrix, {0}).find(text + R"(,"build_epoch":)") != std::string::npos);
    CHECK(to_text(matrix, {0}).find(R"("serves_pythons":["3.12","3.13"]})") != std::string::npos);
    const auto shared = json::parse(row_text(farm, grid[8])).as_object();
    CHECK(shared.at("shard_filter") == "source");
}

TEST_CASE("matrix: the workflow's, of a grid") {
    const auto shape = [](const std::string& layout) {
        const Farm farm = read_farm(farm_folder(layout));
        const auto grid = make_grid(farm);
        std::string text;
        const json::value value = json::parse(grid_text(farm, grid));
        for (const auto& [name, list] : value.as_object()) {
            text += fmt::format("{} {}\n", std::string_view(name), list.at("include").as_array().size());
        }
        return text;
    };
    CHECK(shape("flat") ==
          "linux 8\nlinux_aarch64 4\nwindows 4\nlinux_link 2\nwindows_link 2\nlinux_chain 5\n"
          "windows_chain 4\n");
    CHECK(shape("split") ==
          "linux 8\nlinux_aarch64 4\nwindows 4\nlinux_link 2\nwindows_link 0\nlinux_aarch64_link 1\n");
    const Farm farm = read_farm(farm_folder("flat"));
    const auto grid = make_grid(farm);
    const json::value matrix = json::parse(grid_text(farm, grid));
    const auto& link = matrix.at("windows_link").at("include").at(0).as_object();
    CHECK_FALSE(link.contains("shard_index"));
    CHECK(link.at("shard_count") == 2);
    CHECK(
        grid_text(read_farm(farm_folder("split")), {}) ==
        R"({"linux":{"include":[]},"linux_aarch64":{"include":[]},"windows":{"include":[]},"linux_link":{"include":[]},)"
        R"("windows_link":{"include":[]},"linux_aarch64_link":{"include":[]}})");
}

TEST_CASE("pages: 256 jobs are one, 257 are two") {
    CHECK(page_sizes(rows(0)).empty());
    CHECK(page_sizes(rows(1)) == std::vector<std::size_t>{1});
    CHECK(page_sizes(rows(256)) == std::vector<std::size_t>{256});
    CHECK(page_sizes(rows(257)) == std::vector<std::size_t>{256, 1});
    CHECK(page_sizes(rows(600)) == std::vector<std::size_t>{256, 256, 88});
}

TEST_CASE("pages: the limit is that of each list") {
    const json::object matrix = {{"linux", list(rows(300))}, {"windows", list(rows(256))}};
    // 256 of the cells stand in both lists, and are not parted.
    CHECK(page_sizes(matrix) == std::vector<std::size_t>{468, 88});
    const json::object apart = {{"linux", list(rows(256, 2))}, {"mine", list({row(1000)})}};
    CHECK(page_sizes(apart) == std::vector<std::size_t>{257, 256});
}

TEST_CASE("pages: every row is in one page, in order") {
    const Matrix matrix = to_matrix({{"a", list(rows(700))}, {"b", list(rows(300))}, {"c", list({})}});
    std::set<std::size_t> seen;
    for (const MatrixPage& page : to_pages(matrix)) {
        CHECK(std::is_sorted(page.begin(), page.end()));
        for (const std::size_t number : page) {
            CHECK(seen.insert(number).second);
        }
    }
    CHECK(seen.size() == 1000);
}

TEST_CASE("pages: shards and the row that links them stay together") {
    const Matrix matrix = to_matrix({{"linux", list(rows(100, 7))}, {"linux_link", list(rows(100))}});
    const auto pages = to_pages(matrix);
    CHECK(sizes(pages) == std::vector<std::size_t>{36 * 8, 36 * 8, 28 * 8});
    for (const MatrixPage& page : pages) {
        std::map<Cell, std::size_t> cells;
        for (const std::size_t number : page) {
            ++cells[matrix.rows[number].cell()];
        }
        CHECK(std::all_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.second == 8; }));
    }
}

TEST_CASE("pages: the text is counted in UTF-16 units, frame and commas and all") {
    const std::string x(1, 'x');
    for (const std::string& sign :
         {x, std::string("\xc3\xa9"), std::string("\xe2\x82\xac"), std::string("\xf0\x9f\x98\x80")}) {
        json::array all = rows(2);
        const std::size_t units = sign.size() == 4 ? 2 : 1;
        const std::size_t frame = json::serialize(list(all)).size() + std::string(R"(,"t":"")").size();
        // One sign more than fits into one page.
        std::string text;
        for (std::size_t left = kMostOutputUnits - frame + units; left >= units; left -= units) {
            text += sign;
        }
        CAPTURE(sign);
        all[0].as_object()["t"] = text;
        CHECK(page_sizes(list(all)).size() == 2);
        all[0].as_object()["t"] = text.substr(2 * sign.size());
        CHECK(page_sizes(list(all)).size() == 1);
    }
}

TEST_CASE("pages: a cell that is too much for one") {
    const auto error = [](json::value matrix) {
        try {
            return fmt::format("{} pages", page_sizes(std::move(matrix)).size());
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::usage);
            return std::string(error.what());
        }
    };
    CHECK(error(rows(1, 256)) == "1 pages");
    CHECK(error(rows(1, 257)) ==
          "pkg 1.0, CUDA 12.8, torch 2.8.0, Python 3.12, linux has 257 jobs, more than one page of a matrix takes");
    json::object large = row(0);
    large["t"] = std::string(kMostOutputUnits, 'x');
    CHECK(error(json::array{large}).find("pkg 1.0, CUDA 12.8, torch 2.8.0, Python 3.12, linux has 1 job") == 0);
}

}  // namespace wheelarch
