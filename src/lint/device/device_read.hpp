// What is kept of files that were walked through: of each, and of all in a package.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <unordered_map>

#include "lint/device/call_graph.hpp"
#include "lint/device/conditions.hpp"
#include "lint/device/device_facts.hpp"

namespace wheelarch {

// What the files of a package share.
struct PackageRead {
    MacroIndex macros;
    PtxTexts ptx;
    CallGraph calls;
    std::deque<CodeScope> scopes;  // of facts
    std::size_t undeclared = 0;    // words, of all files
};

struct DeviceRead {
    explicit DeviceRead(PackageRead& package) : macros(package.macros) {}

    DeviceFacts facts;
    MacroTable macros;
    std::deque<std::string> spliced_names;  // of macros, and what Scopes keep
    bool splits = false;                    // as in Regions
    bool has_blocks = false;                // code within an `if` or the like that asks for the arch
    FileWords undeclared;                   // words that named nothing of the package when they were read
    // Conditions and constants by where their text begins; those of which nothing is known are left out.
    std::unordered_map<const char*, Truth> truths;
};

}  // namespace wheelarch
