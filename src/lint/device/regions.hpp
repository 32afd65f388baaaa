// The conditions around a place in a source, and the gates that come of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lint/device/conditions.hpp"
#include "lint/device/device_facts.hpp"
#include "lint/device/stub_code.hpp"

namespace wheelarch {

// Conditions that are open, outermost first: of the preprocessor (`#if` … `#endif`) and of `if` with a body. Told of
// each token in between, so that it knows which branches hold code and which only give up (return, trap, assert).
class Regions {
public:
    // `macros` as they stand where the text is read; must outlive this object, as `gates` must.
    Regions(std::vector<Gate>& gates, const MacroTable& macros) : gates_(gates), macros_(macros) {}

    ArchMask may() const;   // passes for which this place may be compiled
    ArchMask must() const;  // for which it is, whatever is not known

    void open(const Truth& truth, SourcePlace place, std::string_view text, bool directive);
    // `#elif`; `#else` and `else` with what is always true. Nothing for one without an #if.
    void next(const Truth& truth, SourcePlace place, std::string_view text, bool directive);
    // What is open inside it and has no end is closed, too.
    void close_directive();
    void close_block();
    void close_all();
    // `#ifndef X` before `#define X`: nothing else defines X.
    void sure();

    bool watching() const noexcept { return watching_ != 0; }
    // Was there a branch that is not for all archs, as far as conditions tell? Without, there are no gates.
    bool splits() const noexcept { return splits_; }
    // Told of the tokens of the innermost branch; what is told of code outside of all is of no use.
    StubCode& code();
    void word(std::string_view text);
    void error_directive();

private:
    struct Branch {
        SourcePlace place;
        std::string text;
        ArchMask may = kNoPass;
        ArchMask must = kNoPass;
        StubCode code;
        bool refuses = false;
    };

    struct Chain {
        ArchMask outer_may = kNoPass;
        ArchMask outer_must = kNoPass;
        ArchMask left_may = kNoPass;  // for later branches
        ArchMask left_must = kNoPass;
        bool by_arch = false;
        bool directive = true;
        std::vector<Branch> branches;
    };

    void add_branch(Chain& chain, const Truth& truth, SourcePlace place, std::string_view text);
    void close();
    bool close_blocks();  // those inside the innermost directive, if there is one
    void report(const Chain& chain);
    void report_branch(const Chain& chain, const Branch& branch);

    std::vector<Gate>& gates_;
    StubMacros macros_;
    std::vector<Chain> chains_;
    StubCode outside_;
    bool splits_ = false;
    std::size_t watching_ = 0;  // chains that ask for the arch
    std::size_t too_deep_ = 0;  // directives that are open beyond the limit
};

}  // namespace wheelarch
