#include "cli/action_inputs.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/action_line.hpp"
#include "cli/commands.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string value_of(const Inputs& inputs, const std::string& name) {
    const auto found = inputs.find(name);
    return found == inputs.end() ? "" : found->second;
}

bool is_set(const Inputs& inputs, const ActionInput& input) {
    const std::vector<std::string> given = lines_of(value_of(inputs, input.name));
    // Outside of a matrix its context is null.
    return !given.empty() && given != std::vector{input.otherwise} &&
           !(input.name == "matrix" && given.front() == "null");
}

// For every command, or refused by those that do not take it; the default of `token` differs from run to run.
bool is_always_heard(const std::string& input) {
    constexpr std::string_view kAll[] = {"command", "farm", "token", "report", "extra-args", "lint", "shard"};
    return std::find(std::begin(kAll), std::end(kAll), input) != std::end(kAll);
}

// Which of the inputs a command asks for.
std::set<std::string> read_by(const Command& command, bool with_lint) {
    ActionLine line({{"lint", with_lint ? "true" : ""}}, {});
    try {
        command.from_action(line);
    } catch (const Error&) {
        // for want of one that it must have
    }
    return line.taken();
}

std::vector<std::string> readers(const std::string& input) {
    std::vector<std::string> names;
    for (const Command* command : action_commands()) {
        if (read_by(*command, true).contains(input)) {
            names.push_back(last_word(*command));
        }
    }
    return names;
}

std::string argument(const std::string& line) {
    const std::size_t end = line.find_first_of(std::string(kSpace) + "=");
    if (!line.starts_with("--") || end == std::string::npos || line[end] == '=') {
        return line;
    }
    const std::string value = line.substr(line.find_first_not_of(kSpace, end));
    if (value.starts_with("--")) {
        throw bad_usage(fmt::format("the input 'extra-args' has two options in one line: '{}'", printable(line)),
                        "write one option a line, with its value behind a '='");
    }
    return line.substr(0, end) + "=" + value;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
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

std::vector<std::string> extra_arguments(std::string_view text) {
    std::vector<std::string> arguments = lines_of(text);
    std::transform(arguments.begin(), arguments.end(), arguments.begin(), argument);
    return arguments;
}

const std::vector<ActionInput>& action_inputs() {
    static const std::vector<ActionInput> all = {
        {"command", "gate"}, {"wheels", ""},      {"arch-list", ""}, {"matrix", ""},
        {"farm", ""},        {"witness", "auto"}, {"cuobjdump", ""}, {"ledger-branch", "wheel-ledger"},
        {"token", ""},       {"existing", ""},    {"page", "1"},     {"lint", "false"},
        {"sources", ""},     {"shard", ""},       {"report", ""},    {"extra-args", ""},
    };
    return all;
}

std::vector<Finding> unused_inputs(const Inputs& inputs, const Command& command) {
    std::vector<std::string> names;
    std::vector<std::string> reasons;
    const std::set<std::string> heard = read_by(command, value_of(inputs, "lint") == "true");
    const std::set<std::string> with_lint = read_by(command, true);
    for (const ActionInput& input : action_inputs()) {
        if (is_set(inputs, input) && !is_always_heard(input.name) && !heard.contains(input.name)) {
            names.push_back(fmt::format("'{}'", input.name));
            reasons.push_back(with_lint.contains(input.name)
                                  ? fmt::format("'{}' is for `lint: true`", input.name)
                                  : fmt::format("'{}' is for {}", input.name, fmt::join(readers(input.name), ", ")));
        }
    }
    if (names.empty()) {
        return {};
    }
    return {{"unused-input",
             Severity::warning,
             {},
             fmt::format("`command: {}` does not read the input{} {}", last_word(command), names.size() > 1 ? "s" : "",
                         fmt::join(names, ", ")),
             fmt::format("leave {} out: {}", names.size() > 1 ? "them" : "it", fmt::join(reasons, "; "))}};
}

}  // namespace wheelarch
