#include "report/github.hpp"

#include <array>
#include <filesystem>
#include <map>
#include <ostream>
#include <random>
#include <system_error>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/text.hpp"
#include "base/write_file.hpp"
#include "report/names.hpp"
#include "report/wording.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kMostAnnotations = 8;      // of one severity; the runner keeps 10 per step, and one may follow
constexpr std::size_t kMostMessage = 3500;       // bytes; the runner cuts at 4096 characters
constexpr std::size_t kMostSummary = 1'000'000;  // bytes; the runner drops a summary over 1 MiB
constexpr std::size_t kMostSummaryFindings = 200;

std::string replaced(std::string_view text, const std::map<char, std::string_view>& replacements) {
    std::string result;
    for (const char c : text) {
        const auto found = replacements.find(c);
        found == replacements.end() ? result.push_back(c) : static_cast<void>(result += found->second);
    }
    return result;
}

std::string command_data(std::string_view text) {
    return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}});
}

std::string command_property(std::string_view text) {
    return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}});
}

// ` file=src/x.cu,line=3,`, or nothing.
std::string place_properties(const Annotation& annotation) {
    if (annotation.file.empty()) {
        return {};
    }
    const std::string line = annotation.line == 0 ? "" : fmt::format("line={},", annotation.line);
    return fmt::format("file={},{}", command_property(printable(annotation.file)), line);
}

void write_command(std::ostream& out, std::string_view severity, std::string_view title, std::string_view message,
                   std::string_view fix, const std::string& place = {}) {
    std::string text = printable(for_reader(message));
    if (text.size() > kMostMessage) {
        text = valid_utf8(text.substr(0, kMostMessage)) + " …";
    }
    if (!fix.empty()) {
        text += "\nfix: " + valid_utf8(printable(for_reader(fix)).substr(0, 500));
    }
    out << fmt::format("::{} {}title={}::{}\n", severity, place, command_property(title), command_data(text));
}

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

std::string random_delimiter() {
    std::random_device device;
    std::string delimiter = "wheelarch_";
    for (int i = 0; i < 4; ++i) {
        delimiter += fmt::format("{:08x}", device());
    }
    return delimiter;
}

}  // namespace

bool on_github() {
    return environment("GITHUB_ACTIONS") == "true";
}

void annotate(std::ostream& out, const std::vector<Finding>& findings) {
    std::vector<Annotation> annotations;
    for (const Finding& finding : findings) {
        annotations.push_back({finding, {}, 0});
    }
    annotate_lines(out, annotations);
}

void annotate_lines(std::ostream& out, const std::vector<Annotation>& annotations) {
    for (const Severity severity : {Severity::error, Severity::warning}) {
        std::size_t count = 0;
        for (const Annotation& annotation : annotations) {
            const Finding& finding = annotation.finding;
            if (finding.severity == severity && ++count <= kMostAnnotations) {
                write_command(out, name(severity), "wheelarch: " + finding.rule,
                              finding.place + (finding.place.empty() ? "" : ": ") + finding.message, finding.fix,
                              place_properties(annotation));
            }
        }
        if (count > kMostAnnotations) {
            write_command(out, name(severity), "wheelarch",
                          fmt::format("{} more; the job summary and the log have all", count - kMostAnnotations), {});
        }
    }
}

Finding as_finding(const Error& error) {
    return {"could not be checked", Severity::error, {}, error.what(), error.fix()};
}

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

void add_to_summary(std::string_view markdown) {
    const std::string path = environment("GITHUB_STEP_SUMMARY");
    if (path.empty()) {
        return;
    }
    std::error_code missing;
    const auto size = std::filesystem::file_size(path, missing);
    if ((missing ? 0 : size) + markdown.size() <= kMostSummary) {
        append_file(path, markdown);
    }
}

void set_output(std::string_view name, std::string_view value) {
    const std::string path = environment("GITHUB_OUTPUT");
    if (path.empty()) {
        return;
    }
    std::string delimiter = random_delimiter();
    while (value.find(delimiter) != std::string_view::npos) {
        delimiter = random_delimiter();
    }
    append_file(path, fmt::format("{}<<{}\n{}\n{}\n", name, delimiter, value, delimiter));
}

}  // namespace wheelarch
