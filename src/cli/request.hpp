// BuildRequest: what a wheel is held to, and what is known of its build, from options, a matrix row and the farm.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/finding.hpp"
#include "cli/options.hpp"
#include "ledger/build_facts.hpp"
#include "policy/arch_check.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

// What is known of a build before its wheel is looked at.
struct Build {
    BuildFacts facts;               // of the options and the matrix row
    std::optional<Farm> farm;       // if there is a policy
    std::vector<Finding> findings;  // about the row itself
};

// Is it the folder of a farm's policy?
bool has_policy(const std::filesystem::path& folder);

// Throws an Error (exit 2) if options and row contradict each other, or the policy is wrong.
Build read_build(const BuildOptions& options, const std::string& arch_list);

// With what the wheel's file name and the farm add: the package's epoch and the exists-check key.
BuildFacts completed(const Build& build, const WheelName& wheel);

struct BuildRequest {
    Build build;
    Requirement requirement;
    std::vector<Finding> findings;  // about the list, and where the row is not the policy's
};

// The archs that are requested by options, row or policy. Throws an Error (exit 2) if nothing is requested, or
// something that no build could make.
BuildRequest make_request(const AssertOptions& options);

}  // namespace wheelarch
