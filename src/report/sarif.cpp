#include "report/sarif.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "base/program_version.hpp"
#include "base/text.hpp"

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

json::array rules_json(const Outcome& outcome) {
    json::array array;
    for (const RuleText& rule : outcome.rules) {
        array.push_back({{"id", rule.id},
                         {"shortDescription", {{"text", rule.reason}}},
                         {"help", {{"text", rule.help}, {"markdown", rule.help}}},
                         {"defaultConfiguration", {{"level", level(rule.severity)}}}});
    }
    return array;
}

// In the order of rules_json().
std::size_t rule_index(const Outcome& outcome, std::string_view id) {
    const auto found =
        std::find_if(outcome.rules.begin(), outcome.rules.end(), [&](const RuleText& rule) { return rule.id == id; });
    return static_cast<std::size_t>(found - outcome.rules.begin());
}

json::object result_json(const Outcome& outcome, const Located& located) {
    const Finding& finding = located.finding;
    json::object artifact = {{"uri", uri_of(located.file.empty() ? located.path : located.file)}};
    if (located.file.empty()) {
        artifact["uriBaseId"] = valid_utf8(located.root);
    }
    json::object physical = {{"artifactLocation", std::move(artifact)}};
    // Columns are left out: SARIF counts them in characters, we in bytes.
    if (located.line > 0) {
        physical["region"] = json::object{{"startLine", located.line}};
    }
    return {
        {"ruleId", finding.rule},
        {"ruleIndex", rule_index(outcome, finding.rule)},
        {"level", level(finding.severity)},
        {"message", {{"text", valid_utf8(fmt::format("{}: {}\nfix: {}", located.root, finding.message, finding.fix))}}},
        {"locations", json::array{json::object{{"physicalLocation", std::move(physical)}}}},
        {"properties", {{"package", valid_utf8(located.root)}}}};
}

json::object sarif(const Outcome& outcome) {
    json::array found;
    for (const Located& finding : outcome.findings) {
        found.push_back(result_json(outcome, finding));
    }
    json::object driver = {{"name", "wheelarch"}, {"version", program_version()}, {"rules", rules_json(outcome)}};
    json::object run = {{"tool", json::object{{"driver", std::move(driver)}}}, {"results", std::move(found)}};
    json::object bases;
    for (const auto& [root, what] : outcome.roots) {
        bases[valid_utf8(root)] = json::object{{"description", {{"text", valid_utf8(what)}}}};
    }
    if (!bases.empty()) {
        run["originalUriBaseIds"] = std::move(bases);
    }
    return {{"$schema", kSchemaUri}, {"version", "2.1.0"}, {"runs", json::array{std::move(run)}}};
}

}  // namespace

const Format& sarif_format() {
    static const Format format = {
        "--sarif", [](const Outcome& outcome, std::ostream& out) { out << json::serialize(sarif(outcome)) << '\n'; }};
    return format;
}

}  // namespace wheelarch
