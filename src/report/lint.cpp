#include "report/lint.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "base/text.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostSkipped = 8;
constexpr std::size_t kMostPlaces = 20;  // of one problem

json::array texts(const std::vector<std::string>& items) {
    json::array array;
    std::transform(items.begin(), items.end(), std::back_inserter(array),
                   [](const std::string& item) { return json::value(valid_utf8(item)); });
    return array;
}

json::object finding_json(const LintFinding& finding) {
    return {{"rule", finding.rule},
            {"severity", name(finding.severity)},
            {"package", valid_utf8(finding.package)},
            {"path", valid_utf8(finding.path)},
            {"line", finding.line == 0 ? json::value() : json::value(finding.line)},
            {"column", finding.column == 0 ? json::value() : json::value(finding.column)},
            {"message", valid_utf8(message_of(finding))},
            {"fix", valid_utf8(as_finding(finding).fix)},
            {"needs", texts(finding.needs)},
            {"rows", texts(finding.rows)},
            {"source", valid_utf8(finding.what)},
            {"ignored", finding.ignored.empty() ? json::value() : json::value(valid_utf8(finding.ignored))}};
}

json::object package_json(const PackageLint& result) {
    json::array declared;
    for (const DeclaredList& list : result.declared) {
        declared.push_back({{"arch_list", valid_utf8(list.text)},
                            {"rows", valid_utf8(list.rows)},
                            {"source", valid_utf8(list.source)}});
    }
    json::array skipped;
    for (const SkippedPath& path : result.skipped) {
        skipped.push_back({{"path", valid_utf8(path.path)}, {"reason", path.reason}});
    }
    json::array findings;
    std::transform(result.findings.begin(), result.findings.end(), std::back_inserter(findings), finding_json);
    return {{"package", valid_utf8(result.package)},
            {"sources", valid_utf8(result.sources)},
            {"files", result.files},
            {"device_files", result.device_files},
            {"bytes", result.bytes},
            {"declared", std::move(declared)},
            {"skipped", std::move(skipped)},
            {"findings", std::move(findings)}};
}

std::size_t count(const std::vector<LintFinding>& findings, Severity severity) {
    return static_cast<std::size_t>(std::count_if(
        findings.begin(), findings.end(), [&](const LintFinding& finding) { return finding.severity == severity; }));
}

// `csrc/x.cu:12:5`.
std::string file_place(const LintFinding& finding) {
    std::string place = printable(finding.path);
    for (const unsigned number : {finding.line, finding.column}) {
        place += number == 0 ? "" : fmt::format(":{}", number);
    }
    return place;
}

// A pattern that has all the places: the one file, or the folder that they share; empty if they share none.
std::string pattern_of(const std::vector<const LintFinding*>& places) {
    std::string_view common = places.front()->path;
    const auto differs = [&](const LintFinding* place) { return place->path != common; };
    if (std::none_of(places.begin(), places.end(), differs)) {
        return std::string(common);
    }
    for (const LintFinding* place : places) {
        const auto end = std::mismatch(common.begin(), common.end(), place->path.begin(), place->path.end()).first;
        common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
    }
    const std::size_t slash = common.rfind('/');
    return slash == std::string_view::npos ? "" : fmt::format("{}/**", common.substr(0, slash));
}

void add_problem(std::string& out, const LintProblem& problem) {
    const LintFinding& first = *problem.places.front();
    out += fmt::format("{}[{}] {}: {}\n", name(first.severity), first.rule, printable(first.package),
                       printable(first.problem));
    for (std::size_t i = 0; i < std::min(problem.places.size(), kMostPlaces); ++i) {
        const LintFinding& place = *problem.places[i];
        out +=
            fmt::format("    {}{}{}\n", file_place(place), place.subject.empty() ? "" : "  ", printable(place.subject));
    }
    if (problem.places.size() > kMostPlaces) {
        out += fmt::format("    and {}\n", count_of(problem.places.size() - kMostPlaces, "more place"));
    }
    if (!first.fix.empty()) {
        out += fmt::format("    fix: {}\n", printable(first.fix));
    }
    if (first.ignorable) {
        out += fmt::format("    {}: {} in the package's YAML lets it pass\n", first.fix.empty() ? "fix" : "or",
                           ignore_entry(first.rule, first.in_policy ? "" : pattern_of(problem.places)));
    }
}

void add_package(std::string& out, const PackageLint& result) {
    out += fmt::format("{}  {} from {}\n", printable(result.package), count_of(result.files, "file"),
                       printable(result.sources));
    std::vector<std::string> skipped;
    for (const SkippedPath& path : result.skipped) {
        skipped.push_back(printable(path.path));
    }
    if (!skipped.empty()) {
        out += fmt::format("  left out: {}\n", enumerate(skipped, kMostSkipped));
    }
    if (result.device_files == 0) {
        out += "  none is C, C++ or CUDA: no device code was looked at. Are the submodules checked out?\n";
    }
    for (const LintFinding& finding : result.findings) {
        if (!finding.ignored.empty()) {
            out +=
                fmt::format("  let pass: {} {}: {}\n", finding.rule, file_place(finding), printable(finding.ignored));
        }
    }
    for (const LintProblem& problem : problems(result)) {
        add_problem(out, problem);
    }
}

}  // namespace

