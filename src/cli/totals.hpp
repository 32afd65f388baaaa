#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/arch.hpp"

namespace wheelarch {

// What a command found, for the outputs of a step.
struct Totals {
    ArchSet observed;
    // match, mismatch, refused, unchecked; recorded, conflict; ok, hit, drifted; those of an audit; empty: none to give
    std::string verdict;
    std::vector<std::string> entries;  // the paths of the ledger entries that it wrote, or of their folder
    std::string exists;                // true or false
    std::string exists_key;
    std::string matrix;                // the page that was asked for
    std::optional<std::size_t> jobs;   // in that page
    std::optional<std::size_t> pages;  // in all
};

}  // namespace wheelarch
