#include "report/sarif.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "base/text.hpp"
#include "lint/rule.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr std::string_view kSchemaUri =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

std::string_view level(Severity severity) {
    switch (severity) {
        case Severity::error: return "error";
        case Severity::warning: return "warning";
        case Severity::notice: return "note";
    }
    return "none";
}

// A path as a URI reference (RFC 3986), relative if the path is: every other byte is percent-encoded.
std::string uri_of(std::string_view path) {
    constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
    const bool absolute = std::filesystem::path(path).is_absolute();
    std::string uri = !absolute ? "" : path.starts_with('/') ? "file://" : "file:///";  // before a drive's letter
    for (const char c : path) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || kPlain.find(c) != std::string_view::npos) {
            uri += c;
        } else {
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return uri;
}

// What code scanning shows beside an alert.
json::object help(const Rule& rule) {
    std::string ways(rule.way_out);
    if (ways.empty()) {
        ways = fmt::format(
            "declare in the policy what the sources need, or let it pass in the package's YAML with a reason: "
            "`lint_ignore: [{{rule: {}, path: \"…\", reason: \"…\"}}]`",
            rule.id);
    }
    ways.front() = static_cast<char>(ways.front() - 'a' + 'A');
    const std::string text = fmt::format("{}.\n\n{}.\n\nMore: docs/lint-rules.md#{}, or `wheelarch lint --explain {}`.",
                                         rule.reason, ways, rule.id, rule.id);
    return {{"text", text}, {"markdown", text}};
}

json::object rule_json(const Rule& rule) {
    return {{"id", rule.id},
            {"shortDescription", {{"text", rule.reason}}},
            {"help", help(rule)},
            {"defaultConfiguration", {{"level", level(rule.severity)}}}};
}

json::array rules_json() {
    json::array array;
    for (const Rule* rule : rules()) {
        array.push_back(rule_json(*rule));
    }
    return array;
}

// In the order of rules_json().
std::size_t rule_index(std::string_view id) {
    const auto found = std::find_if(rules().begin(), rules().end(), [&](const Rule* rule) { return rule->id == id; });
    return static_cast<std::size_t>(found - rules().begin());
}

json::object result_json(const PackageLint& package, const LintFinding& finding) {
    const std::string file = file_of(package, finding);
    json::object artifact = {{"uri", uri_of(file.empty() ? finding.path : file)}};
    if (file.empty()) {
        artifact["uriBaseId"] = valid_utf8(package.package);
    }
    json::object physical = {{"artifactLocation", std::move(artifact)}};
    // Columns are left out: SARIF counts them in characters, we in bytes.
    if (finding.line > 0) {
        physical["region"] = json::object{{"startLine", finding.line}};
    }
    return {{"ruleId", finding.rule},
            {"ruleIndex", rule_index(finding.rule)},
            {"level", level(finding.severity)},
            {"message",
             {{"text", valid_utf8(fmt::format("{}: {}\nfix: {}", finding.package, as_finding(finding).message,
                                              as_finding(finding).fix))}}},
            {"locations", json::array{json::object{{"physicalLocation", std::move(physical)}}}},
            {"properties", {{"package", valid_utf8(finding.package)}}}};
}

// The roots of what was fetched, which are nobody's folders.
json::object base_ids(const std::vector<PackageLint>& results) {
    json::object bases;
    for (const PackageLint& package : results) {
        if (package.folder.empty()) {
            bases[valid_utf8(package.package)] =
                json::object{{"description", {{"text", valid_utf8(fmt::format("the sources {}", package.sources))}}}};
        }
    }
    return bases;
}

}  // namespace

json::object lint_sarif(const std::vector<PackageLint>& results, const std::string& version) {
    json::array found;
    for (const PackageLint& package : results) {
        for (const LintFinding& finding : package.findings) {
            if (finding.ignored.empty()) {
                found.push_back(result_json(package, finding));
            }
        }
    }
    json::object driver = {{"name", "wheelarch"}, {"version", version}, {"rules", rules_json()}};
    json::object run = {{"tool", json::object{{"driver", std::move(driver)}}}, {"results", std::move(found)}};
    if (json::object bases = base_ids(results); !bases.empty()) {
        run["originalUriBaseIds"] = std::move(bases);
    }
    return {{"$schema", kSchemaUri}, {"version", "2.1.0"}, {"runs", json::array{std::move(run)}}};
}

}  // namespace wheelarch
