// PTX instructions that not every arch has.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lint/arch_need.hpp"

namespace wheelarch {

struct InstructionArchs {
    ArchMask archs = kNoPass;        // that have it
    ArchNeed floor;                  // the lowest number that has it
    std::vector<ArchNeed> suffixes;  // where only archs with a suffix have it
};

struct PtxNeed {
    std::string_view instruction;    // as in the text, cut behind its modifiers
    const InstructionArchs* has_it;  // never null
};

// One for each instruction in `text` that the table has, in their order. The table (instructions.cpp) is of "Parallel
// Thread Execution ISA", the notes on targets of each instruction; from 7.5 on, 69 forms were put to ptxas 13.0 for
// each of its targets, and agree.
std::vector<PtxNeed> ptx_needs(std::string_view text);

// Inline PTX, once for all asm statements of a package that have the same.
struct PtxText {
    std::string_view text;
    std::vector<PtxNeed> needs;
    bool names_fp8 = false;  // in e4m3 or e5m2
};

class PtxTexts {
public:
    // Good for as long as this object.
    const PtxText& keep(const std::string& text);

private:
    std::unordered_map<std::string, PtxText> texts_;
};

}  // namespace wheelarch
