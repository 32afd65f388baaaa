// What a package's rows declare: each distinct arch list, and the rows that have it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "policy/arch_list.hpp"
#include "policy/farm.hpp"
#include "policy/grid.hpp"

namespace wheelarch {

struct DeclaredList {
    std::string text;    // what the build exports, or what the package says that the binary holds (expect_archs)
    ArchList list;       // the same, read
    std::string source;  // where it stands: `arch_list in packages/x.yml:4`
    std::set<std::string> cudas;
    std::string rows;  // `CUDA 12.4, 12.6`, `CUDA 12.8 on linux_aarch64`, `CUDA 12.8 with torch 2.7.1`
};

// Of the rows that are the package's and (unless it is empty) have this source tag. Throws as resolve() does.
std::vector<DeclaredList> declared_lists(const Farm& farm, const Package& package, const std::vector<GridRow>& rows,
                                         const std::string& source_tag = {});

}  // namespace wheelarch
