#include "report/backfill.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "base/text.hpp"
#include "report/json.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr std::string_view kConflict = "already-recorded";

bool is_conflict(const AuditResult& result) {
    return std::any_of(result.findings.begin(), result.findings.end(),
                       [](const Finding& finding) { return finding.rule == kConflict; });
}

json::value text_or_null(const std::string& text) {
    return text.empty() ? json::value() : json::value(valid_utf8(text));
}

}  // namespace

std::string_view backfill_verdict(const BackfillReport& report) {
    AuditVerdict worst = AuditVerdict::ok;
    bool conflict = !report.refused.empty();
    for (const AuditResult& result : report.failed) {
        if (is_conflict(result)) {
            conflict = true;
        } else {
            worst = std::max(worst, result.verdict);
        }
    }
    return worst == AuditVerdict::ok && conflict ? "conflict" : name(worst);
}

std::string backfill_text(const BackfillReport& report) {
    std::string text = count_of(report.wheels, "wheel");
    if (report.shard) {
        text += fmt::format(" of {} (shard {} of {})", report.all_wheels, report.shard->index, report.shard->count);
    }
    text += fmt::format(": {} inferred", report.added + report.replaced + report.written);
    if (report.replaced > 0) {
        text += fmt::format(" ({} replaced)", report.replaced);
    }
    text += fmt::format(", {} inferred before, {} recorded by {}, {} not recorded\n", report.unchanged, report.kept,
                        report.kept == 1 ? "its build" : "their builds", report.failed.size() + report.left_out);
    if (report.written > 0) {
        text += fmt::format("  entries    {}\n", printable(report.output));
    }
    text += fmt::format("  ledger     {}{}\n", printable(report.ledger),
                        report.commit.empty() ? ", not changed" : ", commit " + report.commit);
    return text;
}

json::object backfill_json(const BackfillReport& report) {
    json::array failed;
    for (const AuditResult& result : report.failed) {
        failed.push_back(to_json(result));
    }
    json::value shard;
    if (report.shard) {
        shard = json::object{{"index", report.shard->index}, {"count", report.shard->count}};
    }
    return {{"schema", kSchema},
            {"command", "ledger backfill"},
            {"verdict", backfill_verdict(report)},
            {"wheels", report.all_wheels},
            {"shard", std::move(shard)},
            {"added", report.added},
            {"replaced", report.replaced},
            {"unchanged", report.unchanged},
            {"kept", report.kept},
            {"written", report.written},
            {"output", text_or_null(report.output)},
            {"commit", text_or_null(report.commit)},
            {"results", std::move(failed)},
            {"findings", findings_json(report.refused)},
            {"cuobjdump", report.cuobjdump}};
}

std::vector<Finding> backfill_errors(const BackfillReport& report) {
    std::vector<Finding> findings = report.refused;
    for (const AuditResult& result : report.failed) {
        std::copy_if(result.findings.begin(), result.findings.end(), std::back_inserter(findings),
                     [](const Finding& finding) { return finding.severity == Severity::error; });
    }
    return findings;
}

}  // namespace wheelarch
