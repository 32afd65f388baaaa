// Preprocessor conditions, and the like in `if constexpr`, evaluated for every pass of nvcc at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lint/arch_mask.hpp"
#include "lint/device/macro_table.hpp"

namespace wheelarch {

struct Truth {
    ArchMask can_be_true = kNoPass;
    ArchMask can_be_false = kNoPass;
    bool by_arch = false;    // it asks, through macros or not, for something that differs between passes
    std::size_t tokens = 0;  // read to find it, in macros and all passes
};

// `defined`, arithmetic, comparison and logic of integers, macros with and without parameters. What is not known may be
// either; so is what goes deeper or longer than a person would write.
Truth evaluate_condition(std::string_view text, const MacroTable& macros);

// `#ifdef`, `defined name`.
Truth evaluate_defined(std::string_view name, const MacroTable& macros);

inline Truth always() {
    return {every_pass(), kNoPass, false, 0};
}

inline Truth not_known() {
    return {every_pass(), every_pass(), false, 0};
}

inline Truth negated(const Truth& truth) {
    return {truth.can_be_false, truth.can_be_true, truth.by_arch, truth.tokens};
}

}  // namespace wheelarch
