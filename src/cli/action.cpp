#include "cli/action.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "base/environment.hpp"
#include "base/text.hpp"
#include "cli/action_line.hpp"
#include "cli/commands.hpp"
#include "report/github.hpp"
#include "report/json.hpp"
#include "report/text.hpp"
#include "report/wording.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

Inputs read_inputs() {
    const std::string text = environment("WHEELARCH_INPUTS");
    boost::system::error_code failure;
    const json::value parsed = json::parse(text, failure);
    if (failure || !parsed.is_object()) {
        throw bad_usage("WHEELARCH_INPUTS does not hold a JSON object of the action's inputs",
                        "`wheelarch action` is what action.yml runs; on a command line, use the commands themselves");
    }
    std::vector<std::string> known;
    std::transform(action_inputs().begin(), action_inputs().end(), std::back_inserter(known),
                   [](const ActionInput& input) { return input.name; });
    Inputs inputs;
    for (const auto& [key, value] : parsed.as_object()) {
        const std::string name(key);
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw bad_usage(fmt::format("unknown input '{}'", printable(name)),
                            nearest_name(name, known).empty()
                                ? "the inputs are: " + enumerate(known, known.size())
                                : fmt::format("the nearest input is '{}'", nearest_name(name, known)));
        }
        if (!value.is_string()) {
            throw bad_usage(fmt::format("input '{}' is not text", name));
        }
        inputs[name] = value.as_string();
    }
    return inputs;
}

const Command& find_action_command(const std::string& name) {
    std::vector<std::string> known;
    for (const Command* command : action_commands()) {
        if (last_word(*command) == name) {
            return *command;
        }
        known.push_back(last_word(*command));
    }
    throw bad_usage(fmt::format("unknown command '{}'", printable(name)),
                    fmt::format("this version knows: {}", fmt::join(known, ", ")));
}

// `ledger`, `collect`.
std::vector<std::string> words(const std::string& name) {
    const std::size_t space = name.find(' ');
    return space == std::string::npos ? std::vector<std::string>{name}
                                      : std::vector<std::string>{name.substr(0, space), name.substr(space + 1)};
}

// A command that could not begin has written no report. Without a file of its own, the step's output would name the
// report of the next one.
void report_failure(Delivery& delivery, const Error& error, const std::string& report) {
    std::error_code ignored;
    if (report.empty() || std::filesystem::exists(report, ignored)) {
        return;
    }
    const json::object failed = {{"message", valid_utf8(error.what())}, {"fix", valid_utf8(error.fix())}};
    Outcome outcome;
    outcome.result = json::object({{"schema", kSchema}, {"verdict", "unchecked"}, {"errors", json::array{failed}}});
    Outputs outputs;
    outputs.offer(json_format()) = report;
    try {
        delivery.write(outcome, outputs);
    } catch (const Error&) {
        // Why the step fails is the other error.
    }
}

}  // namespace

ExitCode run_action(Delivery& delivery, const RunCommand& run_command) {
    std::string report;
    speak_of_inputs();
    try {
        Inputs inputs = read_inputs();
        const Command& command = find_action_command(inputs["command"]);
        report = inputs["report"].empty() ? temporary_path("wheelarch-report") : inputs["report"];
        const std::vector<Finding> unused = unused_inputs(inputs, command);
        delivery.text(findings_text(unused));
        delivery.annotate(located(unused));
        if (!inputs["token"].empty()) {
            set_environment("WHEELARCH_TOKEN", inputs["token"]);
        }
        ActionLine line(std::move(inputs), words(command.name));
        command.from_action(line);
        const std::vector<std::string> arguments = line.finish(report);
        delivery.text("wheelarch " + printable(fmt::format("{}", fmt::join(arguments, " "))) + '\n');
        const ExitCode code = run_command(arguments);
        std::string& verdict = delivery.step_outputs()["verdict"];
        if (verdict.empty()) {
            verdict = code == ExitCode::ok ? "ok" : "unchecked";
        }
        delivery.step_outputs()["report"] = report;
        set_outputs(delivery.step_outputs());
        return code;
    } catch (const Error& error) {
        report_failure(delivery, error, report);
        delivery.step_outputs()["verdict"] = "unchecked";
        delivery.step_outputs()["report"] = report;
        set_outputs(delivery.step_outputs());
        throw;
    }
}

}  // namespace wheelarch
