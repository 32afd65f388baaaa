#include "policy/arch_list.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.hpp"

using namespace wheelarch;

namespace {

ArchList list_of(std::string_view text) {
    return parse_arch_list(text, "");
}

std::string archs_of(std::string_view text) {
    return to_text(list_of(text).archs);
}

// Each finding as `rule: message | fix`.
std::vector<std::string> findings_of(std::string_view text) {
    std::vector<std::string> lines;
    for (const Finding& finding : parse_arch_list(text, "x.yml:12").findings) {
        CHECK(finding.place == "x.yml:12");
        CHECK(finding.severity != Severity::error);
        lines.push_back(finding.rule + ": " + finding.message + " | " + finding.fix);
    }
    return lines;
}

std::vector<std::string> rules_of(std::string_view text) {
    std::vector<std::string> rules;
    for (const Finding& finding : list_of(text).findings) {
        rules.push_back(finding.rule);
    }
    return rules;
}

using Lines = std::vector<std::string>;

// The whole error as `message | fix`.
std::string error_of(std::string_view text, std::string_view place = "") {
    try {
        return "read as " + to_text(parse_arch_list(text, place).archs);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return std::string(error.what()) + " | " + error.fix();
    }
}

std::string fix_of(std::string_view text) {
    const std::string error = error_of(text);
    return error.substr(std::min(error.rfind(" | "), error.size()));
}

}  // namespace

TEST_CASE("arch_list: torch's notation") {
    CHECK(archs_of("7.5;8.0;8.6;9.0+PTX") == "sm_75 sm_80 sm_86 sm_90 compute_90");
    CHECK(archs_of("8.0 8.6 9.0a") == "sm_80 sm_86 sm_90a");
    CHECK(archs_of("7.5;8.0;8.6;9.0+PTX;10.0;12.0+PTX") ==
          "sm_75 sm_80 sm_86 sm_90 sm_100 sm_120 compute_90 compute_120");
    CHECK(archs_of("9.0;9.0a;9.0+PTX") == "sm_90 sm_90a compute_90");
    CHECK(list_of("8.0").notation == ArchNotation::torch);
    CHECK(list_of("8.0").text == "8.0");
    for (const char* text :
         {"7.5;8.0;8.6;9.0+PTX", "8.0 9.0 10.0 12.0+PTX", "9.0+PTX;9.0", "8.7+PTX", "10.3a;12.1a", "3.7"}) {
        CAPTURE(text);
        CHECK(findings_of(text).empty());
    }
}

TEST_CASE("arch_list: CMake's notation") {
    CHECK(archs_of("80-real") == "sm_80");
    CHECK(archs_of("90-virtual") == "compute_90");
    CHECK(archs_of("90") == "sm_90 compute_90");
    CHECK(archs_of("75-real;80-real;86-real;90-real") == "sm_75 sm_80 sm_86 sm_90");
    CHECK(archs_of("90a-real;100f") == "sm_90a sm_100f compute_100f");
    CHECK(list_of("80;90").notation == ArchNotation::cmake);
    CHECK(findings_of("80-real;90-virtual;90").empty());
    CHECK(findings_of("100f;90a-real").empty());
}

TEST_CASE("arch_list: nvcc's notation") {
    CHECK(archs_of("sm_80;compute_90a") == "sm_80 compute_90a");
    CHECK(archs_of("sm_80 sm_100f") == "sm_80 sm_100f");
    CHECK(list_of("compute_80").notation == ArchNotation::nvcc);
    CHECK(findings_of("sm_80 sm_100f;compute_80").empty());
}

