// GitProgram: runs the machine's `git`, which knows the credentials, proxies and certificates, for one repository.
//
// Nothing that the user's configuration adds to a fetch or push for people runs: no hooks, prompts, signing, submodules
// or housekeeping. The messages are in English, whatever the locale.
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

class GitProgram {
public:
    // `token` (may be empty) is sent to the HTTP remotes among `urls`, as the only Authorization header, whatever
    // header the repository's configuration holds (actions/checkout leaves one). It goes through the environment, and
    // is struck out of what git says.
    GitProgram(std::filesystem::path git_dir, std::string token, const std::vector<std::string>& urls);

    // An Error (exit 3) if there is no git, or it crashed.
    GitRun run(const std::vector<std::string>& arguments, std::chrono::seconds time_limit) const;

    // What git said, for a message: on one line, printable, without secrets, cut at a sensible length.
    static std::string words(const GitRun& run);

private:
    std::string without_secrets(std::string text) const;

    std::filesystem::path git_dir_;
    EnvironmentChanges environment_;
    std::vector<std::string> secrets_;
};

// `https://user:password@host/x` without the part before the `@`.
std::string without_user(std::string_view url);

}  // namespace wheelarch
