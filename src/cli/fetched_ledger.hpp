// The ledger as commands open it, with the token of the environment; and its tip as an audit needs it: a ledger that
// was not asked for is not one that is empty.
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "ledger/ledger.hpp"

namespace wheelarch {

// Options of every command on the ledger.
struct LedgerPlace {
    std::string farm = ".";  // a folder in the repository
    std::string branch = "wheel-ledger";
    std::string remote;  // empty: the one there is
    bool trust_git_config = false;
};
// --trust-git-config, of commands that open the repository of a ledger.
void add_trust(Arguments& arguments, bool& trust_git_config);
void add_place(Arguments& arguments, LedgerPlace& place);

Ledger open_ledger(const LedgerPlace& place);
Ledger open_ledger(const std::string& farm, const std::string& branch, const std::string& remote, bool trust_config);

// The ledger as it is here, or was just fetched. Throws an Error (exit 3) for one that is not here: it would read as an
// empty one.
Ledger::Tip find_tip(Ledger& ledger, bool fetch);

// Fetches it, unless `offline`. None if there is no such branch: not at the remote, or, where there is no remote, not
// here. Throws an Error (exit 3) if it is offline and was never fetched from the remote.
std::optional<Ledger::Tip> fetched_tip(Ledger& ledger, bool offline);

}  // namespace wheelarch
