// The ledger as commands open it, with the token of the environment; and its tip as an audit needs it: a ledger that
// was not asked for is not one that is empty.
#pragma once

#include <optional>
#include <string>

#include "ledger/ledger.hpp"

namespace wheelarch {

Ledger open_ledger(const std::string& farm, const std::string& branch, const std::string& remote, bool trust_config);

// Fetches it, unless `offline`. None if there is no such branch: not at the remote, or, where there is no remote, not
// here. Throws an Error (exit 3) if it is offline and was never fetched from the remote.
std::optional<Ledger::Tip> fetched_tip(Ledger& ledger, bool offline);

}  // namespace wheelarch
