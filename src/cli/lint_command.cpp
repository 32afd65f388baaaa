#include "cli/lint_command.hpp"

#include <algorithm>
#include <iterator>
#include <ostream>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/lint_run.hpp"
#include "cli/version.hpp"
#include "policy/farm.hpp"
#include "policy/grid.hpp"
#include "report/json.hpp"
#include "report/lint.hpp"
#include "report/sarif.hpp"

namespace wheelarch {
namespace {

ExitCode explain(const std::string& name, std::ostream& out) {
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
    print_rule(out, rule);
    return ExitCode::ok;
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

}  // namespace

ExitCode lint(const LintOptions& options, Streams streams, Totals& totals) {
    if (!options.explain.empty()) {
        return explain(options.explain, streams.out);
    }
    const Farm farm = read_farm(options.farm);
    const LintScope scope = options.packages.empty() ? LintScope::farm : LintScope::named;
    const std::vector<PackageLint> results =
        lint_packages(farm, make_grid(farm), asked_packages(farm, options), options.sources, scope, streams);
    if (results.empty()) {
        throw unchecked("none of the packages has device code that an arch list is for: nothing to look at",
                        "they say device_code: none or jit");
    }
    if (options.json != "-") {
        print_lint(streams.out, results);
    }
    if (!options.json.empty()) {
        write_json(options.json, lint_json(results));
    }
    if (!options.sarif.empty()) {
        write_json(options.sarif, lint_sarif(results, version()));
    }
    const bool failed = report_lint(results, streams);
    totals.verdict = failed ? "hit" : "ok";
    return failed ? ExitCode::findings : ExitCode::ok;
}

}  // namespace wheelarch
