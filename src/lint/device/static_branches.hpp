// StaticBranches: the `if constexpr` of one function whose condition is not about the arch by a name that is known. It
// may hold for no instance of a template, or for those of some archs alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lint/device/cuda_lexer.hpp"

namespace wheelarch {

class StaticBranches {
public:
    // With how many braces are open in the function, behind it.
    void take(const CudaToken& token, std::size_t braces);

    // Is the place in the body of one, or of its `else`?
    bool is_inside() const noexcept { return statement_ || !braces_.empty(); }
    // Nothing begins or ends until an `if`.
    bool is_idle() const noexcept { return state_ == State::none && !is_inside(); }

private:
    enum class State : std::uint8_t { none, if_word, head, condition, body, behind };

    void begin_body(const CudaToken& token, std::size_t braces);

    State state_ = State::none;
    std::vector<std::size_t> braces_;  // that are open at the bodies' own
    std::size_t parens_ = 0;
    bool statement_ = false;  // the body is a statement without braces
    bool known_ = false;      // the condition names the arch
};

}  // namespace wheelarch
