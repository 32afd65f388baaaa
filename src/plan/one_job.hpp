// One job for one file: a wheel that is tagged abi3 or none is the wheel of several Pythons, and is built once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "policy/cell.hpp"
#include "policy/package.hpp"

namespace wheelarch {

// A cell that is to be built.
struct JobCell {
    const Package* package = nullptr;
    const Cell* cell = nullptr;
    std::string arch_list;
    std::string source_tag;
    std::string wheel;  // the one that it has, which is to be built anew; empty: none
};

struct Job {
    std::size_t leader = 0;           // the number of the cell whose row it is: the one with the oldest Python
    std::vector<std::string> serves;  // its Pythons, if they are several
};

// The job of each cell, by the same numbers; those of one file have the same. Cells are built as one if they have all
// but their Python in common, and either the same wheel is to be built anew for them, or none is there and the
// package's `wheel_python` says which Pythons its one wheel serves.
std::vector<Job> jobs_of(const std::vector<JobCell>& cells);

}  // namespace wheelarch
