// Error: the job could not be done. It is thrown, never returned; src/main.cpp is the one place that catches it
// for good. A rule that the input breaks is no Error but a Finding (finding.hpp).
//
// A reader deep in a file knows only the offset; each caller on the way up adds the input it was reading with
// `inside()`, so that the message reads from the outside in:
//
//   flash_attn-2.8.3-cp312-….whl → flash_attn/_C.so → offset 0x1f40: the entry is 64 bytes long but only 12 are left
//   fix: …
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wheelarch {

// What a run ends with; docs/exit-codes.md is the long form.
enum class ExitCode : int {
    ok = 0,         // what was asked holds
    findings = 1,   // it does not
    usage = 2,      // bad options or configuration
    unchecked = 3,  // the input could not be checked
};

class Error : public std::exception {
public:
    Error(ExitCode code, std::string problem, std::string fix = {})
        : code_(code), problem_(std::move(problem)), fix_(std::move(fix)) {
        compose();
    }

    // Names the input this happened in, outermost last called: a member first, then its wheel. An empty name is no
    // input.
    Error& inside(const std::string& input) {
        if (!input.empty()) {
            inputs_.insert(inputs_.begin(), input);
            compose();
        }
        return *this;
    }

    // The byte of the innermost input at which reading stopped.
    Error& at(std::uint64_t offset) {
        offset_ = offset;
        compose();
        return *this;
    }

    // The whole message on one line, without the fix.
    const char* what() const noexcept override { return text_.c_str(); }

    ExitCode code() const noexcept { return code_; }
    const std::string& problem() const noexcept { return problem_; }
    const std::string& fix() const noexcept { return fix_; }
    const std::vector<std::string>& inputs() const noexcept { return inputs_; }
    std::optional<std::uint64_t> offset() const noexcept { return offset_; }

private:
    void compose();

    ExitCode code_;
    std::string problem_;
    std::string fix_;
    std::vector<std::string> inputs_;
    std::optional<std::uint64_t> offset_;
    std::string text_;
};

// The two kinds of Error that nearly all callers mean.
inline Error unchecked(std::string problem, std::string fix = {}) {
    return {ExitCode::unchecked, std::move(problem), std::move(fix)};
}
inline Error bad_usage(std::string problem, std::string fix = {}) {
    return {ExitCode::usage, std::move(problem), std::move(fix)};
}

// Runs `body`; an Error that leaves it is marked as having happened inside `input`.
template <typename Body>
decltype(auto) inside(const std::string& input, Body&& body) {
    try {
        return std::forward<Body>(body)();
    } catch (Error& error) {
        error.inside(input);
        throw;
    }
}

}  // namespace wheelarch
