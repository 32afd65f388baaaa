// Farm: the policy of a wheel farm, read from its YAML. Two layouts are known, told apart by what is there:
//
//   flat   packages/_defaults.yml (combinations, platforms, defaults, build_epoch), packages/_arch_policy.yml
//          (arch_policy, arch_policy_aarch64, arch_exceptions, ptx_tail; or the same keys in _defaults.yml),
//          packages/<name>.yml, scripts/phantom_combos.json
//   split  defaults/python_cuda_torch_os_policy.yml (combinations, platforms, defaults), defaults/arch_policy.yml (as
//          above, and build_epoch), packages/<folder>/package.yml with pcto_override.yml and arch_override.yml laid
//          over it, defaults/phantom_combos.json
//
// Keys that are not ours pass through unread, for farms keep their builds' own in the same files; but a key that is
// nearly one of ours is an error, since a slip must not switch a rule off. The files may come from a pull request: no
// link may lead out of the farm, and sizes, counts and depths are bounded.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "policy/epochs.hpp"
#include "policy/package.hpp"
#include "policy/phantom.hpp"

namespace wheelarch {

struct ArchPolicy {
    ArchTable rows;        // `arch_policy`, by CUDA line
    ArchTable aarch64;     // `arch_policy_aarch64`; a CUDA line without a row is not built there
    ArchTable exceptions;  // `arch_exceptions`, by `12.8/2.7`
    bool ptx_tail = true;
    std::string file;  // where a row is to be added, for messages
};

struct Farm {
    Layout layout = Layout::flat;
    std::filesystem::path root;
    std::vector<Combination> combinations;
    std::vector<std::string> platforms;
    Settings defaults;
    ArchPolicy arch_policy;
    int build_epoch = 1;
    Bumps bumps;                   // what each step of build_epoch was for
    bool ledger_required = false;  // `ledger: required`: to find none is an error
    std::set<Phantom> phantoms;
    std::vector<Package> packages;  // by name

    // The policy files that are there, in fixed order, by their path in the farm; and the SHA-256 in hex of their bytes
    // one after the other.
    std::vector<std::string> policy_files;
    std::string policy_sha256;
    std::string sha256;  // in hex, of all files that were read, those of the packages too

    std::vector<Text> unused;  // as in Package, of the farm's own files and of those that look like packages
};

// Throws an Error: exit 2 for what the policy says wrong, exit 3 for a file that cannot be read.
Farm read_farm(const std::filesystem::path& root);

// `name` in any spelling: `flash-attn`, `flash_attn`, `Flash.Attn`. Throws an Error (exit 2) with the nearest name.
const Package& find_package(const Farm& farm, std::string_view name);

// Both counters as they stand today.
Epochs epochs(const Farm& farm, const Package& package);
// The steps of both between a build and today, in the order of their numbers, the farm's first; empty if it reaches
// them. At most 1,000 of each: the last.
std::vector<BumpStep> steps_since(const Farm& farm, const Package& package, const Epochs& built);
// Are all of them for lists only? True if there is none. Counts as it is, however many there are.
bool only_lists(const Farm& farm, const Package& package, const Epochs& built);

// Warnings about the policy as a whole:
//
//   newer-cuda-narrower  the row of a newer CUDA line lacks an arch from 10.0 on that an older line's has
//   policy-key-unused    a key or file that is given and comes to nothing in this layout
std::vector<Finding> policy_findings(const Farm& farm);

}  // namespace wheelarch