TEST_CASE("arch_list: the canonical form") {
    CHECK(canonical(list_of("9.0+PTX 8.0  7.5")) == "7.5;8.0;9.0+PTX");
    CHECK(canonical(list_of("9.0;9.0+PTX;9.0a;8.0")) == "8.0;9.0+PTX;9.0a");
    CHECK(canonical(list_of("Ampere;Hopper")) == "8.0;8.6+PTX;9.0+PTX");
    CHECK(canonical(list_of("90;80-real;75-virtual;75-real")) == "75;80-real;90");
    CHECK(canonical(list_of("compute_90;sm_80;sm_90")) == "sm_80;sm_90;compute_90");
    for (const char* text :
         {"9.0+PTX 8.0", "Turing+PTX", "90;80-real;90a-virtual", "sm_80;compute_80;sm_100f", "8.0\n"}) {
        CAPTURE(text);
        const ArchList list = list_of(text);
        const ArchList again = list_of(canonical(list));
        CHECK(again.archs == list.archs);
        CHECK(again.notation == list.notation);
        CHECK(canonical(again) == canonical(list));
    }
}

TEST_CASE("arch_list: empty items") {
    const std::string refused =
        ": torch's cpp_extension refuses it: Unknown CUDA arch () or GPU not supported | write ";
    CHECK(findings_of("8.0 8.6 8.9 9.0  12.0+PTX") ==
          Lines{"arch-list-empty-item: the arch list has an empty item (column 17)" + refused +
                "8.0;8.6;8.9;9.0;12.0+PTX"});
    CHECK(findings_of("8.0;9.0;") ==
          Lines{"arch-list-empty-item: the arch list has an empty item (column 9)" + refused + "8.0;9.0"});
    CHECK(findings_of(" 8.0") ==
          Lines{"arch-list-empty-item: the arch list has an empty item (column 1)" + refused + "8.0"});
    CHECK(findings_of("8.0; 9.0; ") ==
          Lines{"arch-list-empty-item: the arch list has 3 empty items (the first at column 5)" + refused + "8.0;9.0"});
    CHECK(findings_of("80;;90") ==
          Lines{"arch-list-empty-item: the arch list has an empty item (column 4) | write 80;90"});
    CHECK(archs_of("8.0;;9.0") == "sm_80 sm_90");
}

TEST_CASE("arch_list: separators that are none") {
    CHECK(findings_of("8.0 9.0\n") ==
          Lines{"arch-list-separator: the arch list has a tab or a line break (in \"9.0\\n\", column 5), which is no "
                "separator: torch's cpp_extension refuses it: Unknown CUDA arch (9.0\\n) or GPU not supported | write "
                "8.0;9.0"});
    CHECK(rules_of("8.0\t9.0") == Lines{"arch-list-separator"});
    CHECK(rules_of("8.0\r\n9.0") == Lines{"arch-list-separator"});
    CHECK(rules_of("80;90\n") == Lines{"arch-list-separator"});
    CHECK(archs_of("8.0\t9.0\r\n") == "sm_80 sm_90");
    CHECK(findings_of("80 90") == Lines{"arch-list-separator: the arch list has a space: CMake refuses the list, since "
                                        "only ';' separates | write 80;90"});
}

TEST_CASE("arch_list: names") {
    CHECK(archs_of("Ampere") == "sm_80 sm_86 compute_86");
    CHECK(archs_of("Blackwell") == "sm_100 sm_103 sm_120 sm_121 compute_121");
    CHECK(archs_of("Blackwell+Tegra") == "sm_110");
    CHECK(archs_of("Kepler+Tesla") == "sm_37");
    CHECK(archs_of("Ampere+Tegra+PTX") == "sm_87 compute_87");
    CHECK(findings_of("Ampere") == Lines{"arch-list-named: Ampere stands for 8.0;8.6+PTX in the cpp_extension of torch "
                                         "2.15; builds by CMake read the "
                                         "name differently | write 8.0;8.6+PTX"});
    CHECK(
        findings_of("Ampere+Tegra") ==
        Lines{
            "arch-list-named: Ampere+Tegra stands for 8.7 in the cpp_extension of torch 2.15 (torch before 2.1 refuses "
            "it); builds by CMake read the name differently | write 8.7"});
}

