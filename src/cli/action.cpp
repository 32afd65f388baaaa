#include "cli/action.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <ostream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "base/environment.hpp"
#include "base/scratch.hpp"
#include "base/text.hpp"
#include "cli/action_inputs.hpp"
#include "ledger/build_facts.hpp"
#include "report/github.hpp"
#include "report/json.hpp"
#include "report/names.hpp"
#include "report/text.hpp"
#include "report/wording.hpp"
#include "wheel/role.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

const std::vector<std::string> kInputs = {"command",   "wheels",        "arch-list", "matrix",    "farm", "witness",
                                          "cuobjdump", "ledger-branch", "token",     "existing",  "page", "lint",
                                          "sources",   "shard",         "report",    "extra-args"};
const std::vector<std::string> kCommands = {"gate",   "assert", "collect", "key",     "lint",
                                            "matrix", "plan",   "audit",   "backfill"};

Inputs read_inputs() {
    const std::string text = environment("WHEELARCH_INPUTS");
    boost::system::error_code failure;
    const json::value parsed = json::parse(text, failure);
    if (failure || !parsed.is_object()) {
        throw bad_usage("WHEELARCH_INPUTS does not hold a JSON object of the action's inputs",
                        "`wheelarch action` is what action.yml runs; on a command line, use the commands themselves");
    }
    Inputs inputs;
    for (const auto& [key, value] : parsed.as_object()) {
        const std::string name(key);
        if (std::find(kInputs.begin(), kInputs.end(), name) == kInputs.end()) {
            throw bad_usage(fmt::format("unknown input '{}'", printable(name)),
                            nearest_name(name, kInputs).empty()
                                ? "the inputs are: " + enumerate(kInputs, kInputs.size())
                                : fmt::format("the nearest input is '{}'", nearest_name(name, kInputs)));
        }
        if (!value.is_string()) {
            throw bad_usage(fmt::format("input '{}' is not text", name));
        }
        inputs[name] = value.as_string();
    }
    return inputs;
}

// The folders of a pattern before its first part with a `*` or `?`, where the search begins.
fs::path fixed_part(const std::string& pattern) {
    const std::size_t wild = pattern.find_first_of("*?");
    const std::size_t slash = pattern.rfind('/', wild);
    return slash == std::string::npos ? fs::path(".") : fs::path(pattern.substr(0, slash + 1));
}

