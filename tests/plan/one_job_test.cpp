#include "plan/one_job.hpp"

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

std::vector<std::string> serves(const std::vector<std::string>& pythons, const std::string& wheel,
                                const std::string& tags, std::vector<std::size_t>* leaders = nullptr) {
    Package package;
    package.name = "pkg";
    package.wheel_python = tags;
    std::vector<Cell> cells;
    for (const std::string& python : pythons) {
        cells.push_back({"pkg", "1.0", "12.8", "2.8.0", python, "linux"});
    }
    std::vector<JobCell> all;
    for (const Cell& cell : cells) {
        all.push_back({&package, &cell, "8.0", "v1", wheel});
    }
    std::vector<std::string> last;
    for (const Job& job : jobs_of(all)) {
        if (leaders != nullptr) {
            leaders->push_back(job.leader);
        }
        last = job.serves;
    }
    return last;
}

}  // namespace

TEST_CASE("one job: the cells of one wheel, the oldest Python first") {
    std::vector<std::size_t> leaders;
    CHECK(serves({"3.12", "3.9", "3.10"}, "pkg-1.0-py3-none-any.whl", "", &leaders) ==
          std::vector<std::string>{"3.9", "3.10", "3.12"});
    CHECK(leaders == std::vector<std::size_t>{1, 1, 1});
}

TEST_CASE("one job: where no wheel is there, what the package says of it") {
    std::vector<std::size_t> leaders;
    CHECK(serves({"3.12", "3.13"}, "", "", &leaders).empty());
    CHECK(leaders == std::vector<std::size_t>{0, 1});
    leaders.clear();
    CHECK(serves({"3.9", "3.10", "3.11"}, "", "cp310-abi3", &leaders) == std::vector<std::string>{"3.10", "3.11"});
    CHECK(leaders == std::vector<std::size_t>{0, 1, 1});
}

}  // namespace wheelarch
