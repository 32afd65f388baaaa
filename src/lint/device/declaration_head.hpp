// DeclarationHead: the tokens of a declaration at namespace or class scope, up to its body or its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lint/device/cuda_lexer.hpp"

namespace wheelarch {

class DeclarationHead {
public:
    // What it turns out to be.
    enum class Kind : std::uint8_t {
        none,           // goes on
        function,       // its body begins
        type,           // the body of a class begins
        alias,          // `using name = …;`, `typedef … name;`
        instantiation,  // `template … ;`
        value,          // `… = …;`, `MACRO(…);`: what it names is used
        other,          // a declaration without a body; a namespace
    };

    // Braces are told by the next two, whatever they are of.
    Kind take(const CudaToken& token);
    void brace() noexcept { word_before_ = false; }
    // `{` outside of parentheses; none if it is no body.
    Kind open_brace();
    // The next token begins a declaration.
    void end() noexcept { ended_ = true; }

    bool is_open() const noexcept { return !ended_; }
    bool is_in_parens() const noexcept { return read_.parens != 0; }
    void leave_parens() noexcept { read_.parens = 0; }
    // It is, or was, `MACRO(…);` or `word;`.
    bool is_call() const noexcept { return read_.lone || words_.size() == 1; }
    bool is_kernel() const noexcept { return read_.is_kernel; }
    bool is_device() const noexcept { return read_.is_device; }  // by the name of a macro, too
    // Of the declaration that goes on, or has just ended; at most kMostWords.
    const std::vector<std::string_view>& words() const noexcept { return words_; }
    std::string_view alias() const noexcept { return read_.alias; }        // the name that it gives
    std::string_view function() const noexcept { return read_.function; }  // the word before the first parenthesis
    std::string_view type() const noexcept { return read_.type; }  // that before `{`, `:` or `<` behind `struct`

    static constexpr std::size_t kMostWords = 200;

private:
    struct Read {
        std::string_view alias;
        std::string_view last_word;
        std::string_view function;
        std::string_view type;
        std::size_t parens = 0;
        std::size_t angles = 0;       // of `template <…>`
        bool after_template = false;  // its `<` may follow
        bool is_template = false;     // `template` without `<`
        bool is_alias = false;
        bool is_type = false;
        bool names_type = false;  // the words that follow `struct` up to its body are its name
        bool is_operator = false;
        bool is_kernel = false;
        bool is_device = false;
        bool has_value = false;
        bool has_function = false;
        bool initialises = false;   // behind the `:` of a constructor
        bool skips_parens = false;  // of an attribute
        bool lone = false;          // the parenthesis follows the first word
    };

    void begin();
    void word(std::string_view text);
    Kind punct(std::string_view text);
    void open_paren();
    Kind kind_at_end();

    std::vector<std::string_view> words_;
    Read read_;
    bool ended_ = true;
    bool word_before_ = false;  // the token before is a word
};

}  // namespace wheelarch
