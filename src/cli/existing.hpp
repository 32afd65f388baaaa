// What a farm command asks about the wheels that exist: the lists of assets, and the ledger.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "cli/arguments.hpp"
#include "ledger/ledger.hpp"
#include "plan/assets.hpp"
#include "plan/recorded.hpp"
#include "plan/standing.hpp"
#include "policy/farm.hpp"
#include "report/outcome.hpp"

namespace wheelarch {

inline constexpr std::uint64_t kMostText = std::uint64_t{256} << 20;  // bytes of a list or a matrix

// How a farm command learns which wheels exist.
struct ExistingOptions {
    std::string existing;    // a file of assets, `-` for standard input; empty: gh is asked
    std::string repository;  // OWNER/NAME for gh; empty: its own choice
    std::string branch = "wheel-ledger";
    std::string remote;
    bool trust_git_config = false;
    bool offline = false;           // the ledger as it is here, without a fetch
    bool rebuild_replaced = false;  // what is not the recorded file
    unsigned grace_minutes = 60;    // that an asset is left alone for after its upload
};
// `otherwise`: who is asked without a file.
void add_existing(Arguments& arguments, ExistingOptions& options, const std::string& otherwise);

// A ledger that is not there yet is empty, which is said: after a bump it would rebuild everything. Throws an Error:
// exit 3 if the policy says that it is there, exit 2 if an epoch of the policy is behind what it has recorded.
Recorded read_recorded(Ledger& ledger, const Farm& farm, const ExistingOptions& options, Listener& listener);

// From the list that the options name, else from gh. Throws an Error (exit 3) if it cannot be had.
AssetList existing_assets(const ExistingOptions& options, const std::set<std::string>& packages);

// The assets of the packages in question, and what is recorded. At the first epoch of a farm that does not require a
// ledger there need not be one, nor a repository; that is not said then.
struct KnownWheels {
    AssetList assets;
    Recorded recorded;
};
KnownWheels known_wheels(const Farm& farm, const ExistingOptions& options, const std::set<std::string>& packages,
                         Listener& listener);

StandingOptions standing_options(const ExistingOptions& options);

}  // namespace wheelarch
