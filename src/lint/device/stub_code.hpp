// StubCode: does a piece of code do something, or does it only give up (return, trap, assert, printf)?
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lint/arch_mask.hpp"
#include "lint/device/macro_table.hpp"

namespace wheelarch {

// What macros stand for, where a statement begins with one.
class StubMacros {
public:
    enum class Says : std::uint8_t { code, idle, leaves, no_macro };

    // `macros` must outlive this object, and may change.
    explicit StubMacros(const MacroTable& macros) : macros_(macros) {}

    // Looks through macros of macros. Code, if one of the definitions that may stand in `passes` is, or it is too long
    // to tell.
    Says look(std::string_view name, ArchMask passes);

private:
    Says read(std::string_view body, ArchMask passes);

    const MacroTable& macros_;
    unsigned depth_ = 0;
    std::size_t tokens_ = 0;  // read so far
};

// Told of each word and each punctuation mark, statement after statement.
class StubCode {
public:
    void word(std::string_view text, ArchMask passes, StubMacros& macros);
    void punct(std::string_view text);
    void ptx(std::string_view text);
    void code() noexcept { has_code_ = true; }
    void definition() noexcept { defines_ = true; }   // of what other code uses: a function, a type, a constant
    void substance() noexcept { substance_ = true; }  // what is there for itself: a kernel, a statement
    void add(const StubCode& inner);
    // What its statements leave is the function, and what stands behind it goes on.
    void end_function() noexcept { leaves_ = returns_ = false; }

    bool has_code() const noexcept { return has_code_; }
    bool leaves() const noexcept { return leaves_; }  // has a statement that ends the kernel
    bool defines() const noexcept { return defines_; }
    bool has_substance() const noexcept { return substance_; }
    bool returns() const noexcept { return returns_; }  // its last statement is a return

private:
    // Of the parentheses behind `if` and the like, and behind what gives up: a statement follows them.
    enum class Head : std::uint8_t { none, wanted, open };

    void begin_statement(std::string_view text, ArchMask passes, StubMacros& macros);
    void skip_head(bool leaves);

    bool has_code_ = false;
    bool defines_ = false;
    bool substance_ = false;
    bool leaves_ = false;
    bool returns_ = false;
    bool statement_starts_ = true;
    bool stub_statement_ = false;
    bool returns_word_ = false;  // the statement is a return
    bool conditional_ = false;   // behind `if (…)` without braces
    Head head_ = Head::none;
    std::size_t parens_ = 0;  // of the head
};

}  // namespace wheelarch