// Files and folders that match, relative to the working folder; a pattern without `*` and `?` is a path.
std::vector<std::string> expand(const std::string& given) {
    const std::string pattern = fs::path(given).generic_string();  // Windows has two kinds of slashes
    if (pattern.find_first_of("*?") == std::string::npos) {
        return {given};
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

std::vector<std::string> find_paths(const std::string& patterns) {
    std::vector<std::string> wheels;
    for (const std::string& pattern : lines_of(patterns)) {
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

// In `--name=value` form, so that no value can pass for an option.
void add_option(std::vector<std::string>& arguments, std::string_view name, const std::string& value) {
    if (!value.empty()) {
        arguments.push_back(fmt::format("--{}={}", name, value));
    }
}

// The matrix row reaches the command by a file: it may be longer than an argument.
class RowFile {
public:
    explicit RowFile(const std::string& row) : file_(environment("RUNNER_TEMP")) { file_.append(ByteView(row)); }
    std::string path() const { return file_.path().string(); }

private:
    ScratchFile file_;
};

// Outside of a matrix its context is `null`.
bool has_row(const std::string& matrix) {
    return !matrix.empty() && matrix != "null";
}

// A new file in the runner's folder for temporary ones: `stem`.json for the first step of a job, `stem`-2.json for the
// next. Steps run one after the other, and the runner empties the folder between jobs.
std::string temporary(const std::string& stem) {
    const std::string given = environment("RUNNER_TEMP");
    const fs::path folder = given.empty() ? "." : given;
    fs::path file = folder / (stem + ".json");
    std::error_code ignored;
    for (int number = 2; !given.empty() && fs::exists(file, ignored); ++number) {
        file = folder / fmt::format("{}-{}.json", stem, number);
    }
    return file.string();
}

// gate and assert: what is judged, and by what.
void add_judging(std::vector<std::string>& arguments, Inputs& inputs, const std::optional<RowFile>& row) {
    add_option(arguments, "arch-list", inputs["arch-list"]);
    add_option(arguments, "cell", row ? row->path() : "");
    add_option(arguments, "witness", inputs["witness"]);
    add_option(arguments, "cuobjdump", inputs["cuobjdump"]);
}

// What is not there is fetched.
void add_sources(std::vector<std::string>& arguments, Inputs& inputs) {
    add_option(arguments, "sources", inputs["sources"]);
    if (inputs["sources"].empty()) {
        arguments.emplace_back("--fetch");
    }
}

// matrix: `true` and `false` are how YAML writes them, too.
void add_lint(std::vector<std::string>& arguments, Inputs& inputs) {
    const std::string& lint = inputs["lint"];
    if (!lint.empty() && lint != "true" && lint != "false") {
        throw bad_usage(fmt::format("the input 'lint' is '{}', true or false is expected", printable(lint)));
    }
    if (lint != "true") {
        return;
    }
    if (inputs["command"] != "matrix") {
        throw bad_usage(fmt::format("the input 'lint' is for `command: matrix`, and this is {}", inputs["command"]),
                        "to lint alone, give `command: lint`");
    }
    arguments.emplace_back("--lint");
    add_sources(arguments, inputs);
}

// key, matrix and plan: which wheels exist, and what of the grid is wanted.
void add_asking(std::vector<std::string>& arguments, Inputs& inputs, const std::optional<RowFile>& row) {
    add_option(arguments, "existing", inputs["existing"]);
    add_option(arguments, "branch", inputs["ledger-branch"]);
    if (inputs["command"] == "key") {
        add_option(arguments, "cell", row ? row->path() : "");
    } else {
        add_option(arguments, "page", inputs["page"]);
        add_option(arguments, "output", temporary("wheelarch-matrix"));
    }
}

// audit and backfill: without wheels it is those of the releases.
void add_sweeping(std::vector<std::string>& arguments, Inputs& inputs) {
    add_option(arguments, "branch", inputs["ledger-branch"]);
    add_option(arguments, "shard", inputs["shard"]);
    add_option(arguments, "witness", inputs["witness"]);
    add_option(arguments, "cuobjdump", inputs["cuobjdump"]);
    add_option(arguments, "existing", inputs["existing"]);
    if (lines_of(inputs["wheels"]).empty()) {
        arguments.emplace_back("--gh");
    }
}

std::vector<std::string> command_line(Inputs& inputs, const std::optional<RowFile>& row, const std::string& report) {
    const std::string& command = inputs["command"];
    std::vector<std::string> arguments = {command};
    const bool judges = command == "gate" || command == "assert";
    const bool collects = command == "collect";
    const bool sweeps = command == "audit" || command == "backfill";
    if (!sweeps && !inputs["shard"].empty()) {
        throw bad_usage(fmt::format("the input 'shard' has no meaning for the command '{}'", printable(command)),
                        "it is for audit and backfill: leave it out");
    }
    if (collects || command == "backfill") {
        arguments.insert(arguments.begin(), "ledger");
    }
    if (judges) {
        add_judging(arguments, inputs, row);
    } else if (sweeps) {
        add_sweeping(arguments, inputs);
    } else if (collects) {
        add_option(arguments, "branch", inputs["ledger-branch"]);
    } else if (command == "lint") {
        add_sources(arguments, inputs);
    } else {
        add_asking(arguments, inputs, row);
    }
    add_lint(arguments, inputs);
    add_option(arguments, "farm", inputs["farm"]);
    add_option(arguments, "json", report);
    const std::vector<std::string> extra = extra_arguments(inputs["extra-args"]);
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    if (judges || collects || (sweeps && !lines_of(inputs["wheels"]).empty())) {
        arguments.emplace_back("--");
        const std::vector<std::string> paths = find_paths(inputs["wheels"]);
        arguments.insert(arguments.end(), paths.begin(), paths.end());
    }
    return arguments;
}

std::string number_or_empty(const std::optional<std::size_t>& number) {
    return number ? fmt::format("{}", *number) : "";
}

void set_outputs(const Totals& totals, const std::string& report) {
    set_output("verdict", totals.verdict);
    set_output("sass", fmt::format("{}", fmt::join(sass_names(totals.observed), " ")));
    set_output("ptx", fmt::format("{}", fmt::join(ptx_names(totals.observed), " ")));
    set_output("entries", fmt::format("{}", fmt::join(totals.entries, "\n")));
    set_output("exists", totals.exists);
    set_output("exists-key", totals.exists_key);
    set_output("matrix", totals.matrix);
    set_output("jobs", number_or_empty(totals.jobs));
    set_output("pages", number_or_empty(totals.pages));
    set_output("report", report);
}

// A command that could not begin has written no report. Without a file of its own, the step's output would name the
// report of the next one.
void report_failure(const Error& error, const std::string& report) {
    std::error_code ignored;
    if (report.empty() || fs::exists(report, ignored)) {
        return;
    }
    const json::object failed = {{"message", valid_utf8(error.what())}, {"fix", valid_utf8(error.fix())}};
    try {
        write_json(report, {{"schema", kSchema}, {"verdict", "unchecked"}, {"errors", json::array{failed}}});
    } catch (const Error&) {
        // Why the step fails is the other error.
    }
}

void warn(std::ostream& out, std::ostream& err, const std::vector<Finding>& findings) {
    print_findings(out, findings);
    if (on_github()) {
        annotate(err, findings);
    }
}

void check_command(const std::string& command) {
    if (std::find(kCommands.begin(), kCommands.end(), command) == kCommands.end()) {
        throw bad_usage(fmt::format("unknown command '{}'", printable(command)),
                        fmt::format("this version knows: {}", fmt::join(kCommands, ", ")));
    }
}

}  // namespace

ExitCode run_action(std::ostream& out, std::ostream& err, const RunCommand& run_command) {
    Totals totals;
    std::string report;
    speak_of_inputs();
    try {
        Inputs inputs = read_inputs();
        check_command(inputs["command"]);
        report = inputs["report"].empty() ? temporary("wheelarch-report") : inputs["report"];
        warn(out, err, unused_inputs(inputs));
        if (!inputs["token"].empty()) {
            set_environment("WHEELARCH_TOKEN", inputs["token"]);
        }
        if (inputs["command"] == "key" && !has_row(inputs["matrix"])) {
            throw bad_usage("the input 'matrix' is empty",
                            "give the row that is asked about, as toJSON(matrix) prints it");
        }
        std::optional<RowFile> row;
        if (has_row(inputs["matrix"])) {
            inside("the input 'matrix'", [&] { parse_matrix_row(inputs["matrix"]); });
            row.emplace(inputs["matrix"]);
        }
        const std::vector<std::string> arguments = command_line(inputs, row, report);
        out << "wheelarch " << printable(fmt::format("{}", fmt::join(arguments, " "))) << '\n';
        const ExitCode code = run_command(arguments, totals);
        if (totals.verdict.empty()) {
            totals.verdict = code == ExitCode::ok ? "ok" : "unchecked";
        }
        set_outputs(totals, report);
        return code;
    } catch (const Error& error) {
        totals.verdict = "unchecked";
        report_failure(error, report);
        set_outputs(totals, report);
        throw;
    }
}

}  // namespace wheelarch