std::vector<LintProblem> problems(const PackageLint& result) {
    std::vector<LintProblem> all;
    std::map<std::tuple<std::string_view, Severity, std::string_view, std::string_view>, std::size_t> known;
    for (const LintFinding& finding : result.findings) {
        if (finding.ignored.empty()) {
            const auto [place, is_new] =
                known.try_emplace({finding.rule, finding.severity, finding.problem, finding.fix}, all.size());
            (is_new ? all.emplace_back() : all[place->second]).places.push_back(&finding);
        }
    }
    std::sort(all.begin(), all.end(), [](const LintProblem& left, const LintProblem& right) {
        const LintFinding* one = left.places.front();
        const LintFinding* other = right.places.front();
        return one->severity == other->severity ? one < other : one->severity > other->severity;
    });
    return all;
}

std::vector<LintFinding> counted(const std::vector<PackageLint>& results) {
    std::vector<LintFinding> all;
    for (const PackageLint& result : results) {
        std::copy_if(result.findings.begin(), result.findings.end(), std::back_inserter(all),
                     [](const LintFinding& finding) { return finding.ignored.empty(); });
    }
    return all;
}

std::vector<Located> lint_findings(const std::vector<PackageLint>& results) {
    std::vector<Located> all;
    for (const PackageLint& package : results) {
        std::map<const LintFinding*, const LintFinding*> first_places;
        for (const LintProblem& problem : problems(package)) {
            for (const LintFinding* place : problem.places) {
                first_places[place] = problem.places.front();
            }
        }
        std::map<const LintFinding*, std::size_t> positions;  // of the first places
        for (const LintFinding& finding : package.findings) {
            if (const auto first = first_places.find(&finding); first != first_places.end()) {
                const auto [position, is_first] = positions.try_emplace(first->second, all.size());
                all.push_back({as_finding(finding), file_of(package, finding), finding.line, finding.package,
                               finding.path, is_first ? std::nullopt : std::optional(position->second)});
            }
        }
    }
    return all;
}

std::vector<RuleText> lint_rules() {
    std::vector<RuleText> texts;
    for (const Rule* rule : rules()) {
        std::string ways(rule->way_out);
        if (ways.empty()) {
            ways = fmt::format(
                "declare in the policy what the sources need, or let it pass in the package's YAML with a reason: "
                "`lint_ignore: [{{rule: {}, path: \"…\", reason: \"…\"}}]`",
                rule->id);
        }
        ways.front() = static_cast<char>(ways.front() - 'a' + 'A');
        texts.push_back({std::string(rule->id), std::string(rule->reason),
                         fmt::format("{}.\n\n{}.\n\nMore: docs/lint-rules.md#{}, or `wheelarch lint --explain {}`.",
                                     rule->reason, ways, rule->id, rule->id),
                         rule->severity});
    }
    return texts;
}

std::vector<std::pair<std::string, std::string>> lint_roots(const std::vector<PackageLint>& results) {
    std::vector<std::pair<std::string, std::string>> roots;
    for (const PackageLint& package : results) {
        if (package.folder.empty()) {
            roots.emplace_back(package.package, fmt::format("the sources {}", package.sources));
        }
    }
    return roots;
}

std::string lint_summary(const std::vector<PackageLint>& results) {
    std::vector<Finding> found;  // one for each problem
    for (const PackageLint& package : results) {
        for (const LintProblem& problem : problems(package)) {
            found.push_back(as_finding(*problem.places.front()));
            if (problem.places.size() > 1) {
                found.back().place += fmt::format(" and {}", count_of(problem.places.size() - 1, "more place"));
            }
        }
    }
    return found.empty() ? "" : findings_summary("lint", found);
}

std::string lint_text(const std::vector<PackageLint>& results) {
    std::string out;
    std::size_t ignored = 0;
    for (const PackageLint& result : results) {
        add_package(out, result);
        ignored += static_cast<std::size_t>(
            std::count_if(result.findings.begin(), result.findings.end(),
                          [](const LintFinding& finding) { return !finding.ignored.empty(); }));
    }
    const std::vector<LintFinding> all = counted(results);
    out +=
        fmt::format("{}: {}, {}, {}; {} let pass\n", count_of(results.size(), "package"),
                    count_of(count(all, Severity::error), "error"), count_of(count(all, Severity::warning), "warning"),
                    count_of(count(all, Severity::notice), "notice"), ignored);
    return out;
}

json::object lint_json(const std::vector<PackageLint>& results) {
    json::array packages;
    std::transform(results.begin(), results.end(), std::back_inserter(packages), package_json);
    const std::vector<LintFinding> all = counted(results);
    return {{"schema", kSchema},
            {"packages", std::move(packages)},
            {"errors", count(all, Severity::error)},
            {"warnings", count(all, Severity::warning)},
            {"notices", count(all, Severity::notice)}};
}

std::string rule_text(const Rule* rule) {
    std::string out;
    if (rule == nullptr) {
        for (const Rule* one : rules()) {
            out += fmt::format("{:<20} {}\n", one->id, one->reason);
        }
        return out;
    }
    out += fmt::format("{} ({})\n  {}\n  more: docs/lint-rules.md#{}\n", rule->id, name(rule->severity), rule->reason,
                       rule->id);
    if (!rule->way_out.empty()) {
        out += fmt::format("  way out: {}\n", rule->way_out);
        return out;
    }
    out += fmt::format(
        "  both ways out: declare in the policy what the source needs, or let it pass in the package's YAML:\n"
        "    lint_ignore:\n      - rule: {}\n        path: \"csrc/*\"    # a pattern; leave it out for every file\n"
        "        reason: why it is right here\n",
        rule->id);
    return out;
}

}  // namespace wheelarch
