// Which function or class a token of a C++ or CUDA source stands in, as far as braces and parentheses tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lint/device/cuda_lexer.hpp"
#include "lint/device/declaration_head.hpp"
#include "lint/device/static_branches.hpp"

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

// Told of each token outside of directives, whose texts must live as long as this object, and of the names of
// directives: braces that are open at an `#if` are as open at its `#else`. In functions, words and braces are enough
// for all but in_static_branch().
class Scopes {
public:
    // At namespace or class scope; once the body of a function or class begins, `scope()` is it.
    using Declaration = DeclarationHead::Kind;

    Declaration take(const CudaToken& token);
    void directive(std::string_view name);

    const CodeScope& scope() const noexcept { return frames_.back().scope; }
    std::size_t scope_changes() const noexcept { return changes_; }   // so far
    bool in_declaration() const noexcept { return head_.is_open(); }  // outside of functions: one has begun
    bool in_function() const noexcept { return scope().kind != CodeScope::Kind::outside; }
    bool in_static_branch() const noexcept { return static_branches_.is_inside(); }
    // In a function, where in_static_branch() stays as it is until an `if`.
    bool in_plain_code() const noexcept { return in_function() && static_branches_.is_idle(); }
    bool in_initialiser() const noexcept { return !in_function() && frames_.back().braces != 0; }  // or a lambda
    // As DeclarationHead has them.
    bool is_call() const noexcept { return head_.is_call(); }
    const std::vector<std::string_view>& words() const noexcept { return head_.words(); }
    std::string_view alias() const noexcept { return head_.alias(); }

private:
    struct Frame {
        CodeScope scope;
        std::size_t braces = 0;  // further ones that are open in it
    };

    Declaration open_brace();
    void close_brace();
    CodeScope scope_of(Declaration declaration) const;

    std::vector<Frame> frames_{1};
    std::size_t changes_ = 0;
    std::vector<std::vector<Frame>> branches_;
    std::size_t too_deep_ = 0;  // directives that are open beyond the limit
    DeclarationHead head_;
    StaticBranches static_branches_;
};

}  // namespace wheelarch
