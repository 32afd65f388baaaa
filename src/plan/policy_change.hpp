// Policy change: two policies of one farm against each other, without a ledger: what lists moved, which epochs went up,
// what was forgotten, how many jobs it costs. The wheels of the older one are taken to be there and current.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/finding.hpp"
#include "policy/farm.hpp"
#include "policy/grid.hpp"

namespace wheelarch {

struct ListChange {
    std::string source;  // of the newer list
    std::string before;
    std::string after;
    std::size_t cells = 0;
    bool forgotten = false;  // no epoch of theirs went up, nor is there another source
};

struct EpochChange {
    std::string package;  // empty: the farm's
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    std::vector<std::string> steps;  // what each is for
};

struct PolicyChange {
    std::vector<ListChange> lists;
    std::vector<EpochChange> epochs;
    std::vector<std::string> packages_added;
    std::vector<std::string> packages_removed;
    std::size_t cells = 0;              // of the newer policy
    std::size_t added = 0;              // cells
    std::size_t removed = 0;            // cells, whose wheels become orphans
    std::size_t sources = 0;            // cells with another source or version
    std::size_t jobs = 0;               // rows of the matrix, with shards
    std::size_t jobs_changed_only = 0;  // what is left of them after `plan --changed-only`
    std::vector<Finding> findings;      // `epoch-forgotten`, `epoch-went-back`
};

PolicyChange compare_policies(const Farm& before, const Farm& after, const SourceVersions& versions);

// For people, and as the comment of a pull request. `base`: what the older one is called.
std::string to_text(const PolicyChange& change, const std::string& base);
std::string to_markdown(const PolicyChange& change, const std::string& base);

}  // namespace wheelarch