TEST_CASE("arch_list: a name that has PTX already") {
    CHECK(archs_of("Turing+PTX") == "sm_75 compute_75");
    CHECK(archs_of("Ampere+PTX") == "sm_80 sm_86 compute_86");
    CHECK(
        findings_of("Ampere+PTX").at(1) ==
        "arch-list-named-ptx: Ampere has PTX already, so torch's cpp_extension makes 8.0;8.6+PTX+PTX of Ampere+PTX and "
        "refuses it: Unknown CUDA arch (8.6+PTX+PTX) or GPU not supported | write 8.0;8.6+PTX");
    CHECK(rules_of("Turing+PTX") == Lines{"arch-list-named", "arch-list-named-ptx"});
    CHECK(rules_of("Turing") == Lines{"arch-list-named"});
    // torch appends to 8.7, which has none yet.
    CHECK(rules_of("Ampere+Tegra+PTX") == Lines{"arch-list-named"});
}

TEST_CASE("arch_list: the suffix f is unknown to torch") {
    CHECK(archs_of("10.0f;12.0f+PTX") == "sm_100f sm_120f compute_120f");
    CHECK(findings_of("12.0f+PTX") == Lines{"arch-list-suffix: torch's cpp_extension refuses the suffix f (up to torch "
                                            "2.15): Unknown CUDA arch (12.0f+PTX) "
                                            "or GPU not supported | keep it only in a package that passes its own "
                                            "-gencode flags or builds with CMake"});
    CHECK(rules_of("12.0a").empty());
    CHECK(rules_of("120f").empty());
}

TEST_CASE("arch_list: archs that torch's table lacks") {
    const auto findings = list_of("8.8;10.1").findings;
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].severity == Severity::notice);
    CHECK(findings[0].rule == "arch-list-torch-unknown");
    CHECK(findings[0].message ==
          "8.8 is not in the table of torch 2.15, whose cpp_extension refuses it: Unknown CUDA arch "
          "(8.8) or GPU not supported");
    CHECK(findings[1].message ==
          "10.1 is not in the table of torch 2.15, whose cpp_extension refuses it: Unknown CUDA arch "
          "(10.1) or GPU not supported (torch 2.7 to 2.8 know it)");
    CHECK(rules_of("88;101").empty());
    CHECK(rules_of("8.7;11.0;10.7").empty());
}

TEST_CASE("arch_list: archs to come are accepted with a notice") {
    CHECK(archs_of("13.0") == "sm_130");
    const auto findings = list_of("13.0").findings;
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::notice);
    CHECK(findings[0].rule == "arch-list-unknown-arch");
    CHECK(findings[0].message == "no CUDA release up to 13.5 has a target for 13.0 (sm_130)");
    CHECK(rules_of("108-real") == Lines{"arch-list-unknown-arch"});
    CHECK(rules_of("10.7").empty());
}

TEST_CASE("arch_list: duplicates") {
    CHECK(findings_of("8.0;9.0;8.0") ==
          Lines{"arch-list-duplicate: 8.0 is asked for more than once, by items 1, 3 | write 8.0;9.0"});
    CHECK(rules_of("8.6+PTX;Ampere") == Lines{"arch-list-named", "arch-list-duplicate"});
    CHECK(rules_of("80;80") == Lines{"arch-list-duplicate"});
    CHECK(rules_of("9.0;9.0+PTX;9.0a").empty());
    CHECK(rules_of("80-real;80-virtual").empty());
}

TEST_CASE("arch_list: a comma does not separate") {
    CHECK(error_of("5.2,7.5", "--arch-list") ==
          "--arch-list: \"5.2,7.5\" (item 1 of the arch list, column 1) is one item, for a comma does not separate: "
          "torch's "
          "cpp_extension refuses it: Unknown CUDA arch (5.2,7.5) or GPU not supported | did you mean 5.2;7.5?");
    CHECK(fix_of("8.0, 8.6, 9.0+PTX") == " | did you mean 8.0;8.6;9.0+PTX?");
    CHECK(fix_of("8.0,foo") == " | separate the archs by ';'");
    CHECK(fix_of(",") == " | separate the archs by ';'");
    CHECK(error_of("80-real,90") ==
          "\"80-real,90\" (item 1 of the arch list, column 1) is one item, for a comma does not separate: CMake "
          "refuses the "
          "list: it takes integers, each with a or f and with -real or -virtual at most | did you mean 80-real;90?");
}

