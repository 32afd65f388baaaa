// The action: turns the inputs of action.yml, one JSON object in the environment variable WHEELARCH_INPUTS, into a
// command line, runs it, and sets the step's outputs. Nothing of an input is ever part of a shell script.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "report/deliver.hpp"

namespace wheelarch {

using RunCommand = std::function<ExitCode(const std::vector<std::string>& arguments)>;

// `run_command` delivers its outcome by `delivery`. The outputs are set whatever the outcome, empty where the command
// has nothing to say. Throws an Error (exit 2) on an unknown input, command or value.
ExitCode run_action(Delivery& delivery, const RunCommand& run_command);

}  // namespace wheelarch
