// What is known of a build: from a matrix row, which a stranger may have written, and from a file name.
#include "ledger/build_facts.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

// `cuda pytorch python platform`, `-` for what is not known, after package and version.
std::string known(const BuildFacts& facts) {
    const auto or_dash = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
    const Cell& cell = facts.cell;
    return or_dash(cell.package) + " " + or_dash(cell.version) + " | " + or_dash(cell.cuda) + " " +
           or_dash(cell.pytorch) + " " + or_dash(cell.python) + " " + or_dash(cell.platform);
}

std::string known_of(std::string_view file_name) {
    return known(facts_of(parse_wheel_name(file_name)));
}

std::string refusal(std::string_view row) {
    try {
        parse_matrix_row(row);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return std::string(error.what()) + "\nfix: " + error.fix();
    }
    return "taken";
}

// Messages of the findings about a row and a wheel.
std::string differences(std::string_view row, std::string_view file_name) {
    std::string text;
    for (const Finding& finding : check_row(parse_matrix_row(row), parse_wheel_name(file_name), "the wheel")) {
        CHECK(finding.rule == "cell-mismatch");
        CHECK(finding.severity == Severity::error);
        CHECK(finding.place == "the wheel");
        text += finding.message + "\n";
    }
    return text;
}

TEST_CASE("a whole row") {
    const BuildFacts facts = parse_matrix_row(R"({"package": "flash_attn", "version": "2.8.3", "cuda": "12.8",
        "pytorch": "2.8.0", "python": "3.12", "platform": "linux", "arch_list": "8.0;9.0", "exists_key": "key",
        "source_repo": "repo", "source_tag": "v2.8.3", "source_commit": "c0ffee", "build_epoch": 2,
        "runner": ["self-hosted"], "max_jobs": 4})");
    CHECK(known(facts) == "flash_attn 2.8.3 | 12.8 2.8.0 3.12 linux");
    CHECK(facts.arch_list == "8.0;9.0");
    CHECK(facts.exists_key == "key");
    CHECK(facts.source_repo == "repo");
    CHECK(facts.source_ref == "v2.8.3");
    CHECK(facts.source_commit == "c0ffee");
    CHECK(facts.build_epoch == 2);
}

TEST_CASE("what a row leaves out, or has as null, is not known") {
    const BuildFacts facts = parse_matrix_row(R"({"cuda": null, "build_epoch": null, "platform": ""})");
    CHECK(known(facts) == "- - | - - - -");
    CHECK_FALSE(facts.build_epoch);
}

