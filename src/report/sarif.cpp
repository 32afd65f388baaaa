#include "report/sarif.hpp"

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

// A path as a relative URI reference (RFC 3986): every other byte is percent-encoded.
std::string uri_of(std::string_view path) {
    constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
    std::string uri;
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

json::object rule_json(std::string_view id, std::string_view reason, std::string_view page, Severity severity) {
    return {{"id", id},
            {"shortDescription", {{"text", reason}}},
            {"help", {{"text", fmt::format("docs/lint-rules.md#{}", page)}}},
            {"defaultConfiguration", {{"level", level(severity)}}}};
}

json::array rules_json() {
    json::array array;
    for (const Rule* rule : rules()) {
        array.push_back(rule_json(rule->id, rule->reason, rule->page, rule->severity));
    }
    array.push_back(
        rule_json("stale-ignore", "an entry of lint_ignore lets nothing pass", "stale-ignore", Severity::warning));
    return array;
}

json::object result_json(const PackageLint& package, const LintFinding& finding) {
    const std::string file = file_of(package, finding);
    json::object physical = {{"artifactLocation", {{"uri", uri_of(file.empty() ? finding.path : file)}}}};
    // Columns are left out: SARIF counts them in characters, we in bytes.
    if (finding.line > 0) {
        physical["region"] = json::object{{"startLine", finding.line}};
    }
    json::object result = {
        {"ruleId", finding.rule},
        {"level", level(finding.severity)},
        {"message",
         {{"text", valid_utf8(fmt::format("{}: {}\nfix: {}", finding.package, finding.message, finding.fix))}}},
        {"locations", json::array{json::object{{"physicalLocation", std::move(physical)}}}},
        {"properties", {{"package", valid_utf8(finding.package)}}}};
    if (!finding.ignored.empty()) {
        result["suppressions"] =
            json::array{json::object{{"kind", "external"}, {"justification", valid_utf8(finding.ignored)}}};
    }
    return result;
}

}  // namespace

json::object lint_sarif(const std::vector<PackageLint>& results, const std::string& version) {
    json::array found;
    for (const PackageLint& package : results) {
        for (const LintFinding& finding : package.findings) {
            found.push_back(result_json(package, finding));
        }
    }
    json::object driver = {{"name", "wheelarch"}, {"version", version}, {"rules", rules_json()}};
    json::object run = {{"tool", json::object{{"driver", std::move(driver)}}}, {"results", std::move(found)}};
    return {{"$schema", kSchemaUri}, {"version", "2.1.0"}, {"runs", json::array{std::move(run)}}};
}

}  // namespace wheelarch
