// Preprocessor conditions, and the like in `if constexpr`, evaluated for every pass of nvcc at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lint/arch_mask.hpp"

namespace wheelarch {

struct MacroDefinition {
    std::string_view parameters;  // between the parentheses; of a function-like macro
    std::string_view body;        // in the file's text
    bool function_like = false;
    bool removes = false;     // an #undef
    ArchMask may = kNoPass;   // passes in which it may stand
    ArchMask must = kNoPass;  // and in which it does
};

// Definitions by name, in the order of the text. At most 2^17 of them; further ones are as good as unknown.
class MacroTable {
public:
    // `name` must outlive the table, as the definition's texts must.
    void define(std::string_view name, const MacroDefinition& definition);
    // Null if there are none.
    const std::vector<MacroDefinition>* find(std::string_view name) const;
    // Adds those of `other`: what #include does where it may stand, and does stand, in these passes.
    void add(const MacroTable& other, ArchMask may, ArchMask must);

    std::size_t size() const noexcept { return count_; }

private:
    std::unordered_map<std::string_view, std::vector<MacroDefinition>> definitions_;
    std::size_t count_ = 0;
};

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

inline Truth negated(const Truth& truth) {
    return {truth.can_be_false, truth.can_be_true, truth.by_arch, truth.tokens};
}

}  // namespace wheelarch
