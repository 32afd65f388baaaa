// Run: from the command line to the exit code.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace wheelarch {

// Runs `wheelarch ARGUMENTS...`. Results go to `out`, errors to `err`. Throws nothing: an Error is printed and becomes
// the exit code.
ExitCode run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

}  // namespace wheelarch
