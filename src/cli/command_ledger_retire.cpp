#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/existing.hpp"
#include "cli/fetched_ledger.hpp"
#include "cli/inputs.hpp"
#include "ledger/append_plan.hpp"
#include "ledger/ledger.hpp"
#include "plan/assets.hpp"
#include "report/json.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

struct RetireOptions {
    Outputs outputs;
    LedgerPlace place;
    std::vector<std::string> names;  // of wheels
    std::string from;                // a file with more of them, or empty
    ExistingOptions existing;
};

void declare(Arguments& arguments, RetireOptions& options) {
    arguments.any("NAME", options.names, "file names of wheels");
    arguments.text("--from", options.from, "FILE", "a list of more of them, one a line; - is standard input");
    arguments.text("--existing", options.existing.existing, "FILE",
                   "the assets that exist, none of which may be retired; default: ask gh");
    arguments.text("--repo", options.existing.repository, "OWNER/NAME",
                   "the repository whose releases gh is asked for");
    add_place(arguments, options.place);
    arguments.output(options.outputs, json_format(), "write the result as JSON; - is standard output");
}

// Exit 1 if a wheel is still served.
Outcome retire(const RetireOptions& options, Listener& listener) {
    std::vector<std::string> names = options.names;
    if (!options.from.empty()) {
        const AssetList list = inside("--from " + input_name(options.from),
                                      [&] { return parse_assets(read_text(options.from, kMostText)); });
        names.insert(names.end(), list.names.begin(), list.names.end());
    }
    if (names.empty()) {
        throw bad_usage("no wheel is named",
                        "give file names, or a list of them with --from; `wheelarch plan` has those "
                        "that could be retired");
    }
    std::set<std::string> packages;
    std::set<std::string> keys;
    for (const std::string& name : names) {
        inside(printable(name), [&] { packages.insert(normal_name(parse_wheel_name(name).distribution)); });
        keys.insert(wheel_key(name));
    }
    // Without its record a wheel that is still served would count as one of which nothing is known: at the first epoch
    // as a current one.
    std::vector<std::string> served;
    for (const std::string& asset : existing_assets(options.existing, packages).names) {
        if (keys.contains(wheel_key(asset))) {
            served.push_back(asset);
        }
    }
    if (!served.empty()) {
        listener.say({{"still-served",
                       Severity::error,
                       {},
                       fmt::format("{} still on the releases: {}",
                                   served.size() == 1 ? "1 of the wheels is"
                                                      : fmt::format("{} of the wheels are", served.size()),
                                   printable(enumerate(served, 3))),
                       "prune the assets first, then retire what is recorded of them"}});
        Outcome served_still;
        served_still.code = ExitCode::findings;
        return served_still;
    }
    Ledger ledger = open_ledger(options.place);
    const Ledger::Retired retired = ledger.retire(names);
    json::array gone;
    for (const std::string& name : retired.names) {
        gone.emplace_back(valid_utf8(name));
    }
    Outcome outcome;
    outcome.text = retired.names.empty()
                       ? "nothing is recorded of them\n"
                       : fmt::format("retired {} in {}, commit {}\n", count_of(retired.names.size(), "wheel"),
                                     ledger.name(), retired.commit);
    outcome.result = json::object({{"schema", kSchema},
                                   {"branch", options.place.branch},
                                   {"commit", retired.commit.empty() ? json::value() : json::value(retired.commit)},
                                   {"retired", std::move(gone)}});
    return outcome;
}

}  // namespace

Command ledger_retire_command() {
    return {.name = "ledger retire",
            .help = "Take away the records of wheels that were pruned from the releases",
            .example = "wheelarch ledger retire --existing assets.json pkg-1.0-cp39-cp39-linux_x86_64.whl",
            .bind = bind(declare, retire)};
}

}  // namespace wheelarch
