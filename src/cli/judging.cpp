#include "cli/judging.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/json.hpp"
#include "report/markdown.hpp"
#include "report/names.hpp"
#include "report/text.hpp"
#include "wheel/wheel_check.hpp"

namespace wheelarch {
namespace {

// Findings that are about something else than the archs.
void add_findings(Verdict& verdict, const std::vector<Finding>& findings) {
    verdict.refused = verdict.refused || (verdict.match && fails(findings));
    verdict.match = verdict.match && !fails(findings);
    verdict.findings.insert(verdict.findings.end(), findings.begin(), findings.end());
}

// One word for all of them: that archs mismatch goes before what is wrong otherwise.
std::string_view common_verdict(const std::vector<Judged>& all, ExitCode code) {
    const auto holds_archs = [](const Judged& judged) { return judged.verdict.match || judged.verdict.refused; };
    const auto is_refused = [](const Judged& judged) { return judged.verdict.refused; };
    const auto refused = std::find_if(all.begin(), all.end(), is_refused);
    if (code == ExitCode::findings && refused != all.end() && std::all_of(all.begin(), all.end(), holds_archs)) {
        return verdict_name(refused->verdict);
    }
    return verdict_name(code);
}

}  // namespace

std::vector<Finding> check_identity(const Inventory& inventory, const BuildFacts& facts) {
    std::vector<Finding> findings = check_wheel(inventory);
    const auto of_row = check_row(facts, parse_wheel_name(inventory.file_name), inventory.file_name);
    findings.insert(findings.end(), of_row.begin(), of_row.end());
    return findings;
}

ReadingOptions reading_for(const RequestOptions& request, ReadingOptions reading) {
    reading.search = reading.search || request.count_embedded;
    return reading;
}

std::vector<Judged> judge(const std::vector<std::filesystem::path>& wheels, const BuildRequest& request, bool whole,
                          FileReading& reading, Listener& listener) {
    std::vector<Judged> all;
    reading.each(wheels, [&](Inventory& inventory) {
        Judged judged = {std::move(inventory), {}};
        if (request.requirement.count_embedded) {
            count_embedded(judged.inventory);
        }
        judged.verdict = check_archs(judged.inventory, request.requirement);
        add_findings(judged.verdict, request.findings);
        if (whole) {
            add_findings(judged.verdict, check_identity(judged.inventory, request.build.facts));
        } else if (judged.inventory.is_wheel) {
            add_findings(judged.verdict, check_wheel(judged.inventory));
        }
        listener.text(verdict_text(judged.inventory, judged.verdict));
        reading.note(judged.verdict.findings);
        listener.summary(verdict_summary(judged.inventory, judged.verdict));
        all.push_back(std::move(judged));
    });
    return all;
}

ExitCode exit_code(const std::vector<Judged>& all, const FileReading& reading) {
    const bool match = std::all_of(all.begin(), all.end(), [](const Judged& judged) { return judged.verdict.match; });
    return reading.worst(match ? ExitCode::ok : ExitCode::findings);
}

Outcome joined(const std::vector<Judged>& all, const FileReading& reading, boost::json::array results,
               std::size_t wheels) {
    const ExitCode code = exit_code(all, reading);
    const std::string verdict(common_verdict(all, code));
    ArchSet observed;
    for (const Judged& judged : all) {
        observed.add(judged.verdict.observed);
    }
    boost::json::object result;
    if (wheels == 1 && results.size() == 1) {
        result = std::move(results.front().as_object());
    } else {
        result = {{"schema", kSchema}, {"verdict", verdict}, {"results", std::move(results)}};
    }
    Outcome outcome = reading.finish(std::move(result), code);
    outcome.outputs = {{"verdict", verdict},
                       {"sass", fmt::format("{}", fmt::join(sass_names(observed), " "))},
                       {"ptx", fmt::format("{}", fmt::join(ptx_names(observed), " "))}};
    return outcome;
}

}  // namespace wheelarch
