#include "lint/device/static_branches.hpp"

#include "lint/device/feature_names.hpp"

namespace wheelarch {

void StaticBranches::take(const CudaToken& token, std::size_t braces) {
    switch (state_) {
        case State::none:
        case State::behind:
            if (token.is("if")) {
                state_ = State::if_word;
            } else {
                state_ = state_ == State::behind && token.is("else") ? State::body : State::none;
                known_ = false;
            }
            break;
        case State::if_word: state_ = token.is("constexpr") ? State::head : State::none; break;
        case State::head:
            state_ = token.is("(") ? State::condition : State::none;
            parens_ = 1;
            known_ = false;
            return;
        case State::condition:
            parens_ += token.is("(") ? 1 : 0;
            parens_ -= token.is(")") ? 1 : 0;
            known_ = known_ || (token.kind == CudaToken::Kind::word && passes_defining(token.text));
            state_ = parens_ == 0 ? State::body : State::condition;
            return;
        case State::body: begin_body(token, braces); return;
    }
    if (token.is("}") && !braces_.empty() && braces == braces_.back()) {
        braces_.pop_back();
        state_ = State::behind;
    } else if (token.is(";") && statement_) {
        statement_ = false;
        state_ = State::behind;
    }
}

void StaticBranches::begin_body(const CudaToken& token, std::size_t braces) {
    state_ = token.is("if") ? State::if_word : State::none;
    if (known_ || state_ == State::if_word) {
        return;
    }
    if (token.is("{")) {
        braces_.push_back(braces - 1);
    } else {
        statement_ = true;
    }
}

}  // namespace wheelarch
