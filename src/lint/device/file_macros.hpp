// FileMacros: the macros at a place of a file, and what conditions come to by them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "lint/device/device_read.hpp"

namespace wheelarch {

class FileMacros {
public:
    // In a second walk the truths are those of the first, and nothing is defined.
    FileMacros(const DeviceRead* first, DeviceRead& out) : first_(first), out_(out) {}

    const MacroTable& table() const { return first_ == nullptr ? out_.macros : first_->macros; }
    void define(std::string_view name, const MacroDefinition& definition);
    void include(const MacroTable& header, ArchMask may, ArchMask must);

    // Of `#if` and the like, and of `if` in code; many are written again and again.
    Truth condition(std::string_view text);
    // Of the directive `name` (`if`, `ifdef`, `ifndef`).
    Truth directive(std::string_view name, std::string_view text);

private:
    std::optional<Truth> of_first_walk(std::string_view text) const;
    Truth noted(std::string_view text, const Truth& truth);
    Truth evaluated(std::string_view text);

    struct Known {
        Truth truth;
        std::size_t changes;  // of macros, before it was evaluated
    };

    const DeviceRead* first_;
    DeviceRead& out_;
    std::unordered_map<std::string_view, Known> conditions_;
    std::size_t changes_ = 0;
    std::size_t evaluated_ = 0;  // tokens
};

// As it stands in the text; empty if it begins with something else.
std::string_view first_word(std::string_view text);

}  // namespace wheelarch
