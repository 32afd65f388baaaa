// MacroTable: what stands for a name at a place of a source, by its own text and the headers that it includes.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
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

// Definitions by name, in the order of the text, where a header's own stand behind those of the headers that it
// includes. At most 2^17 of them; further ones are as good as unknown.
class MacroTable {
public:
    // `name` must outlive the table, as the definition's texts must.
    void define(std::string_view name, const MacroDefinition& definition);
    // Null if there are none.
    const std::vector<MacroDefinition>* find(std::string_view name) const;
    // What #include does where it may stand, and does stand, in these passes: adds what a header and all that it
    // includes define, each header once. `header` must outlive the table.
    void include(const MacroTable& header, ArchMask may, ArchMask must);

    // What including has cost: headers and definitions.
    std::size_t included() const noexcept { return included_count_; }

private:
    struct Named {
        std::string_view name;
        MacroDefinition definition;
    };
    struct Header {
        const MacroTable* table;
        ArchMask may;
        ArchMask must;
    };

    bool add(std::string_view name, const MacroDefinition& definition);
    void include_own(const Header& header);

    std::unordered_map<std::string_view, std::vector<MacroDefinition>> definitions_;
    std::size_t count_ = 0;
    std::vector<Named> own_;
    std::vector<Header> headers_;
    std::unordered_set<const MacroTable*> known_headers_;
    std::size_t included_count_ = 0;
};

}  // namespace wheelarch
