// The inputs of the action, as far as they do not depend on what a command does with them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"

namespace wheelarch {

struct Command;

using Inputs = std::map<std::string, std::string>;  // one that is not there is empty

// An input and its default, as action.yml has them.
struct ActionInput {
    std::string name;
    std::string otherwise;
};
const std::vector<ActionInput>& action_inputs();

// Lines, without blank ones and the white space around them.
std::vector<std::string> lines_of(std::string_view text);

// `extra-args`: one argument a line. `--name value` becomes `--name=value`, so that a value cannot pass for an option.
// Throws an Error (exit 2) if a line has two options.
std::vector<std::string> extra_arguments(std::string_view text);

// `unused-input` (a warning) if inputs are set to something else than their defaults that the command does not read.
// `token` is not looked at: its default differs from run to run.
std::vector<Finding> unused_inputs(const Inputs& inputs, const Command& command);

}  // namespace wheelarch
