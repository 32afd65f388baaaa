#include "policy/package.hpp"

#include <memory>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

Package package_of(std::string_view text, Layout layout = Layout::flat) {
    const auto node = parse_yaml(text, std::make_shared<const std::string>("x.yml"));
    return read_package(*node, "example", layout);
}

std::string error_of(std::string_view text, Layout layout = Layout::flat) {
    try {
        package_of(text, layout);
        return "read";
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return std::string(error.what()) + " | " + error.fix();
    }
}

}  // namespace

TEST_CASE("package: the name is the file's unless it is given") {
    CHECK(package_of("source_tag: x\n").name == "example");
    CHECK(package_of("name: flash-attn\n").name == "flash_attn");
}

TEST_CASE("package: a name becomes part of file names") {
    CHECK(error_of("name: ../x\n") ==
          "x.yml:1:7: name is \"../x\", and letters, digits, '.', '_' and '-' are expected | "
          "use the name that the wheels have");
    CHECK(error_of("name: _x\n").starts_with("x.yml:1:7: name is \"_x\""));
    CHECK(error_of("version: 1.0 beta\n") ==
          "x.yml:1:10: version is \"1.0 beta\", a version is expected | write it like \"2.8.3\"");
}

TEST_CASE("package: keys of a farm's own builds pass through") {
    CHECK(error_of("verify: {skip_arch: x}\nrequires_dist: [numpy]\npython_min: 3.10\nexpect_device_error: true\n") ==
          "read");
}

TEST_CASE("package: a key that is nearly ours is a slip") {
    CHECK(error_of("name: x\nbuild_epcoh: 2\n") ==
          "x.yml:2:1: the key \"build_epcoh\" is unknown, and so near to build_epoch that it is taken for a slip | did "
          "you "
          "mean build_epoch? If it is a key of your own, give it another name");
    for (const char* key : {"build-epoch", "buildEpoch", "expect_arch", "expect-members", "Device_Code", "archlist",
                            "JIT", "arch_list_by_cuda_arm64", "lint_ignores", "link_torch"}) {
        INFO(key);
        CHECK(error_of(fmt::format("{}: 1\n", key)).find("is taken for a slip") != std::string::npos);
    }
    CHECK(error_of("build_matrix: {python_version: [\"3.12\"]}\n").find("near to python_versions") !=
          std::string::npos);
    CHECK(error_of("build_matrix:\n  combinations: [{cuda: \"12.8\", pytorch: 2.8.0, python_versions: [\"3.12\"], "
                   "arch-list: \"8.0\"}]\n")
              .find("near to arch_list") != std::string::npos);
}

TEST_CASE("package: a hostile key cannot speak to the runner") {
    CHECK(error_of("\"::error::\\n##[x] build_epoch\": 1\n") == "read");
    CHECK(error_of("lint_ignore: [{\"::set-output\\n##[x]\": 1}]\n") ==
          "x.yml:1:16: an entry of lint_ignore has no key \": :set-output\\n# #[x]\": rule, path, reason are known | "
          "take "
          "it out");
}

TEST_CASE("package: a version without quotes is a number to other readers") {
    CHECK(error_of("version: 12.10\n") ==
          "x.yml:1:10: version is 12.10 without quotes, which other readers of YAML take "
          "for the number 12.1; text is expected | quote it: \"12.10\"");
    CHECK(error_of("min_pytorch: 2.10\n").starts_with("x.yml:1:14: min_pytorch is 2.10 without quotes"));
    CHECK(error_of("source_tag: 0123\n") ==
          "x.yml:1:13: source_tag is 0123 without quotes, which other readers of YAML "
          "take for a number to base 2, 8 or 16; text is expected | quote it: \"0123\"");
    CHECK(error_of("version: 2.8.3\nmin_pytorch: '2.10'\n") == "read");
}

TEST_CASE("package: so is an arch list of one arch, and the key of a table") {
    CHECK(error_of("arch_list: 8.0\n") ==
          "x.yml:1:12: arch_list is 8.0 without quotes, which other readers of YAML take "
          "for the number 8; text is expected | quote it: \"8.0\"");
    CHECK(error_of("arch_list_by_cuda: {12.8: \"8.0\"}\n") ==
          "x.yml:1:21: a key of arch_list_by_cuda is 12.8 without quotes, which other readers of YAML take for the "
          "number "
          "12.8; text is expected | quote it: \"12.8\"");
    CHECK(error_of("arch_list: 8.0 9.0+PTX\n") == "read");
}

TEST_CASE("package: an arch list is read where it stands") {
    CHECK(error_of("name: x\narch_list_by_cuda:\n  '12.8': 8.0,9.0\n") ==
          "x.yml:3:11 → arch_list_by_cuda['12.8']: \"8.0,9.0\" (item 1 of the arch list, column 1) is one item, for a "
          "comma does not separate: torch's "
          "cpp_extension refuses it: Unknown CUDA arch (8.0,9.0) or GPU not supported | did you mean 8.0;9.0?");
    CHECK(error_of("arch_list: ''\n").starts_with("x.yml:1:12 → arch_list: the arch list is empty"));
    CHECK(
        error_of("expect_members: {\"*_C*\": 9.0.a}\n").starts_with("x.yml:1:26 → expect_members['*_C*']: \"9.0.a\""));
}

