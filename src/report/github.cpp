#include "report/github.hpp"

#include <algorithm>
#include <filesystem>
#include <random>
#include <system_error>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/text.hpp"
#include "base/write_file.hpp"
#include "report/replaced.hpp"
#include "report/wording.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kMostAnnotations = 8;      // of one severity; the runner keeps 10 per step, and one may follow
constexpr std::size_t kMostMessage = 3500;       // bytes; the runner cuts at 4096 characters
constexpr std::size_t kMostSummary = 1'000'000;  // bytes; the runner drops a summary over 1 MiB

std::string command_data(std::string_view text) {
    return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}});
}

std::string command_property(std::string_view text) {
    return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}});
}

// ` file=src/x.cu,line=3,`, or nothing.
std::string place_properties(const Located& finding) {
    if (finding.file.empty()) {
        return {};
    }
    const std::string line = finding.line == 0 ? "" : fmt::format("line={},", finding.line);
    return fmt::format("file={},{}", command_property(printable(finding.file)), line);
}

std::string command(std::string_view severity, std::string_view title, std::string_view message, std::string_view fix,
                    const std::string& place = {}) {
    std::string text = printable(for_reader(message));
    if (text.size() > kMostMessage) {
        text = valid_utf8(text.substr(0, kMostMessage)) + " …";
    }
    if (!fix.empty()) {
        text += "\nfix: " + valid_utf8(printable(for_reader(fix)).substr(0, 500));
    }
    return fmt::format("::{} {}title={}::{}\n", severity, place, command_property(title), command_data(text));
}

// Further places of a problem come after the first places of all, since a runner shows but a few.
std::vector<const Located*> first_places_first(const std::vector<Located>& findings) {
    std::vector<const Located*> sorted;
    std::transform(findings.begin(), findings.end(), std::back_inserter(sorted),
                   [](const Located& finding) { return &finding; });
    std::sort(sorted.begin(), sorted.end(), [](const Located* left, const Located* right) {
        return std::pair(left->repeats, left) < std::pair(right->repeats, right);
    });
    return sorted;
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

std::string annotations(const std::vector<Located>& findings) {
    std::string out;
    const std::vector<const Located*> sorted = first_places_first(findings);
    for (const Severity severity : {Severity::error, Severity::warning}) {
        std::size_t count = 0;
        for (const Located* located : sorted) {
            const Finding& finding = located->finding;
            if (finding.severity == severity && ++count <= kMostAnnotations) {
                out += command(name(severity), "wheelarch: " + finding.rule,
                               finding.place + (finding.place.empty() ? "" : ": ") + finding.message, finding.fix,
                               place_properties(*located));
            }
        }
        if (count > kMostAnnotations) {
            out += command(name(severity), "wheelarch",
                           fmt::format("{} more; the job summary and the log have all", count - kMostAnnotations), {});
        }
    }
    return out;
}

Finding as_finding(const Error& error) {
    return {"could not be checked", Severity::error, {}, error.what(), error.fix()};
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

void set_outputs(const std::map<std::string, std::string>& outputs) {
    for (const char* name : {"verdict", "sass", "ptx", "entries", "exists", "exists-key", "matrix", "jobs", "pages",
                             "report"}) {  // as action.yml has them
        const auto given = outputs.find(name);
        set_output(name, given == outputs.end() ? std::string_view() : given->second);
    }
}

}  // namespace wheelarch
