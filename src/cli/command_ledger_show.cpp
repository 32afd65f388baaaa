#include <filesystem>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/fetched_ledger.hpp"
#include "report/json.hpp"
#include "report/ledger.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

struct ShowOptions {
    Outputs outputs;
    LedgerPlace place;
    std::string name;
    bool fetch = false;
};

void declare(Arguments& arguments, ShowOptions& options) {
    arguments.one_required("NAME", options.name, "the wheel's file name, or a path to it");
    arguments.flag("--fetch", options.fetch, "fetch the branch first");
    add_place(arguments, options.place);
    arguments.output(options.outputs, json_format(), "write the result as JSON; - is standard output");
}

// Exit 1 if the wheel is not recorded.
Outcome show_entry(const ShowOptions& options, Listener& listener) {
    const std::string name = std::filesystem::path(options.name).filename().string();
    inside(printable(name), [&] { parse_wheel_name(name); });
    Ledger ledger = open_ledger(options.place);
    const Ledger::Tip tip = find_tip(ledger, options.fetch);
    const std::optional<Entry> entry = ledger.find(name);
    Outcome outcome;
    outcome.result = json::object(
        {{"schema", kSchema}, {"ledger", tip_json(tip)}, {"entry", entry ? json::value(entry->json) : json::value()}});
    if (!entry) {
        const bool may_be_old = ledger.has_remote() && !options.fetch;
        listener.say({{"unrecorded", Severity::error, name,
                       fmt::format("nothing is recorded of it in {} at {}", tip.ref, tip.commit.substr(0, 12)),
                       fmt::format("{}`wheelarch ledger list` has the names",
                                   may_be_old ? "--fetch brings the ledger up to date; " : "")}});
        outcome.code = ExitCode::findings;
        return outcome;
    }
    outcome.text = entry_text(*entry) + tip_text(tip);
    return outcome;
}

}  // namespace

Command ledger_show_command() {
    return {.name = "ledger show",
            .help = "What is recorded of a wheel, and what it replaced",
            .example = "wheelarch ledger show flash_attn-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl",
            .bind = bind(declare, show_entry)};
}

}  // namespace wheelarch
