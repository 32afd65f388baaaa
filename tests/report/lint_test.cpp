#include <sstream>
#include <string>

#include <doctest/doctest.h>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "lint/lint.hpp"
#include "report/lint.hpp"
#include "report/sarif.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

std::vector<PackageLint> results() {
    LintFinding gate;
    gate.rule = "arch-gate";
    gate.package = "example";
    gate.path = "csrc/a b%.cu";
    gate.line = 3;
    gate.column = 5;
    gate.subject = "code behind it";
    gate.problem = "8.9 is missing";
    gate.fix = "declare 8.9";
    gate.needs = {"8.9"};
    gate.rows = {"CUDA 12.8"};
    gate.what = "#if X";
    LintFinding passed = gate;
    passed.line = 9;
    passed.ignored = "chosen at run time";
    LintFinding further = gate;
    further.path = "csrc/sub/c.cu";
    further.column = 0;
    LintFinding stale;
    stale.rule = "stale-ignore";
    stale.severity = Severity::warning;
    stale.package = "example";
    stale.path = "packages/example.yml";
    stale.in_policy = true;
    stale.ignorable = false;
    stale.line = 4;
    stale.problem = "lets nothing pass";
    PackageLint lint;
    lint.package = "example";
    lint.sources = "src/example";
    lint.folder = "src/example";
    lint.files = 2;
    lint.device_files = 1;
    lint.bytes = 10;
    lint.skipped = {{"tests/", "vendored, or no part of the wheel"}, {"::x", "a link"}};
    lint.findings = {gate, passed, further, stale};
    return {lint};
}

}  // namespace

TEST_CASE("lint report: text") {
    CHECK(lint_text(results()) ==
          "example  2 files from src/example\n"
          "  left out: tests/, : :x\n"
          "  let pass: arch-gate csrc/a b%.cu:9:5: chosen at run time\n"
          "error[arch-gate] example: 8.9 is missing\n"
          "    csrc/a b%.cu:3:5  code behind it\n"
          "    csrc/sub/c.cu:3  code behind it\n"
          "    fix: declare 8.9\n"
          "    or: lint_ignore: [{rule: arch-gate, path: \"csrc/**\", reason: \"…\"}] in the package's YAML lets it "
          "pass\n"
          "warning[stale-ignore] example: lets nothing pass\n"
          "    packages/example.yml:4\n"
          "1 package: 2 errors, 1 warning, 0 notices; 1 let pass\n");
}

TEST_CASE("lint report: JSON") {
    const json::object object = lint_json(results());
    CHECK(object.at("errors") == 2);
    const json::object& finding = object.at("packages").at(0).at("findings").at(0).as_object();
    CHECK(json::serialize(finding) ==
          "{\"rule\":\"arch-gate\",\"severity\":\"error\",\"package\":\"example\",\"path\":\"csrc/a "
          "b%.cu\",\"line\":3,\"column\":5,\"message\":\"code behind it: 8.9 is missing\",\"fix\":\"declare 8.9; or "
          "let it "
          "pass in the package's YAML by lint_ignore: [{rule: arch-gate, path: \\\"csrc/a b%.cu\\\", reason: "
          "\\\"…\\\"}]\",\"needs\":[\"8.9\"],\"rows\":[\"CUDA 12.8\"],\"source\":\"#if X\",\"ignored\":null}");
}

TEST_CASE("lint report: SARIF") {
    Outcome outcome;
    outcome.findings = lint_findings(results());
    outcome.rules = lint_rules();
    outcome.roots = lint_roots(results());
    std::ostringstream written;
    sarif_format().write(outcome, written);
    const json::value object = json::parse(written.str());
    CHECK(object.at("version") == "2.1.0");
    const json::value& run = object.at("runs").at(0);
    CHECK(run.at("tool").at("driver").at("name") == "wheelarch");
    CHECK(run.at("tool").at("driver").at("rules").as_array().size() == rules().size());
    CHECK(run.at("results").as_array().size() == 3);
    CHECK(json::serialize(run.at("results").at(0)) ==
          "{\"ruleId\":\"arch-gate\",\"ruleIndex\":0,\"level\":\"error\",\"message\":{\"text\":\"example: code behind "
          "it: 8.9 is missing\\nfix: declare 8.9; or let it pass in the package's YAML by lint_ignore: [{rule: "
          "arch-gate, path: \\\"csrc/a b%.cu\\\", reason: \\\"…\\\"}]\"},\"locations\":[{\"physicalLocation\":{"
          "\"artifactLocation\":{\"uri\":\"src/example/csrc/"
          "a%20b%25.cu\"},\"region\":{\"startLine\":3}}}],\"properties\":{\"package\":\"example\"}}");
    CHECK(run.at("results").at(2).at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri") ==
          "packages/example.yml");
    CHECK(run.at("results").at(2).at("level") == "warning");
}

TEST_CASE("lint report: a rule is explained, or all are listed") {
    const std::string one = rule_text(find_rule("arch-list-override"));
    CHECK(one ==
          "arch-list-override (error)\n"
          "  a build file sets the arch list itself, whatever the farm asks for\n"
          "  more: docs/lint-rules.md#arch-list-override\n"
          "  both ways out: declare in the policy what the source needs, or let it pass in the package's YAML:\n"
          "    lint_ignore:\n"
          "      - rule: arch-list-override\n"
          "        path: \"csrc/*\"    # a pattern; leave it out for every file\n"
          "        reason: why it is right here\n");
    const std::string stale = rule_text(find_rule("stale-ignore"));
    CHECK(stale ==
          "stale-ignore (warning)\n"
          "  an entry of lint_ignore lets nothing pass\n"
          "  more: docs/lint-rules.md#stale-ignore\n"
          "  way out: take the entry out, or correct its path\n");
    const std::string all = rule_text(nullptr);
    for (const Rule* rule : rules()) {
        CHECK(all.find(std::string(rule->id) + " ") != std::string::npos);
    }
}

}  // namespace wheelarch
