#include "cli/action.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "base/environment.hpp"
#include "base/text.hpp"
#include "cli/action_line.hpp"
#include "cli/commands.hpp"
#include "report/github.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

ActionInputs read_inputs() {
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
    ActionInputs inputs;
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

}  // namespace

ExitCode run_action(Delivery& delivery, const RunCommand& run_command) {
    std::string report;
    try {
        ActionInputs inputs = read_inputs();
        const Command& command = find_action_command(inputs["command"]);
        report = inputs["report"].empty() ? temporary_path("wheelarch-report.json") : inputs["report"];
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
    } catch (const Error&) {
        delivery.step_outputs()["verdict"] = "unchecked";
        delivery.step_outputs()["report"] = report;
        set_outputs(delivery.step_outputs());
        throw;
    }
}

}  // namespace wheelarch
