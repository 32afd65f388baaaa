// Which function or class a token of a C++ or CUDA source stands in, as far as braces and parentheses tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lint/device/cuda_lexer.hpp"

namespace wheelarch {

struct CodeScope {
    enum class Kind : std::uint8_t {
        outside,  // of any function: `name` is the class, if there is one
        kernel,   // __global__
        device,   // __device__, or a macro whose name says so
        host,     // neither
    };

    Kind kind = Kind::outside;
    std::string name;   // of the function; empty for operators, and what is only called by its class
    std::string owner;  // the class around it; empty if there is none
};

inline const CodeScope kOutside;

// Told of each token outside of directives, whose texts must live as long as this object, and of the branches of
// directives: braces that are open at an `#if` are as open at its `#else`. In functions, words and braces are enough
// for all but in_static_branch().
class Scopes {
public:
    // What a declaration at namespace or class scope turns out to be.
    enum class Declaration : std::uint8_t {
        none,           // goes on
        function,       // its body begins: `scope()` is it
        type,           // the body of a class begins
        alias,          // `using name = …;`, `typedef … name;`
        instantiation,  // `template … ;`
        value,          // `… = …;`, `MACRO(…);`: what it names is used
        other,          // a declaration without a body; a namespace
    };

    Declaration take(const CudaToken& token);

    void open_branch();
    void next_branch();
    void close_branch();

    const CodeScope& scope() const noexcept { return frames_.back().scope; }
    std::size_t scope_changes() const noexcept { return changes_; }  // so far
    bool in_declaration() const noexcept { return !ended_; }         // outside of functions: one has begun
    bool in_function() const noexcept { return scope().kind != CodeScope::Kind::outside; }
    // Inside an `if constexpr` whose condition is not about the arch by a name that is known: it may hold for no
    // instance of a template, or for those of some archs alone.
    bool in_static_branch() const noexcept { return static_statement_ || !static_braces_.empty(); }
    // In a function, where in_static_branch() stays as it is until an `if`.
    bool in_plain_code() const noexcept { return in_function() && static_ == Static::none && !in_static_branch(); }
    bool in_initialiser() const noexcept { return !in_function() && frames_.back().braces != 0; }  // or a lambda
    // The declaration that has just ended is `MACRO(…);` or `word;`.
    bool is_call() const noexcept { return lone_ || words_.size() == 1; }
    // Words of the declaration that goes on, or has just ended; at most kMostWords.
    const std::vector<std::string_view>& words() const noexcept { return words_; }
    // The name that an alias gives.
    std::string_view alias() const noexcept { return alias_; }

    static constexpr std::size_t kMostWords = 200;

private:
    struct Frame {
        CodeScope scope;
        std::size_t braces = 0;  // further ones that are open in it
    };

    Declaration word(std::string_view text);
    Declaration punct(std::string_view text);
    Declaration open_brace();
    Declaration close_brace();
    Declaration end();
    void begin_declaration();
    void open_paren();
    CodeScope function_scope() const;
    void static_condition(const CudaToken& token);
    void static_body(const CudaToken& token);

    std::vector<Frame> frames_{1};
    std::size_t changes_ = 0;
    std::vector<std::vector<Frame>> branches_;
    std::size_t too_deep_ = 0;  // directives that are open beyond the limit

    // Of `if constexpr (…)` in a function, and of its `else`.
    enum class Static : std::uint8_t { none, if_word, head, condition, body, behind } static_ = Static::none;
    std::vector<std::size_t> static_braces_;  // that are open at the bodies' own
    std::size_t static_parens_ = 0;
    bool static_statement_ = false;  // the body is a statement without braces
    bool static_known_ = false;      // the condition names the arch

    std::vector<std::string_view> words_;
    std::string_view alias_;
    std::string_view last_word_;
    std::string_view function_;  // the word before the first parenthesis
    std::string_view type_;      // the word before `{`, `:` or `<` behind `struct`
    std::size_t parens_ = 0;
    std::size_t angles_ = 0;       // of `template <…>`
    bool ended_ = true;            // the next token begins a declaration
    bool after_template_ = false;  // its `<` may follow
    bool is_template_ = false;     // `template` without `<`
    bool is_alias_ = false;
    bool is_type_ = false;
    bool names_type_ = false;  // the words that follow `struct` up to its body are its name
    bool is_operator_ = false;
    bool is_kernel_ = false;
    bool is_device_ = false;
    bool has_value_ = false;
    bool has_function_ = false;
    bool initialises_ = false;   // behind the `:` of a constructor
    bool skips_parens_ = false;  // of an attribute
    bool word_before_ = false;   // the token before is a word
    bool lone_ = false;          // the parenthesis follows the first word
};

}  // namespace wheelarch
