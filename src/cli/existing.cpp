#include "cli/existing.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/fetched_ledger.hpp"
#include "cli/inputs.hpp"
#include "plan/gh.hpp"

namespace wheelarch {
namespace {

bool beyond_first_epoch(const Farm& farm) {
    return farm.build_epoch > 1 || std::any_of(farm.packages.begin(), farm.packages.end(),
                                               [](const Package& package) { return package.build_epoch.has_value(); });
}

Error lost_ledger(const Ledger& ledger, bool offline) {
    return unchecked(
        fmt::format("the policy says that there is a ledger (ledger: required), but there is no branch {}",
                    ledger.name()),
        fmt::format(
            "{}restore the branch; if it is lost for good, `wheelarch ledger init` begins a new one: every wheel "
            "counts as of epoch 1 then",
            offline && ledger.has_remote() ? "leave out --offline, or fetch the branch; " : ""));
}

void add_entries(Recorded& recorded, const Ledger& ledger, const Farm& farm, Listener& listener) {
    ledger.each([&](const Entry& entry) { recorded.add(recorded_wheel(entry)); });
    if (const std::vector<Finding> findings = epochs_gone_back(farm, recorded); !findings.empty()) {
        listener.say(findings);
        throw bad_usage("an epoch of the policy is behind what the ledger has recorded",
                        "an epoch never goes back, nor does it go away; each is named above");
    }
}

}  // namespace

void add_existing(Arguments& arguments, ExistingOptions& options, const std::string& otherwise) {
    arguments.text("--existing", options.existing, "FILE",
                   "the assets that exist: names, or JSON as gh prints it; - is standard input; default: " + otherwise);
    arguments.text("--repo", options.repository, "OWNER/NAME", "the repository whose releases gh is asked for");
    arguments.flag("--rebuild-replaced", options.rebuild_replaced,
                   "build what is not the recorded file too; else it is only said");
    arguments.count("--grace", options.grace_minutes, "MINUTES",
                    "for so many minutes after its upload an asset that is not the recorded file is left alone, since "
                    "its entry may be on its way");
    arguments.text("--branch", options.branch, "NAME", "the branch of the ledger, which knows the wheels' epochs");
    arguments.text("--remote", options.remote, "NAME",
                   "where that branch is; default: origin, or the only one there is");
    add_trust(arguments, options.trust_git_config);
    arguments.flag("--offline", options.offline, "go by the ledger as it was last fetched");
}

Recorded read_recorded(Ledger& ledger, const Farm& farm, const ExistingOptions& options, Listener& listener) {
    if (ledger.has_remote() && !options.offline) {
        ledger.fetch();
    }
    Recorded recorded;
    if (ledger.tip()) {
        add_entries(recorded, ledger, farm, listener);
    } else if (farm.ledger_required) {
        throw lost_ledger(ledger, options.offline);
    } else {
        listener.say(
            {{"no-ledger",
              Severity::warning,
              {},
              fmt::format("there is no ledger: no branch {}", ledger.name()),
              "every wheel counts as of epoch 1 and with an unknown list; name it with --branch and --remote if there "
              "is one"}});
    }
    return recorded;
}

AssetList existing_assets(const ExistingOptions& options, const std::set<std::string>& packages) {
    if (!options.existing.empty()) {
        return inside("--existing " + input_name(options.existing), [&] {
            const std::string text = read_text(options.existing, kMostText);
            if (text.empty() && options.existing == "-") {
                throw unchecked("it is empty, as it is when the program before it in the pipe has failed",
                                "if nothing exists, give an empty file");
            }
            return parse_assets(text);
        });
    }
    return ask_gh(release_place(options.repository, options.trust_git_config), {packages.begin(), packages.end()});
}

KnownWheels known_wheels(const Farm& farm, const ExistingOptions& options, const std::set<std::string>& packages,
                         Listener& listener) {
    KnownWheels known;
    known.assets = existing_assets(options, packages);
    listener.say(unfinished_uploads(known.assets.unfinished));
    if (farm.ledger_required || (beyond_first_epoch(farm) && !known.assets.names.empty())) {
        Ledger ledger = open_ledger(farm.root.string(), options.branch, options.remote, options.trust_git_config);
        known.recorded = read_recorded(ledger, farm, options, listener);
        return known;
    }
    // At the first epoch only sources and files can tell that a wheel is not the one: where nothing is recorded, none.
    std::optional<Ledger> ledger;
    try {
        ledger = open_ledger(farm.root.string(), options.branch, options.remote, options.trust_git_config);
    } catch (const Error& error) {
        if (error.code() == ExitCode::usage) {
            throw;
        }
        return known;
    }
    if (ledger->has_remote() && !options.offline) {
        ledger->fetch();
    }
    if (ledger->tip()) {
        add_entries(known.recorded, *ledger, farm, listener);
    }
    return known;
}

StandingOptions standing_options(const ExistingOptions& options) {
    const std::time_t since = std::time(nullptr) - static_cast<std::time_t>(options.grace_minutes) * 60;
    StandingOptions how;
    how.rebuild_replaced = options.rebuild_replaced;
    how.young_after = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(since));
    return how;
}

}  // namespace wheelarch
