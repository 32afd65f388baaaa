#include "report/markdown.hpp"

#include <ostream>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/write_file.hpp"
#include "report/names.hpp"
#include "report/replaced.hpp"
#include "report/wording.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kMostSummaryFindings = 200;

std::string list_findings(const std::vector<Finding>& findings) {
    std::string text;
    std::size_t shown = 0;
    for (const Finding& finding : findings) {
        if (++shown <= kMostSummaryFindings) {
            text += fmt::format("- **{}** {} {} {}\n", name(finding.severity), finding.rule,
                                markdown_code(finding.place), markdown_code(for_reader(finding.message)));
            if (!finding.fix.empty()) {
                text += fmt::format("  - fix: {}\n", markdown_code(for_reader(finding.fix)));
            }
        }
    }
    if (shown > kMostSummaryFindings) {
        text += fmt::format("- {} more\n", shown - kMostSummaryFindings);
    }
    return text;
}

}  // namespace

std::string markdown_code(std::string_view text) {
    return "<code>" +
           replaced(printable(text), {{'&', "&amp;"},
                                      {'<', "&lt;"},
                                      {'>', "&gt;"},
                                      {'|', "&#124;"},
                                      {'`', "&#96;"},
                                      {'*', "&#42;"},
                                      {'_', "&#95;"},
                                      {'[', "&#91;"},
                                      {']', "&#93;"},
                                      {'@', "&#64;"},
                                      {'\\', "&#92;"},
                                      {'~', "&#126;"},
                                      {'$', "&#36;"}}) +
           "</code>";
}

std::string verdict_summary(const Inventory& inventory, const Verdict& verdict) {
    std::string text = fmt::format("### {} {} {}\n\n| | |\n| --- | --- |\n", verdict.match ? "✅" : "❌",
                                   verdict_name(verdict), markdown_code(inventory.file_name));
    const auto row = [&](std::string_view label, const ArchSet& archs) {
        text += fmt::format("| {} | {} |\n", label, markdown_code(to_text(archs)));
    };
    row("requested", verdict.requested);
    row("observed", verdict.observed);
    if (!verdict.missing.empty()) {
        row("missing", verdict.missing);
    }
    if (!verdict.extra.empty()) {
        row("extra", verdict.extra);
    }
    return text + '\n' + list_findings(verdict.findings) + '\n';
}

std::string findings_summary(std::string_view title, const std::vector<Finding>& findings) {
    const std::string_view mark = fails(findings) ? "❌" : findings.empty() ? "✅" : "⚠️";
    return fmt::format("### {} {}\n\n{}\n", mark, title, list_findings(findings));
}

std::string error_summary(const Error& error) {
    return fmt::format("### ❌ could not be checked\n\n- {}\n{}\n", markdown_code(for_reader(error.what())),
                       error.fix().empty() ? "" : fmt::format("  - fix: {}\n", markdown_code(for_reader(error.fix()))));
}

std::string to_markdown(const Summary& summary, std::size_t most) {
    std::string text = summary.head;
    if (summary.table.empty() && summary.items.empty()) {
        return text;
    }
    if (text.size() + summary.table.size() < most) {
        text += summary.table;
    }
    text += '\n';
    for (std::size_t i = 0; i < summary.items.size(); ++i) {
        if (text.size() + summary.items[i].size() > most) {
            text += fmt::format("- {} more\n", summary.items.size() - i);
            break;
        }
        text += summary.items[i];
    }
    return text + '\n';
}

const Format& markdown_format() {
    static const Format format = {"--markdown", [](const Outcome& outcome, std::ostream& out) {
                                      out << to_markdown(outcome.summary, std::string::npos);
                                  }};
    return format;
}

}  // namespace wheelarch
