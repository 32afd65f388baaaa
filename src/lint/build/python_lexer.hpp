// Python source as tokens: what a rule may go by without running it. Comments are left out, strings are one token each,
// lines are joined inside brackets and after a backslash. Any bytes give tokens; nothing is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

struct PyToken {
    enum class Kind : std::uint8_t {
        name,  // identifiers and keywords
        number,
        string,
        op,       // one of the operators below, or one other byte
        newline,  // the end of a logical line; `text` is empty
    };

    Kind kind = Kind::op;
    bool formatted = false;  // a string with an `f`: its fields are part of the text
    std::string_view text;   // of a string what is between the quotes, escapes as they are written
    unsigned line = 0;       // from 1, as is the column, which counts bytes
    unsigned column = 0;
    unsigned indent = 0;  // of the logical line, in columns; a tab goes to the next multiple of 8

    bool is(std::string_view op) const noexcept { return kind != Kind::string && text == op; }
    bool is_name(std::string_view name) const noexcept { return kind == Kind::name && text == name; }
};

// Operators of more than one byte are `==`, `!=`, `<=`, `>=`, `->`, `:=`, `**`, `//`, and those that assign: `+=`,
// `|=` and their like. The last token is always a newline. `text` must outlive the tokens.
std::vector<PyToken> lex_python(std::string_view text);

}  // namespace wheelarch
