#include "audit/audit_result.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "base/text.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

[[noreturn]] void wrong_result(std::string_view key) {
    throw unchecked(fmt::format("'{}' of a result is not as `wheelarch audit` writes it", key));
}

const json::value& value_at(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    if (value == nullptr) {
        wrong_result(key);
    }
    return *value;
}

std::string string_at(const json::object& object, std::string_view key) {
    const json::value& value = value_at(object, key);
    if (!value.is_string() && !value.is_null()) {
        wrong_result(key);
    }
    return value.is_null() ? std::string() : std::string(value.as_string());
}

std::uint64_t number_at(const json::object& object, std::string_view key) {
    const json::value& value = value_at(object, key);
    if (!value.is_int64() || value.as_int64() < 0) {
        wrong_result(key);
    }
    return static_cast<std::uint64_t>(value.as_int64());
}

// A result of an older version has the farm's alone.
Epochs epochs_in(const json::object& object) {
    return {number_at(object, "epoch"), object.contains("package_epoch") ? number_at(object, "package_epoch") : 0};
}

const json::object* object_or_null(const json::object& object, std::string_view key) {
    const json::value& value = value_at(object, key);
    if (!value.is_object() && !value.is_null()) {
        wrong_result(key);
    }
    return value.if_object();
}

const json::array& array_at(const json::object& object, std::string_view key) {
    const json::value& value = value_at(object, key);
    if (!value.is_array()) {
        wrong_result(key);
    }
    return value.as_array();
}

json::value text_or_null(std::string_view text) {
    return text.empty() ? json::value() : json::value(valid_utf8(text));
}

void put_archs(json::object& object, const ArchSet& archs) {
    json::array sass;
    json::array ptx;
    std::transform(archs.sass.begin(), archs.sass.end(), std::back_inserter(sass),
                   [](Arch arch) { return json::value(sass_name(arch)); });
    std::transform(archs.ptx.begin(), archs.ptx.end(), std::back_inserter(ptx),
                   [](Arch arch) { return json::value(ptx_name(arch)); });
    object["sass"] = std::move(sass);
    object["ptx"] = std::move(ptx);
}

std::set<Arch> archs_in(const json::object& object, std::string_view key, std::string_view prefix) {
    std::set<Arch> archs;
    for (const json::value& item : array_at(object, key)) {
        const std::string_view text = item.is_string() ? std::string_view(item.as_string()) : "";
        const auto arch =
            text.starts_with(prefix) ? parse_bare_arch(text.substr(prefix.size())) : std::optional<Arch>();
        if (!arch) {
            wrong_result(key);
        }
        archs.insert(*arch);
    }
    return archs;
}

ArchSet archs_in(const json::object& object) {
    return {archs_in(object, "sass", "sm_"), archs_in(object, "ptx", "compute_")};
}

json::value recorded_json(const std::optional<AuditResult::RecordedFacts>& recorded) {
    if (!recorded) {
        return nullptr;
    }
    json::object object = {{"arch_list", text_or_null(recorded->arch_list)},
                           {"epoch", recorded->epoch.farm},
                           {"package_epoch", recorded->epoch.package},
                           {"provenance", recorded->inferred ? "inferred" : "recorded"},
                           {"recorded_at", text_or_null(recorded->recorded_at)}};
    put_archs(object, recorded->archs);
    return object;
}

json::value policy_json(const std::optional<AuditResult::PolicyFacts>& policy) {
    if (!policy) {
        return nullptr;
    }
    return json::object{{"arch_list", valid_utf8(policy->arch_list)},
                        {"source", valid_utf8(policy->source)},
                        {"epoch", policy->epoch.farm},
                        {"package_epoch", policy->epoch.package}};
}

json::object finding_json(const Finding& finding) {
    return {{"rule", finding.rule},
            {"severity", name(finding.severity)},
            {"place", valid_utf8(finding.place)},
            {"message", valid_utf8(finding.message)},
            {"fix", valid_utf8(finding.fix)}};
}

Severity severity_of(std::string_view text) {
    for (const Severity severity : {Severity::notice, Severity::warning, Severity::error}) {
        if (name(severity) == text) {
            return severity;
        }
    }
    wrong_result("severity");
}

// Reports print it as it is.
std::string rule_at(const json::object& object) {
    std::string rule = string_at(object, "rule");
    if (rule.empty() || rule.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos) {
        wrong_result("rule");
    }
    return rule;
}

