#include "report/audit.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "base/text.hpp"
#include "report/json.hpp"
#include "report/ledger.hpp"
#include "report/markdown.hpp"
#include "report/text.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr std::size_t kNameWidth = 30;
constexpr std::size_t kColumnWidth = 14;

std::string_view package_shown(const std::string& package) {
    return package.empty() ? "(no wheel's name)" : std::string_view(package);
}

json::object audit_counts_json(const VerdictCounts& counts) {
    json::object object;
    for (const AuditVerdict verdict : kAuditVerdicts) {
        object[name(verdict)] = counts.of(verdict);
    }
    return object;
}

// `3 wheels: 2 ok, 0 config-moved, …`.
std::string audit_headline(const AuditReport& report) {
    const VerdictCounts counts = count_verdicts(report);
    std::string text = count_of(report.results.size(), "wheel");
    if (report.shard) {
        text += fmt::format(" of {} (shard {} of {})", report.wheels, report.shard->index, report.shard->count);
    }
    for (const AuditVerdict verdict : kAuditVerdicts) {
        text += fmt::format("{} {} {}", verdict == AuditVerdict::ok ? ":" : ",", counts.of(verdict), name(verdict));
    }
    return text;
}

std::string policy_shown(const AuditReport& report) {
    const json::object* policy = report.policy.if_object();
    const json::value* farm = policy == nullptr ? nullptr : policy->if_contains("farm");
    return farm != nullptr && farm->is_string()
               ? printable(farm->as_string())
               : "none: only what is in the wheels was compared with what is recorded (--farm names a policy)";
}

std::optional<Ledger::Tip> tip_of(const AuditReport& report) {
    const json::object* ledger = report.ledger.if_object();
    const auto find = [&](std::string_view key) { return ledger == nullptr ? nullptr : ledger->if_contains(key); };
    const json::value* ref = find("ref");
    const json::value* commit = find("commit");
    const json::value* time = find("time");
    if (ref == nullptr || !ref->is_string() || commit == nullptr || !commit->is_string() || time == nullptr ||
        !time->is_int64()) {
        return std::nullopt;
    }
    return Ledger::Tip{std::string(ref->as_string()), std::string(commit->as_string()), time->as_int64()};
}

std::string recorded_shown(const AuditResult::RecordedFacts& recorded) {
    return fmt::format("{}; {} at epoch {}, {}", to_text(recorded.archs),
                       recorded.inferred            ? "inferred"
                       : recorded.arch_list.empty() ? "no list"
                                                    : printable(recorded.arch_list),
                       to_text(recorded.epoch), printable(recorded.recorded_at));
}

std::string policy_shown(const AuditResult::PolicyFacts& policy) {
    return fmt::format("{} at epoch {}, by {}", printable(policy.arch_list), to_text(policy.epoch),
                       printable(policy.source));
}

// Results that are not ok, the worst first and otherwise in their order.
std::vector<const AuditResult*> not_ok(const AuditReport& report) {
    std::vector<const AuditResult*> results;
    for (auto verdict = kAuditVerdicts.rbegin(); *verdict != AuditVerdict::ok; ++verdict) {
        for (const AuditReport::Numbered& one : report.results) {
            if (one.result.verdict == *verdict) {
                results.push_back(&one.result);
            }
        }
    }
    return results;
}

std::string markdown_table(const AuditReport& report) {
    std::string text = "| package |";
    std::string rule = "| --- |";
    for (const AuditVerdict verdict : kAuditVerdicts) {
        text += fmt::format(" {} |", name(verdict));
        rule += " --: |";
    }
    text += '\n' + rule + '\n';
    for (const auto& [package, counts] : count_by_package(report)) {
        text += fmt::format("| {} |", markdown_code(package_shown(package)));
        for (const AuditVerdict verdict : kAuditVerdicts) {
            text += fmt::format(" {} |", counts.of(verdict));
        }
        text += '\n';
    }
    return text;
}

