#include "ledger/row_fields.hpp"

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

std::string text(std::string_view row) {
    const auto finding = row_not_understood(row);
    return finding ? finding->message + " | " + finding->fix : "";
}

TEST_CASE("row: not one of its fields is known (U3)") {
    CHECK(text(R"({"os": "ubuntu-latest", "python-version": "3.12", "cuda-version": "12.8"})") ==
          "it has none of package, version, cuda, pytorch, python, platform, so the wheel is not compared with it; its "
          "fields are os, python-version, cuda-version | did you mean `python` instead of `python-version`, `cuda` "
          "instead of `cuda-version`?");
    CHECK(text(R"({"CUDA": 1, "torch": "2.9", "py": "3.12", "pyton": ""})")
              .find("`cuda` instead of `CUDA`, `pytorch` "
                    "instead of `torch`, `python` instead "
                    "of `py`, `python` instead of `pyton`") != std::string::npos);
    CHECK(
        text(R"({"os": "ubuntu"})").ends_with(" | name its fields package, version, cuda, pytorch, python, platform"));
    CHECK(text(R"({"arch_list": "8.0", "cuda_version": "12.8"})").ends_with("`cuda` instead of `cuda_version`?"));
}

TEST_CASE("row: one known field is enough, and so is a row for the list alone") {
    CHECK(text(R"({"cuda": "12.8", "python-version": "3.12"})") == "");
    CHECK(text(R"({"arch_list": "8.0;9.0"})") == "");
    CHECK(text(R"({"arch_list": "8.0;9.0", "os": "ubuntu-latest"})") == "");
    CHECK(text("{}") == "");
    CHECK(text("[]") == "");
}

TEST_CASE("row: what it names is not trusted") {
    const std::string long_name(5000, 'x');
    CHECK(text("{\"\\u001b[31m\": 1}").find("its fields are \\x1b[31m |") != std::string::npos);
    CHECK(text("{\"" + long_name + "\": 1}").size() < 400);
}

}  // namespace
}  // namespace wheelarch
