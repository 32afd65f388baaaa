// The action: turns the inputs of action.yml, one JSON object in the environment variable WHEELARCH_INPUTS, into a
// command line, runs it, and sets the step's outputs. Nothing of an input is ever part of a shell script.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "base/arch.hpp"
#include "base/error.hpp"

namespace wheelarch {

// What a command found, for the step's outputs.
struct AssertTotals {
    ArchSet observed;
};

using RunCommand = std::function<ExitCode(const std::vector<std::string>& arguments, AssertTotals& totals)>;

// Outputs: verdict (match, mismatch, unchecked), sass, ptx, report. They are set whatever the outcome. Throws an Error
// (exit 2) on an unknown input, command or value.
ExitCode run_action(std::ostream& out, const RunCommand& run_command);

}  // namespace wheelarch
