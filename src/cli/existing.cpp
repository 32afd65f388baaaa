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

void add_entries(Recorded& recorded, const Ledger& ledger, const Farm& farm, Streams streams) {
    ledger.each([&](const Entry& entry) { recorded.add(recorded_wheel(entry)); });
    if (const std::vector<Finding> findings = epochs_gone_back(farm, recorded); !findings.empty()) {
        say(findings, streams);
        throw bad_usage("an epoch of the policy is behind what the ledger has recorded",
                        "an epoch never goes back, nor does it go away; each is named above");
    }
}

}  // namespace

Recorded read_recorded(Ledger& ledger, const Farm& farm, const ExistingOptions& options, Streams streams) {
    if (ledger.has_remote() && !options.offline) {
        ledger.fetch();
    }
    Recorded recorded;
    if (ledger.tip()) {
        add_entries(recorded, ledger, farm, streams);
    } else if (farm.ledger_required) {
        throw lost_ledger(ledger, options.offline);
    } else {
        say({{"no-ledger",
              Severity::warning,
              {},
              fmt::format("there is no ledger: no branch {}", ledger.name()),
              "every wheel counts as of epoch 1 and with an unknown list; name it with --branch and --remote if there "
              "is one"}},
            streams);
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
                         Streams streams) {
    KnownWheels known;
    known.assets = existing_assets(options, packages);
    say(unfinished_uploads(known.assets.unfinished), streams);
    if (farm.ledger_required || (beyond_first_epoch(farm) && !known.assets.names.empty())) {
        Ledger ledger = open_ledger(farm.root.string(), options.branch, options.remote, options.trust_git_config);
        known.recorded = read_recorded(ledger, farm, options, streams);
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
        add_entries(known.recorded, *ledger, farm, streams);
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
