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

// One command a file: src/cli/command_<name>.cpp.
Command inspect_command();
Command assert_command();
Command gate_command();
Command stamp_command();
Command ledger_record_command();
Command ledger_collect_command();
Command ledger_show_command();
Command ledger_list_command();
Command ledger_backfill_command();
Command key_command();
Command matrix_command();
Command plan_command();
Command lint_command();
Command audit_command();
Command coverage_command();

}  // namespace wheelarch
