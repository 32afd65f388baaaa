// Ledger: which arch list was a wheel built with? A git branch with one JSON file per wheel, `<package>/<wheel
// file>.json` (entry.hpp). Commits are made by libgit2 in the repository's object store, so no work tree or index is
// touched; with a remote, the machine's `git` fetches and pushes them (git_program.hpp).
//
// Any number of processes and machines may write at once. A commit goes onto the tip that it was made from, or not at
// all, and holds all of its entries; a writer that lost a race starts again from the new tip.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "ledger/entry.hpp"

namespace wheelarch {

struct LedgerOptions {
    std::filesystem::path farm = ".";      // a folder of the repository
    std::string branch = "wheel-ledger";   // without `refs/heads/`
    std::string remote = {};               // empty: `origin`, else the only one; a repository without remotes: none
    std::string token = {};                // for an HTTP remote; never shown, and on no command line
    bool trust_config = false;             // the repository's own configuration is followed, whatever it says
    std::chrono::seconds time_limit{600};  // of one fetch() or append(), with all waiting for others
};

struct AppendOptions {
    bool replace = false;  // a wheel that is recorded differently: the new record takes the place of the old, except
                           // that what is inferred never takes the place of what the build recorded
    bool all_or_none = false;  // else what is refused is left out, and the rest recorded
    std::string message = {};  // of the commit; empty: made from the names
};

struct Appended {
    std::string commit = {};  // the new one; the tip as it was if nothing had to change; empty if all is refused
    std::size_t added = 0;
    std::size_t replaced = 0;
    std::size_t carried = 0;  // now valid for a later epoch, and otherwise the same
    std::size_t unchanged = 0;
    std::size_t kept = 0;  // inferred now, but recorded by its build already
    std::size_t tries = 0;
    // What was left out: a wheel is recorded differently (`already-recorded`), by a newer build
    // (`older-than-recorded`), or is there twice in what was given (`recorded-twice`).
    std::vector<Finding> refused = {};
};

class Ledger {
public:
    struct Tip {
        std::string ref;  // where it was found, e.g. `refs/remotes/origin/wheel-ledger`
        std::string commit;
        std::int64_t time = 0;  // of the commit, in seconds since 1970
    };

    // Opens the repository that `farm` lies in: with a work tree, bare, a linked worktree, shallow. An Error (exit 3)
    // if there is none or it cannot be read, (exit 2) if the branch or the remote has an impossible name.
    explicit Ledger(LedgerOptions options);
    Ledger(Ledger&&) noexcept;
    Ledger& operator=(Ledger&&) noexcept;
    ~Ledger();

    // For messages: `wheel-ledger of origin`, or `wheel-ledger` if there is no remote.
    std::string name() const;
    // Is there a remote, so that fetch() has something to do?
    bool has_remote() const;

    // Reading goes without the network, and by what is in the repository: the remote's branch as it was last fetched,
    // else the local branch of that name. An Error (exit 3) names the file of the ledger that cannot be read.

    // Nothing, if there is no such branch.
    std::optional<Tip> tip() const;
    // The record of a wheel. One that is recorded under another spelling of its name (order of tags, case of the
    // version) is found too. An Error (exit 3) if this is no wheel file name.
    std::optional<Entry> find(std::string_view wheel_file_name) const;
    // All records, in the order of their paths. The second form hands on the path, and what reads the text as it is; it
    // throws an Error (exit 3) if that is too large, for that file alone.
    void each(const std::function<void(const Entry&)>& take) const;
    using ReadText = std::function<std::string()>;
    void each_text(const std::function<void(const std::string& path, const ReadText& read)>& take) const;

    // Brings the remote's branch here; without a remote, or if the remote has no such branch yet, nothing happens.
    // An Error (exit 3) if the branch was rewritten or deleted there.
    void fetch();
    // Records all entries but those that are refused, in one commit. An entry that is recorded already changes nothing,
    // nor does an inferred one of a wheel whose build recorded it (append_plan.hpp has the rules). An Error (exit 3)
    // leaves the branch as it was; if the machine dies, it is as it was or complete, and doing it again completes it.
    Appended append(std::vector<Entry> entries, const AppendOptions& options = {});
    // Takes the records of these wheels away, in one commit, under any spelling of their names; those that are not
    // recorded are passed over. How many there were.
    struct Retired {
        std::string commit = {};  // as in Appended
        std::vector<std::string> names = {};
    };
    Retired retire(const std::vector<std::string>& wheels);
    // Begins a ledger without entries. An Error (exit 2) if there is one.
    std::string init();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wheelarch
