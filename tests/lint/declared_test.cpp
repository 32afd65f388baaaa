#include "lint/declared.hpp"

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/farm_folder.hpp"

namespace wheelarch {
namespace {

std::string lists_of(const std::string& farm_name, const std::string& package, const std::string& tag = {}) {
    const Farm farm = read_farm(farm_folder(farm_name));
    std::string all;
    for (const DeclaredList& list : declared_lists(farm, find_package(farm, package), make_grid(farm), tag)) {
        all += fmt::format("{}{}: {}", all.empty() ? "" : " | ", list.rows, list.text);
    }
    return all;
}

}  // namespace

TEST_CASE("declared: platforms and torch releases are named where they differ") {
    CHECK(lists_of("flat", "example_attn") ==
          "CUDA 12.8 on linux_aarch64: 8.0;9.0;10.0 | CUDA 12.8 on x86_64: 8.0 9.0 12.0+PTX | CUDA 13.0 on "
          "linux_aarch64: 9.0;11.0 | CUDA 13.0 on x86_64: 8.0;9.0;10.0;12.0+PTX");
    CHECK(lists_of("flat", "example_cpu") ==
          "CUDA 12.6: 7.0;8.0;9.0+PTX | CUDA 12.8: 8.0;9.0+PTX;10.0;12.0+PTX | CUDA 13.0: 8.0;9.0;10.0;12.0+PTX");
}

TEST_CASE("declared: rows of one source tag") {
    CHECK(lists_of("flat", "example_rows") == "CUDA 12.6: 9.0a | CUDA 12.8: 10.0a");
    CHECK(lists_of("flat", "example_rows", "blackwell") == "CUDA 12.8: 10.0a");
    CHECK(lists_of("flat", "example_rows", "main") == "CUDA 12.6: 9.0a");
}

}  // namespace wheelarch
