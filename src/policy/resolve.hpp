// Resolver: which arch list a cell is built with, and what its wheel must hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/finding.hpp"
#include "policy/arch_check.hpp"
#include "policy/arch_list.hpp"
#include "policy/cell.hpp"
#include "policy/farm.hpp"

namespace wheelarch {

struct ResolvedList {
    std::string text;    // what the build exports, PTX tail and all
    ArchList list;       // `text` as it is read
    std::string source;  // `arch_list_by_cuda['12.8'] in packages/x.yml:12`
    Place place;         // the same
    // It is the package's one list for all CUDA lines, `arch_list`: an arch that one of them cannot build is an
    // oversight there, and no contradiction in itself.
    bool for_all_lines = false;
    // What else there is to say: `list.findings`, and what torch's cpp_extension refuses, for a package that links
    // torch.
    std::vector<Finding> findings;
};

// The list by the first rule that applies (docs/policy.md). The cell need not be in the grid. Throws an Error (exit 2)
// if no rule does, naming the row to add, or if nvcc of the cell's CUDA cannot build an arch in the list.
ResolvedList resolve(const Farm& farm, const Package& package, const Cell& cell);
// The same, but whether nvcc can build it is not asked.
ResolvedList resolve_unchecked(const Farm& farm, const Package& package, const Cell& cell);

// What the package declares its binary to hold for this cell; none if that is the exported list.
struct ExpectedList {
    ArchList list;
    std::string source;
};
std::optional<ExpectedList> expected_list(const Package& package, const Cell& cell);

// All of it as check_archs() takes it: the expected list, else the resolved one; expect_members; device_code;
// count_embedded; jit.
Requirement requirement(const Package& package, const Cell& cell, const ResolvedList& resolved);

// The list with its PTX tail: of the tokens that are plain decimal numbers the highest gets `+PTX` unless it has it (on
// a tie the first). Tokens are joined anew, by `;` where the text has one, else by one space.
std::string with_ptx_tail(const std::string& text);

}  // namespace wheelarch