std::string markdown_item(const AuditResult& result) {
    std::string text = fmt::format("- **{}** {}\n", name(result.verdict), markdown_code(result.file));
    for (const Finding& finding : result.findings) {
        text += fmt::format("  - {} {}: {}\n", name(finding.severity), finding.rule, markdown_code(finding.message));
    }
    if (result.more_findings > 0) {
        text += fmt::format("  - {} more\n", result.more_findings);
    }
    return text;
}

}  // namespace

std::string audited_text(const AuditResult& result) {
    if (result.verdict == AuditVerdict::ok) {
        return {};
    }
    std::string out = fmt::format("{}: {}\n", printable(result.file), name(result.verdict));
    const auto line = [&](std::string_view label, const std::string& text) {
        out += fmt::format("  {:<9} {}\n", label, text);
    };
    if (!result.sha256.empty()) {
        line("observed", to_text(result.observed));
    }
    if (result.recorded) {
        line("recorded", recorded_shown(*result.recorded));
    }
    if (result.policy) {
        line("policy", policy_shown(*result.policy));
    }
    out += findings_text(result.findings);
    if (result.more_findings > 0) {
        out += fmt::format("and {} more\n", count_of(result.more_findings, "finding"));
    }
    return out;
}

std::string audit_text(const AuditReport& report) {
    std::string out;
    if (!report.results.empty()) {
        out += fmt::format("  {:<{}}", "package", kNameWidth);
        for (const AuditVerdict verdict : kAuditVerdicts) {
            out += fmt::format("{:>{}}", name(verdict), kColumnWidth);
        }
        out += '\n';
        for (const auto& [package, counts] : count_by_package(report)) {
            out += fmt::format("  {:<{}}", printable(package_shown(package)), kNameWidth);
            for (const AuditVerdict verdict : kAuditVerdicts) {
                out += fmt::format("{:>{}}", counts.of(verdict), kColumnWidth);
            }
            out += '\n';
        }
    }
    out += audit_headline(report) + '\n';
    out += fmt::format("  policy     {}\n", policy_shown(report));
    if (const auto tip = tip_of(report)) {
        out += tip_text(*tip);
    }
    return out;
}

std::string audit_json_text(const AuditReport& report) {
    json::object packages;
    for (const auto& [package, counts] : count_by_package(report)) {
        packages[valid_utf8(package)] = audit_counts_json(counts);
    }
    json::value shard;
    if (report.shard) {
        shard = json::object{{"index", report.shard->index}, {"count", report.shard->count}};
    }
    const json::object head = {{"schema", kSchema},
                               {"command", "audit"},
                               {"verdict", name(worst_verdict(report))},
                               {"counts", audit_counts_json(count_verdicts(report))},
                               {"packages", std::move(packages)},
                               {"wheels", report.wheels},
                               {"list", report.list},
                               {"shard", std::move(shard)},
                               {"ledger", report.ledger},
                               {"policy", report.policy},
                               {"cuobjdump", report.cuobjdump}};
    std::string text = json::serialize(head);
    text.back() = ',';
    text += "\"results\":[";
    for (const AuditReport::Numbered& one : report.results) {
        json::object result = to_json(one.result);
        result["position"] = one.position;
        text += &one == &report.results.front() ? "\n" : ",\n";
        text += json::serialize(result);
    }
    return text + "\n]}\n";
}

Summary audit_summary(const AuditReport& report) {
    const bool fine = exit_code(worst_verdict(report)) == ExitCode::ok;
    Summary summary;
    summary.head = fmt::format("### {} audit\n\n{}\n\npolicy: {}\n\n", fine ? "✅" : "❌", audit_headline(report),
                               markdown_code(policy_shown(report)));
    summary.table = markdown_table(report);
    for (const AuditResult* result : not_ok(report)) {
        summary.items.push_back(markdown_item(*result));
    }
    return summary;
}

std::vector<Finding> audit_errors(const AuditReport& report) {
    std::vector<Finding> errors;
    for (const AuditResult* result : not_ok(report)) {
        std::copy_if(result->findings.begin(), result->findings.end(), std::back_inserter(errors),
                     [](const Finding& finding) { return finding.severity == Severity::error; });
    }
    return errors;
}

}  // namespace wheelarch