TEST_CASE("package: wrong types") {
    CHECK(error_of("max_jobs: many\n") ==
          "x.yml:1:11: max_jobs is the text \"many\", a whole number from 0 to 2147483647 "
          "is expected | write its digits, without quotes");
    CHECK(error_of("max_jobs: \"3\"\n").starts_with("x.yml:1:11: max_jobs is the text \"3\""));
    CHECK(error_of("build_epoch: 0\n") ==
          "x.yml:1:14: build_epoch is 0, a whole number from 1 to 2147483647 is expected | "
          "write its digits, without quotes");
    CHECK(error_of("build_epoch:\n").starts_with("x.yml:1:1: build_epoch is nothing, a whole number"));
    CHECK(error_of("build_epoch: 99999999999999999999\n").starts_with("x.yml:1:14: build_epoch is 9999"));
    CHECK(error_of("links_torch: \"false\"\n") ==
          "x.yml:1:14: links_torch is the text \"false\", true or false is expected | write true or false, without "
          "quotes");
    CHECK(error_of("source_repo: [a]\n") ==
          "x.yml:1:14: source_repo is a list, text is expected | write it like source_repo: \"…\"");
    CHECK(error_of("source_tag: \"a\\nb\"\n") ==
          "x.yml:1:13: source_tag is the text \"a\\nb\", one line without blanks "
          "around it is expected | take the blanks out");
    CHECK(error_of("arch_list_by_cuda: x\n") ==
          "x.yml:1:20: arch_list_by_cuda is the text \"x\", a table is expected | "
          "write keys with values below it, indented");
    CHECK(error_of("build_matrix: {platforms: linux}\n") ==
          "x.yml:1:27: build_matrix.platforms is the text \"linux\", a list is expected | write it like "
          "build_matrix.platforms: [\"…\"]");
}

TEST_CASE("package: versions and platforms have their forms") {
    CHECK(error_of("arch_list_by_cuda: {\"128\": \"8.0\"}\n") ==
          "x.yml:1:21: a key of arch_list_by_cuda is the text "
          "\"128\", a CUDA line is expected | write it like \"12.8\"");
    CHECK(error_of("arch_list_by_cuda: {\"12.8.1\": \"8.0\"}\n").find("a CUDA line is expected") != std::string::npos);
    CHECK(error_of("min_pytorch: two\n") ==
          "x.yml:1:14: min_pytorch is the text \"two\", a torch version is expected | write it like \"2.8.0\"");
    CHECK(error_of("build_matrix: {python_versions: [\"312\"]}\n").find("a Python version is expected") !=
          std::string::npos);
    CHECK(error_of("build_matrix: {platforms: [linux_arm64]}\n") ==
          "x.yml:1:28: build_matrix.platforms is the text \"linux_arm64\", one of linux, windows and linux_aarch64 is "
          "expected | did you mean linux_aarch64?");
    CHECK(error_of("build_matrix: {platforms: [linux, linux]}\n") ==
          "x.yml:1:35: build_matrix.platforms has \"linux\" twice | take one of them out");
    CHECK(
        error_of("build_matrix: {platforms: []}\n") ==
        "x.yml:1:27: build_matrix.platforms has 0 items, 1 to 10000 are expected | name at least one, or take the key "
        "out");
}

TEST_CASE("package: rows of its own") {
    const Package package = package_of(
        "build_matrix:\n  python_versions: [\"3.12\"]\n  combinations:\n"
        "    - {cuda: \"12.8\", pytorch: 2.8.0}\n"
        "    - {cuda: \"13.0\", pytorch: 2.9.0, python_versions: [\"3.13t\"], arch_list: \"9.0a\", source_tag: b}\n");
    REQUIRE(package.combinations.size() == 2);
    CHECK(package.combinations[0].pythons == std::vector<std::string>{"3.12"});
    CHECK_FALSE(package.combinations[0].arch_list);
    CHECK(package.combinations[1].pythons == std::vector<std::string>{"3.13t"});
    CHECK(package.combinations[1].arch_list->value == "9.0a");
    CHECK(package.combinations[1].source_tag->value == "b");
    CHECK(file_and_line(package.combinations[1].place) == "x.yml:5");
}

TEST_CASE("package: rows as a product of CUDA and torch") {
    const Package package = package_of(
        "build_matrix: {cuda_versions: [\"12.6\", \"12.8\"], pytorch_versions: [2.7.0, 2.8.0], python_versions: "
        "[\"3.12\"]}\n");
    std::vector<std::string> rows;
    for (const Combination& row : package.combinations) {
        rows.push_back(row.cuda + "/" + row.pytorch);
    }
    CHECK(fmt::format("{}", fmt::join(rows, " ")) == "12.6/2.7.0 12.6/2.8.0 12.8/2.7.0 12.8/2.8.0");
    CHECK(
        error_of("build_matrix: {cuda_versions: [\"12.6\"], pytorch_versions: [2.7.0]}\n") ==
        "x.yml:1:15: build_matrix has cuda_versions but no python_versions | add python_versions, such as [\"3.12\"]");
}

