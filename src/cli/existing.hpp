// What a farm command asks about the wheels that exist: the lists of assets, and the ledger.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "cli/arguments.hpp"
#include "ledger/ledger.hpp"
#include "plan/assets.hpp"
#include "plan/exists.hpp"
#include "plan/recorded.hpp"
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
    bool offline = false;  // the ledger as it is here, without a fetch
};
// `otherwise`: who is asked without a file.
void add_existing(Arguments& arguments, ExistingOptions& options, const std::string& otherwise);

// Who is asked about: their releases, and whether the ledger has a say.
struct Asked {
    std::set<std::string> packages;
    bool beyond_first_epoch = false;

    void add(const Farm& farm, const Package& package);
};

// A ledger that is not there yet is empty, which is said: after a bump it would rebuild everything.
Recorded read_recorded(Ledger& ledger, const ExistingOptions& options, Listener& listener);

// From the list that the options name, else from gh. Throws an Error (exit 3) if it cannot be had.
AssetList existing_assets(const ExistingOptions& options, const std::set<std::string>& packages);
ExistsCheck exists_check(const std::string& farm, const ExistingOptions& options, const Asked& asked,
                         Listener& listener);

}  // namespace wheelarch