TEST_CASE("arch_list: words that name no fixed archs") {
    CHECK(error_of("All") ==
          "\"All\" (item 1 of the arch list, column 1) names no fixed archs but every arch of the CUDA release at "
          "hand, so the "
          "same list gives another wheel elsewhere; only CMake has such words, and torch's cpp_extension refuses it: "
          "Unknown "
          "CUDA arch (All) or GPU not supported | write the archs out, such as 7.5;8.0;8.6;9.0+PTX");
    for (const char* text : {"all", "Common", "Auto", "native", "all-major", "8.0;ALL"}) {
        CAPTURE(text);
        CHECK(fix_of(text) == " | write the archs out, such as 7.5;8.0;8.6;9.0+PTX");
    }
}

TEST_CASE("arch_list: an empty list") {
    CHECK(error_of("") ==
          "the arch list is empty: torch's cpp_extension would build for the GPUs of the build machine | name "
          "the archs, such as 7.5;8.0;8.6;9.0+PTX");
    CHECK(error_of(" ;\n") ==
          "the arch list is empty: torch's cpp_extension refuses it: Unknown CUDA arch () or GPU not "
          "supported | name the archs, such as 7.5;8.0;8.6;9.0+PTX");
}

TEST_CASE("arch_list: slips of the pen") {
    CHECK(error_of("8.0;9.0.a", "packages/x.yml:12") ==
          "packages/x.yml:12: \"9.0.a\" (item 2 of the arch list, column 5) is not an arch: torch's cpp_extension "
          "refuses it: "
          "Unknown CUDA arch (9.0.a) or GPU not supported | did you mean 9.0a?");
    CHECK(error_of("sm90") ==
          "\"sm90\" (item 1 of the arch list, column 1) is not an arch: nvcc refuses it: Unsupported gpu "
          "architecture 'sm90' | did you mean sm_90?");
    CHECK(error_of("80;90-Real") ==
          "\"90-Real\" (item 2 of the arch list, column 4) is not an arch: CMake refuses the list: it takes integers, "
          "each "
          "with a or f and with -real or -virtual at most | did you mean 90-real?");
    const std::vector<std::pair<const char*, const char*>> meant = {
        {"9.0PTX", "9.0+PTX"},
        {"9", "9.0"},
        {"8.0+ptx", "8.0+PTX"},
        {"9.0-PTX", "9.0+PTX"},
        {"9.0+PTX+PTX", "9.0+PTX"},
        {"9.0A", "9.0a"},
        {"9.0_a", "9.0a"},
        {"9.0b", "9.0"},
        {"8.0 +PTX", "8.0+PTX"},
        {"\"8.0\"", "8.0"},
        {"90+PTX", "9.0+PTX"},
        {"8.0;sm90", "9.0"},
        {"7.5;8", "8.0"},
        {"80;9", "90"},
        {"80;sm90", "90-real"},
        {"compute90", "compute_90"},
        {"SM_90", "sm_90"},
        {"90-Virtual", "90-virtual"},
        {"sm_90+PTX", "sm_90;compute_90"},
        {"ampere", "Ampere"},
        {"Amper", "Ampere"},
        {"Kepler+Tegra", "Kepler+Tesla"},
    };
    for (const auto& pair : meant) {
        CAPTURE(pair.first);
        CHECK(fix_of(pair.first) == " | did you mean " + std::string(pair.second) + "?");
    }
    for (const char* text : {"foo", "-gencode", "$(ARCH)", "8.0|9.0", "+PTX", "080", "99999999999999999999.0", "[]"}) {
        CAPTURE(text);
        CHECK(fix_of(text) ==
              " | an arch is written 9.0, 9.0a or 9.0+PTX (torch), 90, 90-real or 90-virtual (CMake), sm_90 or "
              "compute_90 (nvcc)");
    }
}

