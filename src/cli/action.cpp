#include "cli/action.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <ostream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "base/text.hpp"
#include "report/github.hpp"
#include "report/names.hpp"
#include "wheel/role.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

const std::vector<std::string> kInputs = {"command",   "wheels", "arch-list", "witness",
                                          "cuobjdump", "report", "extra-args"};

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::map<std::string, std::string> read_inputs() {
    const std::string text = environment("WHEELARCH_INPUTS");
    boost::system::error_code failure;
    const json::value parsed = json::parse(text, failure);
    if (failure || !parsed.is_object()) {
        throw bad_usage("WHEELARCH_INPUTS does not hold a JSON object of the action's inputs",
                        "`wheelarch action` is what action.yml runs; on a command line, use the commands themselves");
    }
    std::map<std::string, std::string> inputs;
    for (const auto& [key, value] : parsed.as_object()) {
        const std::string name(key);
        if (std::find(kInputs.begin(), kInputs.end(), name) == kInputs.end()) {
            throw bad_usage(fmt::format("unknown input '{}'", printable(name)),
                            fmt::format("the nearest input is '{}'", nearest_name(name, kInputs)));
        }
        if (!value.is_string()) {
            throw bad_usage(fmt::format("input '{}' is not text", name));
        }
        inputs[name] = value.as_string();
    }
    return inputs;
}

// Lines, without blank ones and the white space around them.
std::vector<std::string> lines(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r";
    std::vector<std::string> result;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(kSpace), line.size()));
        line = line.substr(0, line.find_last_not_of(kSpace) + 1);
        if (!line.empty()) {
            result.emplace_back(line);
        }
    }
    return result;
}

// The folders of a pattern before its first part with a `*` or `?`, where the search begins.
fs::path fixed_part(const std::string& pattern) {
    const std::size_t wild = pattern.find_first_of("*?");
    const std::size_t slash = pattern.rfind('/', wild);
    return slash == std::string::npos ? fs::path(".") : fs::path(pattern.substr(0, std::max<std::size_t>(slash, 1)));
}

// Files and folders that match, relative to the working folder; a pattern without `*` and `?` is a path.
std::vector<std::string> expand(const std::string& pattern) {
    if (pattern.find_first_of("*?") == std::string::npos) {
        return {pattern};
    }
    const bool here = pattern.find('/') == std::string::npos;
    std::vector<std::string> found;
    std::error_code failure;
    for (fs::recursive_directory_iterator entry(fixed_part(pattern), failure), end; entry != end;
         entry.increment(failure)) {
        const std::string path = entry->path().lexically_normal().generic_string();
        if (entry->is_regular_file(failure) && matches(here ? "./" + pattern : pattern, here ? "./" + path : path)) {
            found.push_back(path);
        }
    }
    if (failure && !found.empty()) {
        throw unchecked(fmt::format("cannot read all folders of '{}': {}", printable(pattern), failure.message()));
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::string> find_wheels(const std::string& patterns) {
    std::vector<std::string> wheels;
    for (const std::string& pattern : lines(patterns)) {
        const std::vector<std::string> found = expand(pattern);
        if (found.empty()) {
            throw unchecked(
                fmt::format("no file matches '{}' of the input 'wheels'", printable(pattern)),
                "check the pattern, and that an earlier step has built the wheel; in a container job give it "
                "relative to the workspace");
        }
        wheels.insert(wheels.end(), found.begin(), found.end());
    }
    if (wheels.empty()) {
        throw bad_usage("the input 'wheels' is empty", "give paths or patterns, one a line, for example dist/*.whl");
    }
    return wheels;
}

std::string report_path(const std::string& given) {
    if (!given.empty()) {
        return given;
    }
    const std::string folder = environment("RUNNER_TEMP");
    return (fs::path(folder.empty() ? "." : folder) / "wheelarch-report.json").string();
}

// In `--name=value` form, so that no value can pass for an option.
void add_option(std::vector<std::string>& arguments, std::string_view name, const std::string& value) {
    if (!value.empty()) {
        arguments.push_back(fmt::format("--{}={}", name, value));
    }
}

std::vector<std::string> command_line(std::map<std::string, std::string>& inputs, const std::string& report) {
    std::vector<std::string> arguments = {inputs["command"]};
    add_option(arguments, "arch-list", inputs["arch-list"]);
    add_option(arguments, "witness", inputs["witness"]);
    add_option(arguments, "cuobjdump", inputs["cuobjdump"]);
    add_option(arguments, "json", report);
    const std::vector<std::string> extra = lines(inputs["extra-args"]);
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    arguments.emplace_back("--");
    const std::vector<std::string> wheels = find_wheels(inputs["wheels"]);
    arguments.insert(arguments.end(), wheels.begin(), wheels.end());
    return arguments;
}

void set_outputs(std::string_view verdict, const ArchSet& archs, const std::string& report) {
    set_output("verdict", verdict);
    set_output("sass", fmt::format("{}", fmt::join(sass_names(archs), " ")));
    set_output("ptx", fmt::format("{}", fmt::join(ptx_names(archs), " ")));
    set_output("report", report);
}

}  // namespace

ExitCode run_action(std::ostream& out, const RunCommand& run_command) {
    AssertTotals totals;
    std::string report;
    try {
        std::map<std::string, std::string> inputs = read_inputs();
        if (inputs["command"] != "assert") {
            throw bad_usage(fmt::format("unknown command '{}'", printable(inputs["command"])),
                            "this version knows: assert");
        }
        report = report_path(inputs["report"]);
        const std::vector<std::string> arguments = command_line(inputs, report);
        out << "wheelarch " << printable(fmt::format("{}", fmt::join(arguments, " "))) << '\n';
        const ExitCode code = run_command(arguments, totals);
        set_outputs(verdict_name(code), totals.observed, report);
        return code;
    } catch (const Error&) {
        set_outputs("unchecked", totals.observed, report);
        throw;
    }
}

}  // namespace wheelarch
