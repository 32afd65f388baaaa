#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/lint_run.hpp"
#include "policy/farm.hpp"
#include "policy/grid.hpp"
#include "report/json.hpp"
#include "report/lint.hpp"
#include "report/sarif.hpp"

namespace wheelarch {
namespace {

struct LintOptions {
    Outputs outputs;
    std::string farm = ".";
    std::vector<std::string> packages;  // empty: all whose sources are there
    SourceOptions sources;
    std::string explain;  // a rule, `all`, or empty
};

void declare(Arguments& arguments, LintOptions& options) {
    arguments.any("PACKAGE", options.packages, "packages; default: all whose sources are there");
    arguments.text("--farm", options.farm, "DIR", "the folder of the farm's policy");
    add_sources(arguments, options.sources);
    arguments.output(options.outputs, json_format(), "write the result as JSON; - is standard output");
    arguments.output(options.outputs, sarif_format(), "write the findings as SARIF 2.1.0, for code scanning");
    arguments.text("--explain", options.explain, "RULE", "what a rule is for; all lists them");
}

void from_action(ActionLine& line) {
    line.sources();
}

std::string explain(const std::string& name) {
    const Rule* rule = name == "all" ? nullptr : find_rule(name);
    if (rule == nullptr && name != "all") {
        std::vector<std::string> known;
        for (const Rule* one : rules()) {
            known.emplace_back(one->id);
        }
        const std::string nearest = nearest_name(name, known);
        throw bad_usage(fmt::format("there is no rule '{}'", printable(name)),
                        nearest.empty() ? "--explain all lists them" : fmt::format("did you mean {}?", nearest));
    }
    return rule_text(rule);
}

std::vector<const Package*> asked_packages(const Farm& farm, const LintOptions& options) {
    std::vector<const Package*> asked;
    if (options.packages.empty()) {
        std::transform(farm.packages.begin(), farm.packages.end(), std::back_inserter(asked),
                       [](const Package& package) { return &package; });
    }
    for (const std::string& name : options.packages) {
        asked.push_back(&find_package(farm, name));
    }
    return asked;
}

// Exit 1 if a finding that no lint_ignore lets pass is an error.
Outcome lint(const LintOptions& options, Listener& listener) {
    Outcome outcome;
    if (!options.explain.empty()) {
        outcome.text = explain(options.explain);
        return outcome;
    }
    const Farm farm = read_farm(options.farm);
    const LintScope scope = options.packages.empty() ? LintScope::farm : LintScope::named;
    const std::vector<PackageLint> results =
        lint_packages(farm, make_grid(farm), asked_packages(farm, options), options.sources, scope, listener);
    if (results.empty()) {
        throw unchecked("none of the packages has device code that an arch list is for: nothing to look at",
                        "they say device_code: none or jit");
    }
    outcome.text = lint_text(results);
    outcome.result = lint_json(results);
    outcome.findings = lint_findings(results);
    outcome.rules = lint_rules();
    outcome.roots = lint_roots(results);
    outcome.summary.head = lint_summary(results);
    const bool failed = lint_fails(outcome.findings);
    outcome.outputs["verdict"] = failed ? "hit" : "ok";
    outcome.code = failed ? ExitCode::findings : ExitCode::ok;
    return outcome;
}

}  // namespace

Command lint_command() {
    return {.name = "lint",
            .help = "Sources of packages against the archs that the policy declares for them",
            .example = "wheelarch lint sageattention --sources checkouts",
            .bind = bind(declare, lint),
            .from_action = from_action};
}

}  // namespace wheelarch
