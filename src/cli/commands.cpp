#include "cli/commands.hpp"

#include <algorithm>

namespace wheelarch {

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
Command ledger_retire_command();
Command ledger_init_command();
Command key_command();
Command matrix_command();
Command plan_command();
Command lint_command();
Command audit_command();
Command coverage_command();

const std::vector<Command>& commands() {
    static const std::vector<Command> all = {
        inspect_command(),
        assert_command(),
        gate_command(),
        stamp_command(),
        ledger_record_command(),
        ledger_collect_command(),
        ledger_show_command(),
        ledger_list_command(),
        ledger_backfill_command(),
        ledger_retire_command(),
        ledger_init_command(),
        key_command(),
        matrix_command(),
        plan_command(),
        lint_command(),
        audit_command(),
        coverage_command(),
        {.name = "action",
         .help = "What action.yml runs: reads its inputs from WHEELARCH_INPUTS",
         .example = {},
         .bind = [](Arguments&) { return BoundCommand(); }},
    };
    return all;
}

const std::vector<CommandGroup>& command_groups() {
    static const std::vector<CommandGroup> all = {
        {"ledger", "What is recorded of every published wheel, on a branch of its own",
         "wheelarch ledger show pkg-1.0-cp312-cp312-linux_x86_64.whl"},
    };
    return all;
}

const std::vector<const Command*>& action_commands() {
    static const std::vector<const Command*> all = [] {
        std::vector<const Command*> found;
        for (const char* name : {"gate", "assert", "collect", "key", "lint", "matrix", "plan", "audit", "backfill"}) {
            found.push_back(&*std::find_if(commands().begin(), commands().end(),
                                           [&](const Command& one) { return last_word(one) == name; }));
        }
        return found;
    }();
    return all;
}

std::string last_word(const Command& command) {
    return command.name.substr(command.name.rfind(' ') + 1);
}

}  // namespace wheelarch
