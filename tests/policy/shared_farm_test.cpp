// Real farms, where a checkout has them beside it: their grids are known.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <zlib.h>
#include <boost/json/parse.hpp>

#include "base/mapped_file.hpp"
#include "policy/grid.hpp"
#include "support/farm_folder.hpp"

namespace wheelarch {
namespace {

std::filesystem::path shared_farm() {
    return farm_folder("").parent_path().parent_path().parent_path().parent_path() / "shared" / "farm";
}

std::string gunzip(const std::filesystem::path& path) {
    const MappedFile file(path);
    std::string text(std::size_t{8} << 20, '\0');
    z_stream stream = {};
    REQUIRE(inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK);
    stream.next_in = const_cast<unsigned char*>(file.view().data());
    stream.avail_in = static_cast<unsigned>(file.view().size());
    stream.next_out = reinterpret_cast<unsigned char*>(text.data());
    stream.avail_out = static_cast<unsigned>(text.size());
    REQUIRE(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    text.resize(stream.total_out);
    inflateEnd(&stream);
    return text;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string line = text.substr(start, end - start);
        lines.push_back(line.substr(0, line.find_last_not_of('\r') + 1));
        start = end + 1;
    }
    return lines;
}

// As the table spells a value.
std::string spelled(const boost::json::value& value) {
    if (value.is_bool()) {
        return value.get_bool() ? "True" : "False";
    }
    return value.is_string() ? std::string(value.get_string()) : fmt::format("{}", value.as_int64());
}

// The rows with the columns that `header` names, separated by tabs.
std::vector<std::string> table_of(const Farm& farm, const std::string& header) {
    std::vector<std::string> lines;
    for (const GridRow& row : make_grid(farm)) {
        std::string text;
        write_row(text, row, row_constants(farm, *row.package), false);
        const auto fields = boost::json::parse(text).as_object();
        std::string line;
        for (std::size_t start = 0; start <= header.size();) {
            const std::size_t end = std::min(header.find('\t', start), header.size());
            line += (start == 0 ? "" : "\t") + spelled(fields.at(header.substr(start, end - start)));
            start = end + 1;
        }
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

TEST_CASE("shared farm: the flat grid, in every column") {
    if (!std::filesystem::exists(shared_farm())) {
        MESSAGE("skipped: no ../shared/farm");
        return;
    }
    std::vector<std::string> expected = lines_of(gunzip(shared_farm() / "expected-flat.tsv.gz"));
    REQUIRE(expected.size() == 11'304);
    std::vector<std::string> found = table_of(read_farm(shared_farm() / "flat"), expected.front());
    expected.erase(expected.begin());
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    REQUIRE(found.size() == expected.size());
    const auto differs = std::mismatch(found.begin(), found.end(), expected.begin());
    CHECK((differs.first == found.end() ? "" : *differs.first) ==
          (differs.second == expected.end() ? "" : *differs.second));
}

TEST_CASE("shared farm: the split grid") {
    if (!std::filesystem::exists(shared_farm())) {
        MESSAGE("skipped: no ../shared/farm");
        return;
    }
    const Farm farm = read_farm(shared_farm() / "split");
    const auto grid = make_grid(farm);
    CHECK(grid.size() == 29'247);
    CHECK(unbuildable(farm, grid).empty());
    CHECK(policy_findings(farm).empty());
}

TEST_CASE("shared farm: the flat farm asks CUDA 13 for archs that it cannot build") {
    if (!std::filesystem::exists(shared_farm())) {
        MESSAGE("skipped: no ../shared/farm");
        return;
    }
    const Farm farm = read_farm(shared_farm() / "flat");
    std::set<std::string> places;
    for (const Finding& finding : unbuildable(farm, make_grid(farm))) {
        places.insert(finding.place.substr(finding.place.rfind('/') + 1));
    }
    CHECK(places == std::set<std::string>{"pyg_lib.yml:7"});
}

}  // namespace wheelarch
