#include "lint/judge.hpp"

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "lint/ignores.hpp"
#include "policy/yaml.hpp"

namespace wheelarch {
namespace {

using Kind = ArchNeed::Kind;

DeclaredList declared(const std::string& text, const std::string& cuda = "12.8") {
    return {text, parse_arch_list(text, ""), "arch_list in packages/x.yml:4", {cuda}, "CUDA " + cuda};
}

Package package_of(const std::string& yaml) {
    return read_package(*parse_yaml("name: example\n" + yaml, std::make_shared<const std::string>("packages/x.yml")),
                        "example", Layout::flat);
}

LintHit hit_for(std::uint32_t number, Kind kind, bool fallback = false) {
    LintHit hit;
    hit.rule = find_rule("arch-gate");
    hit.path = "csrc/x.cu";
    hit.line = 3;
    hit.column = 1;
    hit.what = "#if GATE";
    hit.needs = {{{number, '\0'}, kind}};
    hit.fallback = fallback;
    return hit;
}

// The severity, or `none`.
std::string judged(std::uint32_t number, Kind kind, const std::string& list, bool fallback = false) {
    const auto findings = judge(package_of(""), {hit_for(number, kind, fallback)}, {declared(list)});
    return findings.empty() ? "none" : std::string(name(findings.front().severity));
}

}  // namespace

TEST_CASE("judge: code for 8.9 and up") {
    CHECK(judged(89, Kind::at_least, "8.0 8.6 9.0+PTX") == "error");
    CHECK(judged(89, Kind::at_least, "8.0 8.6 8.9 9.0+PTX") == "none");
    CHECK(judged(89, Kind::at_least, "8.0 9.0 12.0+PTX") == "error");
    CHECK(judged(89, Kind::at_least, "7.5+PTX;9.0") == "warning");
    CHECK(judged(89, Kind::at_least, "7.5;9.0") == "none");
    CHECK(judged(89, Kind::at_least, "8.0 8.6 9.0+PTX", true) == "warning");
    CHECK(judged(89, Kind::at_least, "7.5+PTX;9.0", true) == "notice");
    CHECK(judged(60, Kind::at_least, "5.2+PTX;6.1;7.0;7.5") == "warning");
    CHECK(judged(60, Kind::at_least, "5.2;6.1;7.0;7.5") == "warning");
    CHECK(judged(60, Kind::at_least, "5.2;6.1;7.0;7.5", true) == "none");
    CHECK(judged(60, Kind::at_least, "6.1;7.0;7.5") == "none");
    CHECK(judged(90, Kind::at_least, "8.0;9.0a") == "none");
    CHECK(judged(103, Kind::at_least, "10.0f") == "error");
}

TEST_CASE("judge: code for an arch with its suffix") {
    CHECK(judged(90, Kind::exact_suffix, "8.0;9.0") == "error");
    CHECK(judged(90, Kind::exact_suffix, "8.0;9.0a") == "none");
    CHECK(judged(90, Kind::exact_suffix, "8.0;9.0;9.0a") == "none");
    CHECK(judged(90, Kind::exact_suffix, "8.0+PTX") == "warning");
    CHECK(judged(90, Kind::exact_suffix, "8.0;8.6") == "none");
    CHECK(judged(120, Kind::family, "12.0") == "error");
    CHECK(judged(120, Kind::family, "12.0a") == "none");
    CHECK(judged(120, Kind::family, "12.0f") == "none");
    CHECK(judged(103, Kind::family, "10.0f") == "none");
    CHECK(judged(103, Kind::exact_suffix, "10.0f") == "error");
}

TEST_CASE("judge: code that does not compile below") {
    CHECK(judged(75, Kind::floor, "7.0;7.5;8.0") == "error");
    CHECK(judged(75, Kind::floor, "7.5;8.0") == "none");
}

TEST_CASE("judge: code that some archs of the list do not have") {
    LintHit hit = hit_for(90, Kind::not_in);
    hit.rule = find_rule("instruction");
    hit.needs.front().at.suffix = 'a';
    hit.needs.front().enough = passes_where([](Arch arch) { return arch.number >= 100; });
    CHECK(judge(package_of(""), {hit}, {declared("8.0;9.0a")}).empty());
    const auto findings = judge(package_of(""), {hit}, {declared("9.0a;10.0a;12.0")});
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::error);
    CHECK(message_of(findings[0]) ==
          "without a guard: \"#if GATE\": it needs 9.0a, and for CUDA 12.8 (9.0a;10.0a;12.0) the list has 10.0a, for "
          "which it does not compile");
    CHECK(findings[0].fix ==
          "put a condition on the arch around it, by a patch, or declare 9.0a alone in arch_list in packages/x.yml:4");
}