Finding finding_of(const json::value& value) {
    if (!value.is_object()) {
        wrong_result("findings");
    }
    const json::object& object = value.as_object();
    return {rule_at(object), severity_of(string_at(object, "severity")), string_at(object, "place"),
            string_at(object, "message"), string_at(object, "fix")};
}

AuditVerdict verdict_of(std::string_view text) {
    const auto found = std::find_if(kAuditVerdicts.begin(), kAuditVerdicts.end(),
                                    [&](AuditVerdict verdict) { return name(verdict) == text; });
    if (found == kAuditVerdicts.end()) {
        wrong_result("verdict");
    }
    return *found;
}

// Not in the middle of a character.
void cut(std::string& text) {
    if (text.size() > kMostAuditText) {
        std::size_t end = kMostAuditText;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) {
            --end;
        }
        text.resize(end);
        text += " …";
    }
}

}  // namespace

std::string_view name(AuditVerdict verdict) {
    switch (verdict) {
        case AuditVerdict::ok: return "ok";
        case AuditVerdict::config_moved: return "config-moved";
        case AuditVerdict::unrecorded: return "unrecorded";
        case AuditVerdict::wheel_wrong: return "wheel-wrong";
        case AuditVerdict::unreadable: return "unreadable";
    }
    return "unreadable";
}

ExitCode exit_code(AuditVerdict verdict) {
    switch (verdict) {
        case AuditVerdict::wheel_wrong: return ExitCode::findings;
        case AuditVerdict::unreadable: return ExitCode::unchecked;
        default: return ExitCode::ok;
    }
}

void make_small(AuditResult& result) {
    std::vector<Finding> sorted;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::notice}) {
        std::copy_if(result.findings.begin(), result.findings.end(), std::back_inserter(sorted),
                     [&](const Finding& finding) { return finding.severity == severity; });
    }
    result.findings = std::move(sorted);
    if (result.findings.size() > kMostAuditFindings) {
        result.more_findings += result.findings.size() - kMostAuditFindings;
        result.findings.resize(kMostAuditFindings);
    }
    for (Finding& finding : result.findings) {
        cut(finding.place);
        cut(finding.message);
        cut(finding.fix);
    }
}

json::object to_json(const AuditResult& result) {
    json::object observed;
    put_archs(observed, result.observed);
    json::array findings;
    std::transform(result.findings.begin(), result.findings.end(), std::back_inserter(findings), finding_json);
    return {{"file", valid_utf8(result.file)},
            {"package", text_or_null(result.package)},
            {"verdict", name(result.verdict)},
            {"sha256", text_or_null(result.sha256)},
            {"size", result.size},
            {"observed", std::move(observed)},
            {"recorded", recorded_json(result.recorded)},
            {"policy", policy_json(result.policy)},
            {"findings", std::move(findings)},
            {"more_findings", result.more_findings}};
}

AuditResult audit_result_of(const json::value& value) {
    if (!value.is_object()) {
        wrong_result("results");
    }
    const json::object& object = value.as_object();
    AuditResult result;
    result.file = string_at(object, "file");
    result.package = string_at(object, "package");
    result.verdict = verdict_of(string_at(object, "verdict"));
    result.sha256 = string_at(object, "sha256");
    result.size = number_at(object, "size");
    const json::object* observed = object_or_null(object, "observed");
    if (observed == nullptr) {
        wrong_result("observed");
    }
    result.observed = archs_in(*observed);
    if (const json::object* recorded = object_or_null(object, "recorded")) {
        result.recorded = {archs_in(*recorded), string_at(*recorded, "arch_list"), epochs_in(*recorded),
                           string_at(*recorded, "provenance") == "inferred", string_at(*recorded, "recorded_at")};
    }
    if (const json::object* policy = object_or_null(object, "policy")) {
        result.policy = {string_at(*policy, "arch_list"), string_at(*policy, "source"), epochs_in(*policy)};
    }
    const json::array& findings = array_at(object, "findings");
    std::transform(findings.begin(), findings.end(), std::back_inserter(result.findings), finding_of);
    result.more_findings = number_at(object, "more_findings");
    if (fails(result.findings) != (exit_code(result.verdict) != ExitCode::ok)) {
        throw unchecked(fmt::format("'findings' of a result and its verdict, {}, do not agree", name(result.verdict)));
    }
    return result;
}

}  // namespace wheelarch