TEST_CASE("what is no row") {
    const std::string fix = "\nfix: give one row of the matrix, as `toJSON(matrix)` prints it in a job";
    CHECK(refusal("") == "the matrix row is not JSON: incomplete JSON" + fix);
    CHECK(refusal("null") == "the matrix row is not a JSON object" + fix);
    CHECK(refusal("[{}]") == "the matrix row is not a JSON object" + fix);
    CHECK(refusal("{\"package\": \"\xff\"}") == "the matrix row is not JSON: syntax error" + fix);
    CHECK(refusal(std::string(100'000, '[')) == "the matrix row is not JSON: too deep" + fix);
}

TEST_CASE("a row's Python must install the wheel, whatever form its tags have") {
    const auto of = [](const std::string& python, const std::string& tags) {
        return differences("{\"python\": \"" + python + "\"}", "pkg-1.0-" + tags + "-linux_x86_64.whl");
    };
    CHECK(of("3.12", "cp313-abi3") == "the matrix row has python 3.12, the file name says cp313-abi3\n");
    CHECK(of("3.12", "cp313-none") == "the matrix row has python 3.12, the file name says cp313-none\n");
    CHECK(of("3.13t", "cp39-abi3") == "the matrix row has python 3.13t, the file name says cp39-abi3\n");
    CHECK(of("3.12", "py2-none") == "the matrix row has python 3.12, the file name says py2-none\n");
    CHECK(of("3.12", "cp312-abi3").empty());
    CHECK(of("3.13", "cp312-abi3").empty());
    CHECK(of("3.12", "py2.py3-none").empty());
    CHECK(of("3.13t", "py3-none").empty());
}

TEST_CASE("a version that is a number may have lost its last zero") {
    for (const std::string key : {"version", "cuda", "pytorch", "python"}) {
        for (const std::string value : {"12.1", "3", "-1", "1e400"}) {
            CAPTURE(key);
            CAPTURE(value);
            std::string found = refusal("{\"" + key + "\": " + value + "}");
            CHECK(found == "'" + key +
                               "' of the matrix row is a number\nfix: quote it where the matrix is made: YAML reads "
                               "12.10 as 12.1");
        }
    }
}

TEST_CASE("fields of another kind") {
    CHECK(refusal(R"({"package": ["a"]})") == "'package' of the matrix row is not text\nfix: expected a string");
    CHECK(refusal(R"({"arch_list": {}})") == "'arch_list' of the matrix row is not text\nfix: expected a string");
    CHECK(refusal(R"({"source_tag": true})") == "'source_tag' of the matrix row is not text\nfix: expected a string");
}

TEST_CASE("an epoch is a whole number from 1 on") {
    const std::string refused =
        "'build_epoch' of the matrix row is not a whole number from 1 on\nfix: take it from the farm's policy "
        "as "
        "it stands there";
    for (const std::string value : {"0", "-1", "1.0", "1e0", "\"1\"", "true", "[]", "18446744073709551616"}) {
        CAPTURE(value);
        CHECK(refusal("{\"build_epoch\": " + value + "}") == refused);
    }
    CHECK(refusal(R"({"build_epoch": 1})") == "taken");
}

TEST_CASE("an unknown platform is shown safely") {
    CHECK(refusal(R"({"platform": "::error::x\n##[error]"})") ==
          "'platform' of the matrix row is ': :error::x\\n# #[error]'\nfix: the platforms are linux, linux_aarch64, "
          "windows");
}

TEST_CASE("a file name tells the cell in the forms that farms write") {
    CHECK(known_of("flash_attn-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl") ==
          "flash_attn 2.8.3 | 12.8 2.8 3.12 linux");
    CHECK(known_of("flash_attn-2.8.3+cu128torch28-cp310-cp310-win_amd64.whl") ==
          "flash_attn 2.8.3 | 12.8 2.8 3.10 windows");
    CHECK(known_of("a-1+cu130torch210-cp313-cp313t-manylinux_2_28_aarch64.whl") ==
          "a 1 | 13.0 2.10 3.13t linux_aarch64");
    CHECK(known_of("a-1+cu128-py3-none-any.whl") == "a 1 | 12.8 - - -");
    CHECK(known_of("Flash.Attn-1-1build2-cp39-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl") ==
          "flash_attn 1 | - - - linux");
    CHECK(known_of("a-1-cp312-cp312-linux_x86_64.win_amd64.whl") == "a 1 | - - 3.12 -");
    CHECK(known_of("a-1-cp312-none-macosx_11_0_arm64.whl") == "a 1 | - - - -");
}

TEST_CASE("a local version of another form is part of the version") {
    for (const std::string local : {"cu12torch2.5cxx11abiFALSE", "cu128.torch2.8", "cu128torch", "cu128torch2.8abi",
                                    "cu12x", "cu1280", "cpu", "g1234567"}) {
        CAPTURE(local);
        const std::string found = known_of("a-1+" + local + "-py3-none-any.whl");
        const bool is_read = found.find("| - -") == std::string::npos;
        CHECK((is_read || found == "a 1+" + local + " | - - - -"));
        CHECK((local == "cu128torch2.8abi" || !is_read));
    }
}

TEST_CASE("gaps are filled, and nothing else") {
    const BuildFacts row = parse_matrix_row(R"({"cuda": "12.8", "build_epoch": 3})");
    const BuildFacts other =
        parse_matrix_row(R"({"cuda": "13.0", "python": "3.12", "build_epoch": 4, "arch_list": "8.0"})");
    const BuildFacts both = filled(row, other);
    CHECK(known(both) == "- - | 12.8 - 3.12 -");
    CHECK(both.build_epoch == 3);
    CHECK(both.arch_list == "8.0");
    CHECK(filled({}, other).build_epoch == 4);
}

constexpr char kNamed[] = "flash_attn-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl";

TEST_CASE("a row that built the wheel") {
    CHECK(differences("{}", kNamed) == "");
    CHECK(differences(R"({"package": "flash_attn", "version": "2.8.3", "cuda": "12.8", "pytorch": "2.8.0",
        "python": "3.12", "platform": "linux"})",
                      kNamed) == "");
    CHECK(differences(R"({"version": "2.8.3+CU128torch2.8"})", kNamed) == "");
    CHECK(differences(R"({"version": "2.8.3.POST1"})", "a-2.8.3.post1-py3-none-any.whl") == "");
}

TEST_CASE("a Python without the lock is another Python") {
    CHECK(differences(R"({"python": "3.13t"})", "a-1-cp313-cp313t-linux_x86_64.whl") == "");
    CHECK(differences(R"({"python": "3.13"})", "a-1-cp313-cp313t-linux_x86_64.whl") ==
          "the matrix row has python 3.13, the file name says 3.13t\n");
}

TEST_CASE("what the file name does not say is not held against it") {
    CHECK(differences(R"({"cuda": "12.8", "pytorch": "2.8", "python": "3.12", "platform": "windows"})",
                      "a-1-cp39-abi3-any.whl") == "");
}

TEST_CASE("a row that built another wheel") {
    CHECK(differences(R"({"version": "2.8.4"})", kNamed) ==
          "the matrix row has version 2.8.4, the file name says 2.8.3\n");
    CHECK(differences(R"({"cuda": "12.9"})", kNamed) == "the matrix row has cuda 12.9, the file name says 12.8\n");
    CHECK(differences(R"({"pytorch": "2.9.1"})", kNamed) == "the matrix row has pytorch 2.9, the file name says 2.8\n");
    CHECK(differences(R"({"python": "3.13"})", kNamed) == "the matrix row has python 3.13, the file name says 3.12\n");
    CHECK(differences(R"({"platform": "windows"})", kNamed) ==
          "the matrix row has platform windows, the file name says linux\n");
    CHECK(differences(R"({"cuda": "12.9", "python": "3.13"})", kNamed) ==
          "the matrix row has cuda 12.9, the file name says 12.8\n"
          "the matrix row has python 3.13, the file name says 3.12\n");
}

}  // namespace
}  // namespace wheelarch