TEST_CASE("judge: a package may be right for one CUDA line and wrong for another") {
    const auto findings = judge(package_of(""), {hit_for(89, Kind::at_least)},
                                {declared("8.0 8.9 9.0+PTX", "12.8"), declared("8.0 8.6 9.0+PTX", "12.4")});
    REQUIRE(findings.size() == 1);
    CHECK(place_of(findings[0]) == "example → csrc/x.cu:3:1");
    CHECK(message_of(findings[0]) ==
          "code behind \"#if GATE\": 8.9 is not declared for CUDA 12.4 (8.0 8.6 9.0+PTX): a device of 8.9 loads sm_86, "
          "where it is a stub");
    CHECK(findings[0].fix == "declare 8.9 in arch_list in packages/x.yml:4");
    CHECK(as_finding(findings[0]).fix ==
          "declare 8.9 in arch_list in packages/x.yml:4; or let it pass in the package's YAML by lint_ignore: [{rule: "
          "arch-gate, path: \"csrc/x.cu\", reason: \"…\"}]");
    CHECK(findings[0].rows == std::vector<std::string>{"CUDA 12.4"});
}

TEST_CASE("judge: a list that a build file sets") {
    LintHit hit = hit_for(0, Kind::at_least);
    hit.rule = find_rule("arch-list-override");
    hit.needs.clear();
    hit.list = "7.5;8.0";
    const auto findings = judge(package_of("patch_script: mend.py\n"), {hit}, {declared("8.0;9.0+PTX")});
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::error);
    CHECK(message_of(findings[0]) ==
          "\"#if GATE\": sets the arch list, whatever is asked for; the build has 7.5;8.0 (sm_75 sm_80), which is not "
          "what is declared: CUDA 12.8 (8.0;9.0+PTX)");
    CHECK(
        findings[0].fix ==
        "take it out of the sources by a patch (if mend.py mends it, say so there), or declare with expect_archs what "
        "the binary holds");
    const auto same = judge(package_of(""), {hit}, {declared("8.0 7.5")});
    REQUIRE(same.size() == 1);
    CHECK(same[0].severity == Severity::notice);
    CHECK(same[0].fix.empty());
}

TEST_CASE("judge: a number made of an item matters for a suffix") {
    LintHit hit = hit_for(0, Kind::at_least);
    hit.rule = find_rule("arch-list-number");
    hit.needs.clear();
    hit.severity = Severity::warning;
    CHECK(judge(package_of(""), {hit}, {declared("8.0;9.0a")})[0].severity == Severity::warning);
    CHECK(judge(package_of(""), {hit}, {declared("8.0;9.0")})[0].severity == Severity::notice);
}

TEST_CASE("judge: -compress-mode before CUDA 12.8") {
    const Package package = package_of("nvcc_flags: -compress-mode=size\n");
    const auto findings = judge_policy(package, {declared("8.0", "12.6"), declared("9.0", "12.8")});
    REQUIRE(findings.size() == 1);
    CHECK(message_of(findings[0]) ==
          "nvcc_flags has -compress-mode, which nvcc knows from CUDA 12.8 on; there are rows of CUDA 12.6");
    CHECK(judge_policy(package, {declared("9.0", "12.8")}).empty());
    CHECK(judge_policy(package_of(""), {declared("8.0", "12.6")}).empty());
}

TEST_CASE("ignores: a finding that is let pass, and an entry that lets nothing pass") {
    const Package package = package_of(
        "lint_ignore:\n"
        "  - {rule: arch-gate, path: \"csrc/*.cu\", reason: chosen at run time}\n"
        "  - {rule: fp8-type, reason: none any more}\n");
    auto findings = judge(package, {hit_for(89, Kind::at_least)}, {declared("8.0")});
    apply_ignores(package, findings);
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].ignored == "chosen at run time");
    CHECK(findings[1].rule == "stale-ignore");
    CHECK(findings[1].severity == Severity::warning);
    CHECK(place_of(findings[1]) == "example → packages/x.yml:4:5");
    CHECK(message_of(findings[1]) == "lint_ignore of fp8-type lets nothing pass any more");
}

TEST_CASE("ignores: another path is a near miss") {
    const Package package = package_of("lint_ignore: [{rule: arch-gate, path: \"other/*\", reason: x}]\n");
    auto findings = judge(package, {hit_for(89, Kind::at_least)}, {declared("8.0")});
    apply_ignores(package, findings);
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].ignored.empty());
    CHECK(message_of(findings[1]) == "lint_ignore of arch-gate in other/* lets nothing pass any more");
}

TEST_CASE("ignores: a rule that does not exist") {
    const Package package = package_of("lint_ignore: [{rule: arch-gates, reason: x}]\n");
    std::vector<LintFinding> findings;
    try {
        apply_ignores(package, findings);
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        CHECK(std::string(error.what()) ==
              "packages/x.yml:2:15: lint_ignore names \"arch-gates\", which is no lint rule");
        CHECK(error.fix() == "did you mean arch-gate?");
    }
}

}  // namespace wheelarch
