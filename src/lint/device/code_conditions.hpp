// Conditions on the arch in code, as branches of the file's Regions. Each collector follows one kind.
#pragma once

#include <cstddef>
#include <string_view>

#include "lint/device/walked_file.hpp"

namespace wheelarch {

// `if (…)`, `if constexpr (…)` and static_assert, of which only those that ask for the arch matter. One is followed at
// a time; those inside it are part of its body.
class BlockConditions {
public:
    explicit BlockConditions(WalkedFile& file) : file_(file) {}

    bool is_idle() const noexcept { return state_ == State::none; }
    void take(const CudaToken& token);

private:
    enum class State { none, head, text, body, block, statement, after_block };

    void word(const CudaToken& token);
    void punct(const CudaToken& token);
    void end_condition(std::size_t end);
    void close_brace();
    void end_block();

    WalkedFile& file_;
    State state_ = State::none;
    bool asks_ = false;
    bool is_assert_ = false;
    std::size_t begin_ = 0;  // of the condition
    std::size_t place_ = 0;
    std::size_t parens_ = 0;  // open since the condition began
    std::size_t braces_ = 0;  // open since it ended
};

// `constexpr bool wide = __CUDA_ARCH__ >= 900;`: a macro to conditions behind it.
class ArchConstants {
public:
    explicit ArchConstants(WalkedFile& file) : file_(file) {}

    bool is_idle() const noexcept { return state_ == State::none; }
    // `may_begin`: no condition is open.
    void take(const CudaToken& token, bool may_begin);

private:
    enum class State { none, name, value };

    void word(const CudaToken& token);
    void end(std::size_t end);

    WalkedFile& file_;
    State state_ = State::none;
    bool asks_ = false;
    std::size_t begin_ = 0;  // of the value
    std::string_view name_;
};

// `NV_IF_TARGET(NV_PROVIDES_SM_90, (…), (…))` and the like, of nv/target.
class TargetMacros {
public:
    explicit TargetMacros(WalkedFile& file) : file_(file) {}

    static bool begins(std::string_view word) {
        return word == "NV_IF_TARGET" || word == "NV_IF_ELSE_TARGET" || word == "NV_DISPATCH_TARGET";
    }
    bool is_idle() const noexcept { return state_ == State::none; }
    void take(const CudaToken& token);

private:
    enum class State { none, one, several };  // conditions

    void end_argument(std::size_t end);

    WalkedFile& file_;
    State state_ = State::none;
    std::size_t parens_ = 0;
    std::size_t arguments_ = 0;  // that have ended
    std::size_t begin_ = 0;      // of the argument
};

}  // namespace wheelarch
