// PTX instructions that not every arch has.
#pragma once

#include <string_view>
#include <vector>

#include "lint/arch_mask.hpp"
#include "lint/rule.hpp"

namespace wheelarch {

struct InstructionArchs {
    ArchMask archs = kNoPass;        // that have it
    ArchNeed floor;                  // the lowest number that has it
    std::vector<ArchNeed> suffixes;  // where only archs with a suffix have it
};

struct PtxNeed {
    std::string_view instruction;      // as in the text, cut behind its modifiers
    const InstructionArchs* has_it;  // never null
};

// One for each instruction in `text` that the table has, in their order. The table (instructions.cpp) is of "Parallel
// Thread Execution ISA", the notes on targets of each instruction; from 7.5 on, 69 forms were put to ptxas 13.0 for
// each of its targets, and agree.
std::vector<PtxNeed> ptx_needs(std::string_view text);

}  // namespace wheelarch
