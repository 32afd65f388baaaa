// Process: the only code that starts another program. Arguments are a list, never a shell line.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

struct ProcessResult {
    int exit_code = 0;
    bool crashed = false;    // ended by a signal, or by an exception that nobody handled
    bool timed_out = false;  // killed at the time limit
    std::string output;      // standard output
    std::string error;       // standard error
    bool cut = false;        // one of them was longer than the limit
};

// What of the environment a program gets that may be secret.
enum class PassOn {
    nothing,   // no variable whose name says that it holds a token, password or key, and no GIT_CONFIG_*
    settings,  // GIT_CONFIG_*, which git's own settings are handed on in
    all,
};

struct ProcessLimits {
    std::chrono::seconds time{600};
    std::uint64_t output = std::uint64_t{64} << 20;  // bytes of each stream that are kept
    std::filesystem::path into = {};                 // standard output goes to this file, and not into the result
    PassOn secrets = PassOn::nothing;
};

// What the action was given holds a token. Those programs that need it get it by EnvironmentChanges.
inline constexpr std::array<const char*, 2> kNotPassedOn = {"WHEELARCH_INPUTS", "WHEELARCH_TOKEN"};

// Does the environment of a program leave out this variable? kNotPassedOn it always does.
bool is_kept_back(std::string_view variable, PassOn secrets);

// What differs from the environment of this program, which is passed on but for what is kept back, and with a PATH that
// has whole paths only: variables that are set, and (without a value) such that are not.
using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

// Runs `program` with an empty standard input and waits for it. If this program is interrupted, it is ended too. Throws
// an Error (exit 3) if it cannot be started, or `limits.into` not be written.
ProcessResult run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                          const ProcessLimits& limits, const EnvironmentChanges& environment = {});

// The file name of a program: `name`, or `name.exe` on Windows.
std::string program_file(const std::string& name);

// The folders of PATH that are whole paths. Others depend on the working folder, in which anybody may have put files.
std::vector<std::filesystem::path> search_folders();
// These folders as one text, for PATH.
std::string search_path();

// The first executable file `program_file(name)` in search_folders(), or an empty path.
std::filesystem::path find_on_path(const std::string& name);

}  // namespace wheelarch
