// Parsing: which command was named, with its options. What is not known comes with the nearest that is.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace wheelarch {

struct Invocation {
    BoundCommand command;
    std::string answer;  // to --help or --version; there is no command then
};

// `arguments` without the program's name. Throws an Error (exit 2) that says what is wrong with them.
Invocation parse(const std::vector<std::string>& arguments);

}  // namespace wheelarch
