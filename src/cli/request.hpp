// BuildRequest: what a wheel is held to, and what is known of its build, from options, a matrix row and the farm.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/finding.hpp"
#include "cli/arguments.hpp"
#include "ledger/build_facts.hpp"
#include "policy/arch_check.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

// Where a command learns how a wheel was built.
struct BuildOptions {
    std::string cell;  // a file with one matrix row, `-` for standard input, or empty
    std::string farm;  // the folder of the farm's policy; empty: the working folder, if it has one
    std::optional<std::uint64_t> build_epoch;
    std::optional<std::uint64_t> package_epoch;
    std::string source_commit;
};
void add_build(Arguments& arguments, BuildOptions& options);

// What wheels are held to.
struct RequestOptions {
    BuildOptions build;
    std::vector<std::string> wheels;
    std::string arch_list;
    std::string cuda;                         // empty: what nvcc can build is not checked
    std::string torch;                        // empty: what torch's cpp_extension takes is not checked
    std::vector<std::string> expect_members;  // GLOB=LIST
    std::string device_code = "required";     // or "none"
    bool per_member = false;
    bool count_embedded = false;  // code in the data of members counts too
};
void add_request(Arguments& arguments, RequestOptions& options);

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
BuildRequest make_request(const RequestOptions& options);

}  // namespace wheelarch