TEST_CASE("arch_list: two notations in one list") {
    CHECK(error_of("8.0;90-real") ==
          "\"90-real\" (item 2 of the arch list, column 5) is in CMake's notation, but item 1, \"8.0\", is in torch's: "
          "no build "
          "reads both in one list | write all of it in one notation: 8.0;9.0");
    CHECK(fix_of("80;9.0") == " | write all of it in one notation: 80;90-real");
    CHECK(fix_of("sm_80;9.0+PTX") == " | write all of it in one notation: sm_80;sm_90;compute_90");
    CHECK(fix_of("8.0;compute_90") == " | write all of it in one notation: 80-real;90-virtual");
}

TEST_CASE("arch_list: archs that cannot be") {
    CHECK(error_of("8.1") ==
          "\"8.1\" (item 1 of the arch list, column 1) is in no CUDA release from 5.0 to 13.5 and not likely "
          "in a later one: nvcc says Unsupported gpu architecture 'compute_81' | did you mean 8.0?");
    CHECK(fix_of("8.4+PTX") == " | did you mean 8.6+PTX?");
    CHECK(fix_of("9.0f") == " | did you mean 9.0a?");
    CHECK(fix_of("8.0a") == " | did you mean 8.0?");
    CHECK(fix_of("86f-real") == " | did you mean 86-real?");
    CHECK(fix_of("12") == " | did you mean 12.0? (120 in CMake's notation)");
    CHECK(fix_of("2.0") == " | check the number");
    CHECK(fix_of("99.0") == " | check the number");
    CHECK(fix_of("20.0") == " | check the number");
}

TEST_CASE("arch_list: hostile text") {
    CHECK(error_of("8.0\x01\x1b[31m") ==
          "\"8.0\\x01\\x1b[31m\" (item 1 of the arch list, column 1) is not an arch: torch's cpp_extension refuses it: "
          "Unknown "
          "CUDA arch (8.0\\x01\\x1b[31m) or GPU not supported | an arch is written 9.0, 9.0a or 9.0+PTX (torch), 90, "
          "90-real or "
          "90-virtual (CMake), sm_90 or compute_90 (nvcc)");
    CHECK(error_of(std::string(5000, '8')) ==
          "the arch list is 5000 bytes long, and 4096 is the most | check where the text comes from");
    CHECK(error_of(std::string(4000, '8')).size() < 400);
    CHECK(error_of(std::string(2000, ',')).size() < 400);
    std::string many;
    while (many.size() + 4 <= 4096) {
        many += "8.0;";
    }
    CHECK(list_of(many).findings.size() == 2);  // one duplicate, one empty item
}

TEST_CASE("arch_list: every text has an answer, safe to print") {
    const std::vector<std::string> words = {
        "8.0", "9.0a",  "+PTX",         "+",    ";",        " ",         "  ", "\t", "\n", "Ampere", "Volta+Tegra",
        "90",  "-real", "-virtual",     "sm_",  "compute_", "a",         "f",  ".",  "0",  "12",     ",",
        "All", "\xff",  "\xe2\x80\xae", "\x1b", "\"",       "::error::", "##["};
    std::mt19937 random(3);  // NOLINT(bugprone-random-generator-seed): the same in every run
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (auto count = random() % 6; count > 0; --count) {
            text += words[random() % words.size()];
        }
        CAPTURE(text);
        const std::string error = error_of(text);
        CHECK(error.find_first_of("\n\t\x1b") == std::string::npos);
        if (error.starts_with("read as ")) {
            const ArchList list = list_of(text);
            CHECK_FALSE(list.archs.empty());
            CHECK(list_of(canonical(list)).archs == list.archs);
            CHECK(canonical(list_of(canonical(list))) == canonical(list));
        }
    }
}

TEST_CASE("arch_list: every text cut short has an answer") {
    const std::string text = "7.5;8.0;Ampere+PTX;9.0a;12.0+PTX";
    for (std::size_t length = 0; length <= text.size(); ++length) {
        CHECK_FALSE(error_of(text.substr(0, length)).empty());
    }
}
