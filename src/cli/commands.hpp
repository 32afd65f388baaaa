// The table of commands.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace wheelarch {

// Several commands under one word, which alone is none.
struct CommandGroup {
    std::string name;
    std::string help;
    std::string example;
};

// In the order of the help.
const std::vector<Command>& commands();
const std::vector<CommandGroup>& command_groups();

// Those that the action has too, in the order in which docs and messages name them.
const std::vector<const Command*>& action_commands();
// `collect` of `ledger collect`: what the action calls it.
std::string last_word(const Command& command);

}  // namespace wheelarch
