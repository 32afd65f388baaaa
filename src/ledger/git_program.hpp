// GitProgram: runs the machine's `git`, which knows the credentials, proxies and certificates, for one repository.
//
// Nothing that the user's configuration adds to a fetch or push for people runs: no hooks, prompts, signing, submodules
// or housekeeping. Transports are https, http, ssh and folders. The messages are in English, whatever the locale.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.hpp"

namespace wheelarch {

struct GitRun {
    int exit_code = 0;
    bool timed_out = false;
    std::string output = {};
    std::string error = {};

    bool ok() const noexcept { return exit_code == 0 && !timed_out; }
};

// Where git goes, and why.
struct GitRoute {
    std::string asked;  // the address as it was given
    std::string used;   // what `insteadOf` of the configuration makes of it
};

struct GitAccess {
    std::string token = {};             // may be empty
    std::vector<GitRoute> routes = {};  // of fetching and pushing
    bool trusted = false;               // the repository's own configuration is: it may bring other transports
};

class GitProgram {
public:
    // The token is sent to the HTTP remotes among the routes, as the only Authorization header, whatever header the
    // repository's configuration holds (actions/checkout leaves one): to the server that was asked for, by https
    // (git_address.hpp has the rule). It goes through the environment, and is struck out of what git says. Where it is
    // sent, no program that keeps or asks for credentials starts, and git gets no other secret of the environment.
    GitProgram(std::filesystem::path git_dir, GitAccess access);

    // An Error (exit 3) if there is no git, or it crashed.
    GitRun run(const std::vector<std::string>& arguments, std::chrono::seconds time_limit) const;

    // What git said, for a message: on one line, printable, without secrets, cut at a sensible length.
    static std::string words(const GitRun& run);

private:
    std::string without_secrets(std::string text) const;
    void require_allowed() const;

    std::filesystem::path git_dir_;
    GitAccess access_;
    EnvironmentChanges environment_;
    bool sends_token_ = false;
    std::string withheld_;  // why the token is not sent, for the words of a git that failed
    std::vector<std::string> secrets_;
};

}  // namespace wheelarch
