// MacroTable: what stands for a name at a place of a source, by its own text and the headers that it includes.
#pragma once

#include <cstddef>
#include <cstdint>
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

class MacroTable;

// Which tables define a name: those of one package share it.
class MacroIndex {
    friend class MacroTable;
    std::unordered_map<std::string_view, std::vector<const MacroTable*>> definers_;
    std::size_t headers_ = 0;
};

// Including a header copies no definitions: they are looked up when somebody asks for the name. At most 2^17
// definitions of a table's own, and the last 64 of a name; further ones are as good as unknown.
class MacroTable {
public:
    // `index` must outlive the table, and the tables that it includes.
    explicit MacroTable(MacroIndex& index) : index_(index) {}
    MacroTable(const MacroTable&) = delete;
    MacroTable& operator=(const MacroTable&) = delete;

    // `name` must outlive the index, as the definition's texts must.
    void define(std::string_view name, const MacroDefinition& definition);
    // What #include does where it may stand, and does stand, in these passes: whatever a header and all that it
    // includes define, each header once. Those of the headers stand before the table's own.
    void include(const MacroTable& header, ArchMask may, ArchMask must);
    // In the order of the text, until the next definition; null if there are none.
    const std::vector<MacroDefinition>* find(std::string_view name) const;

    // What including has cost, in headers: less than 100 bytes for each, and less than a microsecond.
    std::size_t cost() const noexcept { return headers_.size() + known_headers_.size() + searched_ / 64; }

private:
    struct Header {
        const MacroTable* table;
        ArchMask may;
        ArchMask must;
    };
    struct Found {
        std::vector<MacroDefinition> definitions;  // empty if no header has any
        std::size_t headers;                       // that there were
    };

    void include_one(const Header& header);
    bool includes(const MacroTable& header) const;
    std::vector<const Header*> headers_with(std::string_view name,
                                            const std::vector<const MacroTable*>& definers) const;
    std::vector<MacroDefinition> all_of(std::string_view name, const std::vector<const Header*>& headers) const;

    MacroIndex& index_;
    std::unordered_map<std::string_view, std::vector<MacroDefinition>> own_;
    std::size_t count_ = 0;
    std::vector<Header> headers_;
    std::vector<std::uint64_t> known_headers_;                   // a bit for each number_
    mutable std::size_t searched_ = 0;                           // headers, for names
    mutable std::size_t number_ = 0;                             // as a header, from 1; 0: nobody has included it
    mutable std::unordered_map<std::string_view, Found> found_;  // without those that have changed since
};

}  // namespace wheelarch