TEST_CASE("package: a row lacks what it needs") {
    const std::string fix =
        " | a row is written like {cuda: \"12.8\", pytorch: \"2.8.0\", python_versions: [\"3.12\"]}";
    CHECK(error_of("build_matrix: {combinations: [{cuda: \"12.8\", pytorch: 2.8.0}]}\n") ==
          "x.yml:1:31: a row of build_matrix.combinations has no python_versions" + fix);
    CHECK(error_of("build_matrix: {combinations: [{cuda: \"12.8\"}]}\n") ==
          "x.yml:1:31: a row of build_matrix.combinations has no pytorch" + fix);
}

TEST_CASE("package: what the binary holds") {
    const Package package = package_of(
        "expect_archs: \"8.0\"\nexpect_archs_by_cuda: {\"12.8\": 80-real;90-virtual}\nexpect_archs_aarch64: \"9.0\"\n"
        "expect_members: {\"*_C*\": \"9.0\"}\ndevice_code: required\njit: by NVRTC\n"
        "expect_hollow: [{kernel: \"k*\", archs: \"8.9\", reason: gated}]\n"
        "lint_ignore: [{rule: arch-gate, path: \"src/**\", reason: unused}]\n");
    CHECK(package.expect_archs.list->value == "8.0");
    CHECK(package.expect_archs.by_cuda.at("12.8").value == "80-real;90-virtual");
    CHECK(package.expect_archs_aarch64.list->value == "9.0");
    CHECK(package.expect_members.at(0).pattern == "*_C*");
    CHECK_FALSE(package.device_code_none);
    CHECK(package.jit->value == "by NVRTC");
    CHECK(package.expect_hollow.at(0).kernel == "k*");
    CHECK(package.expect_hollow.at(0).archs->value == "8.9");
    CHECK(package.lint_ignore.at(0).rule == "arch-gate");
    CHECK(package.lint_ignore.at(0).reason == "unused");
    CHECK(package_of("device_code: none\n").device_code_none);
}

TEST_CASE("package: our own keys are checked strictly") {
    CHECK(error_of("device_code: no\n") ==
          "x.yml:1:14: device_code is no without quotes, which other readers of YAML take "
          "for the truth value false; text is expected | quote it: \"no\"");
    CHECK(error_of("device_code: nnoe\n") ==
          "x.yml:1:14: device_code is \"nnoe\", none or required is expected | write none "
          "for a wheel without device code, or take the key out");
    CHECK(error_of("device_code:\n").starts_with("x.yml:1:1: device_code is nothing"));
    CHECK(error_of("device_code: none\nexpect_archs: \"8.0\"\n") ==
          "x.yml:1:14: device_code is none, but expect_archs says what it holds | take one of them out");
    CHECK(error_of("jit: \" \"\n") == "x.yml:1:6: jit is empty | say why the kernels are compiled at run time");
    CHECK(error_of("jit: true\n").starts_with("x.yml:1:6: jit is true without quotes"));
    CHECK(error_of("lint_ignore: [{rule: arch-gate}]\n") ==
          "x.yml:1:15: an entry of lint_ignore has no reason | add reason: and say why it is let pass");
    CHECK(error_of("lint_ignore: [{reason: x}]\n") ==
          "x.yml:1:15: an entry of lint_ignore has no rule | add rule: with the "
          "id of the lint rule, such as arch-gate");
    CHECK(
        error_of("lint_ignore: [{rule: a, paths: b, reason: c}]\n") ==
        "x.yml:1:25: an entry of lint_ignore has no key \"paths\": rule, path, reason are known | did you mean path?");
    CHECK(error_of("expect_hollow: [x]\n") ==
          "x.yml:1:17: an entry of expect_hollow is the text \"x\", a table is expected "
          "| write keys with values below it, indented");
}

TEST_CASE("package: known keys that come to nothing are noted") {
    const auto unused = [](std::string_view text, Layout layout) {
        std::vector<std::string> notes;
        for (const Text& note : package_of(text, layout).unused) {
            notes.push_back(to_text(note.place) + ": " + note.value);
        }
        return fmt::format("{}", fmt::join(notes, " | "));
    };
    CHECK(
        unused("arch_list_aarch64: \"9.0\"\nsharding_platforms: [linux]\n", Layout::flat) ==
        "x.yml:1:20: arch_list_aarch64: only the split layout has it | x.yml:2:21: sharding_platforms: only the split "
        "layout has it");
    CHECK(unused("sequential_checkpoint: 60\n", Layout::split) ==
          "x.yml:1:24: sequential_checkpoint: only the flat layout has it");
    CHECK(unused("build_matrix: {python_versions: [\"3.12\"]}\n", Layout::flat) ==
          "x.yml:1:33: python_versions: build_matrix has no rows, and the farm's have their own");
    CHECK(unused("arch_list_aarch64: \"9.0\"\nsharding_platforms: [linux]\n", Layout::split).empty());
}

}  // namespace wheelarch
