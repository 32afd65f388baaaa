// Published wheels, as a command line names them: files and folders, or the releases of a farm.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "audit/wheel_source.hpp"
#include "cli/arguments.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

// Wheels that hang on the releases of a farm.
struct ReleaseOptions {
    bool ask_gh = false;
    std::string repository;             // OWNER/NAME for gh; empty: its own choice
    std::string existing;               // a file with the assets; empty: gh is asked
    std::vector<std::string> packages;  // empty: all of the farm's policy, or of the file

    bool any() const { return ask_gh || !repository.empty() || !existing.empty(); }
};
void add_releases(Arguments& arguments, ReleaseOptions& releases);

// `farm` is the policy if there is one, whose packages are asked for if none is named; else null. Throws an Error: exit
// 2 if nothing is named, or files and releases both, or an unknown package; exit 3 if there is no wheel.
std::unique_ptr<WheelSource> find_published(const std::vector<std::string>& paths, const ReleaseOptions& releases,
                                            const Farm* farm, bool trust_git_config);

}  // namespace wheelarch
