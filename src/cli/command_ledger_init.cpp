#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/fetched_ledger.hpp"
#include "ledger/ledger.hpp"
#include "report/json.hpp"

namespace wheelarch {
namespace {

struct InitOptions {
    Outputs outputs;
    LedgerPlace place;
};

void declare(Arguments& arguments, InitOptions& options) {
    add_place(arguments, options.place);
    arguments.output(options.outputs, json_format(), "write the result as JSON; - is standard output");
}

Outcome init(const InitOptions& options, Listener&) {
    Ledger ledger = open_ledger(options.place);
    const std::string commit = ledger.init();
    Outcome outcome;
    outcome.text = fmt::format("began {}, commit {}\n", ledger.name(), commit);
    outcome.result = boost::json::object({{"schema", kSchema}, {"branch", options.place.branch}, {"commit", commit}});
    return outcome;
}

}  // namespace

Command ledger_init_command() {
    return {.name = "ledger init",
            .help = "Begin a ledger without entries: after the old one was lost, or before `ledger: required` is set",
            .example = "wheelarch ledger init",
            .bind = bind(declare, init)};
}

}  // namespace wheelarch
