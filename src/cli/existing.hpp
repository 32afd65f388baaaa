// What a farm command asks about the wheels that exist: the lists of assets, and the ledger.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "cli/options.hpp"
#include "cli/reading.hpp"
#include "ledger/ledger.hpp"
#include "plan/assets.hpp"
#include "plan/exists.hpp"
#include "plan/recorded.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

inline constexpr std::uint64_t kMostText = std::uint64_t{256} << 20;  // bytes of a list or a matrix

// Who is asked about: their releases, and whether the ledger has a say.
struct Asked {
    std::set<std::string> packages;
    bool beyond_first_epoch = false;

    void add(const Farm& farm, const Package& package);
};

// A ledger that is not there yet is empty, which is said: after a bump it would rebuild everything.
Recorded read_recorded(Ledger& ledger, const ExistingOptions& options, Streams streams);

// From the list that the options name, else from gh. Throws an Error (exit 3) if it cannot be had.
AssetList existing_assets(const ExistingOptions& options, const std::set<std::string>& packages);
ExistsCheck exists_check(const std::string& farm, const ExistingOptions& options, const Asked& asked, Streams streams);

}  // namespace wheelarch
