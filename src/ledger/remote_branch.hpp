// RemoteBranch: a branch of a remote and its remote-tracking reference, moved by `git`.
//
// A push names the commit that the branch must stand at (`--force-with-lease`), so the server compares and swaps; a
// fetch never goes back in history. What became of a transfer is told from git's exit code, its `--porcelain` lines and
// where the branch stands afterwards; git's words decide only whether trying again can help.
#pragma once

#include <optional>
#include <string>

#include "ledger/git_program.hpp"
#include "ledger/git_repo.hpp"
#include "ledger/writer_lock.hpp"

namespace wheelarch {

struct Transfer {
    enum class Outcome {
        done,
        lost,     // the branch has moved: another writer was first
        again,    // something passing: a lock, a server in trouble, a connection
        refused,  // for good
    };
    Outcome outcome = Outcome::done;
    std::string words = {};  // of git, unless done
};

class RemoteBranch {
public:
    RemoteBranch(const GitRepo& repo, GitProgram git, std::string remote, const std::string& branch);

    const std::string& remote() const noexcept { return remote_; }
    const std::string& tracking_ref() const noexcept { return tracking_; }

    // Sets the remote-tracking reference to where the branch is, with all objects; in a shallow repository without its
    // history. A branch that the remote does not have yet is fine. Never `lost`. An Error (exit 3) if the branch was
    // rewritten or deleted since it was last fetched.
    Transfer fetch(Deadline deadline) const;
    // Moves the branch from `expected` (empty: it does not exist) to `commit`.
    Transfer push(const GitId& commit, const GitId& expected, Deadline deadline) const;
    // Does the history of `commit` hold `ancestor`?
    bool descends(const GitId& commit, const GitId& ancestor, Deadline deadline) const;

private:
    struct Remote {
        enum class State { there, absent, unreachable } state = State::unreachable;
        GitId commit = {};
    };
    Remote look(Deadline deadline) const;
    [[noreturn]] void report_rewritten(const GitId& before, const GitId& now) const;

    const GitRepo* repo_;
    GitProgram git_;
    std::string remote_;
    std::string branch_ref_;
    std::string tracking_;
};

}  // namespace wheelarch
