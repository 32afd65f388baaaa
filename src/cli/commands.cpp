#include "cli/commands.hpp"

namespace wheelarch {

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

}  // namespace wheelarch
