#include "cli/action_inputs.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kSpace = " \t\r";

// Which commands read an input. `lint` and `shard` are errors elsewhere, and `command`, `report` and `extra-args` are
// for all.
struct Readers {
    std::string_view input;
    std::string_view standard;  // what it is set to if it is not given
    std::vector<std::string_view> commands;
};

const std::vector<Readers>& readers() {
    static const std::vector<Readers> all = {
        {"wheels", "", {"gate", "assert", "collect", "audit", "backfill"}},
        {"arch-list", "", {"gate", "assert"}},
        {"matrix", "", {"gate", "assert", "key"}},
        {"witness", "auto", {"gate", "assert", "audit", "backfill"}},
        {"cuobjdump", "", {"gate", "assert", "audit", "backfill"}},
        {"ledger-branch", "wheel-ledger", {"collect", "key", "matrix", "plan", "audit", "backfill"}},
        {"existing", "", {"key", "matrix", "plan", "audit", "backfill"}},
        {"page", "1", {"matrix", "plan"}},
        {"sources", "", {"lint", "matrix"}},
    };
    return all;
}

std::string value_of(const Inputs& inputs, std::string_view name) {
    const auto found = inputs.find(std::string(name));
    return found == inputs.end() ? "" : found->second;
}

bool is_set(const Inputs& inputs, const Readers& of) {
    const std::vector<std::string> given = lines_of(value_of(inputs, of.input));
    // Outside of a matrix its context is null.
    return !given.empty() && given != std::vector{std::string(of.standard)} &&
           !(of.input == "matrix" && given.front() == "null");
}

bool reads(const Inputs& inputs, const Readers& of, std::string_view command) {
    if (of.input == "sources" && command == "matrix") {
        return value_of(inputs, "lint") == "true";
    }
    return std::find(of.commands.begin(), of.commands.end(), command) != of.commands.end();
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

std::vector<Finding> unused_inputs(const Inputs& inputs) {
    const std::string command = value_of(inputs, "command");
    std::vector<std::string> names;
    std::vector<std::string> reasons;
    for (const Readers& of : readers()) {
        if (is_set(inputs, of) && !reads(inputs, of, command)) {
            names.push_back(fmt::format("'{}'", of.input));
            reasons.push_back(of.input == "sources" && command == "matrix"
                                  ? "'sources' is for `lint: true`"
                                  : fmt::format("'{}' is for {}", of.input, fmt::join(of.commands, ", ")));
        }
    }
    if (names.empty()) {
        return {};
    }
    return {{"unused-input",
             Severity::warning,
             {},
             fmt::format("`command: {}` does not read the input{} {}", command, names.size() > 1 ? "s" : "",
                         fmt::join(names, ", ")),
             fmt::format("leave {} out: {}", names.size() > 1 ? "them" : "it", fmt::join(reasons, "; "))}};
}

}  // namespace wheelarch
