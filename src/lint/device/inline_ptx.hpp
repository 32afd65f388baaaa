// InlinePtxCollector: asm statements, as facts and as code of the branch that they are in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lint/device/walked_file.hpp"

namespace wheelarch {

inline bool begins_asm(std::string_view word) {
    return word == "asm" || word == "__asm__" || word == "__asm";
}

class InlinePtxCollector {
public:
    explicit InlinePtxCollector(WalkedFile& file) : file_(file) {}

    bool is_idle() const noexcept { return state_ == State::none; }
    void take(const CudaToken& token, bool in_macro);
    // A macro ends, and with it what it has begun.
    void end(bool in_macro);

private:
    enum class State { none, head, text };

    void add(std::string_view text);
    void add_macro(std::string_view name);

    WalkedFile& file_;
    State state_ = State::none;
    std::size_t place_ = 0;
    std::string ptx_;
    std::size_t macros_ = 0;  // looked through
};

}  // namespace wheelarch
