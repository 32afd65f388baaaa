#include "lint/device/stub_code.hpp"

#include <algorithm>
#include <iterator>

#include "lint/device/cuda_lexer.hpp"

namespace wheelarch {
namespace {

constexpr unsigned kDeepest = 4;                            // macros inside each other
constexpr std::size_t kLongestBody = 1'024;                 // bytes
constexpr std::size_t kMostTokens = std::size_t{1} << 22U;  // of one StubMacros

// To the end of the statement.
constexpr std::string_view kLeaving[] = {"return", "throw"};
constexpr std::string_view kIdle[] = {"void", "const", "threadIdx", "blockIdx", "break", "continue", "asm", "__asm"};

// With parentheses, or none.
constexpr std::string_view kLeavingCalls[] = {
    "__trap",        "assert",         "abort",
    "exit",          "__brkpt",        "static_assert",
    "trap",          "__builtin_trap", "CUTE_INVALID_CONTROL_PATH",
    "__assert_fail", "TORCH_CHECK",
};
constexpr std::string_view kIdleCalls[] = {"printf", "__nanosleep", "_Pragma"};
constexpr std::string_view kHeads[] = {"if", "while", "for", "switch"};

// What is returned by a function that gives up.
constexpr std::string_view kNothing[] = {"true", "false", "nullptr", "NULL"};

constexpr std::string_view kRefusing[] = {
    "ASSERT", "UNSUPPORTED", "NOT_SUPPORTED", "NOT_IMPLEMENTED", "UNIMPLEMENTED", "NO_DEVICE_CODE", "UNREACHABLE",
    "TRAP",   "unsupported", "not_supported", "not_implemented", "unimplemented", "unreachable",
};

template <typename List>
bool is_in(const List& list, std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

// `FLASHINFER_RUNTIME_ASSERT`, `NO_DEVICE_CODE`.
bool says_that_it_refuses(std::string_view word) {
    return std::any_of(std::begin(kRefusing), std::end(kRefusing), [&](std::string_view part) {
        return word.size() >= part.size() && word.find(part) != std::string_view::npos;
    });
}

}  // namespace

StubMacros::Says StubMacros::look(std::string_view name, ArchMask passes) {
    const auto* definitions = macros_.find(name);
    Says says = Says::no_macro;
    if (definitions == nullptr || depth_ >= kDeepest) {
        return definitions == nullptr ? says : Says::code;
    }
    ++depth_;
    for (const MacroDefinition& definition : *definitions) {
        if (definition.removes || (definition.may & passes) == kNoPass) {
            continue;
        }
        const Says one = read(definition.body, passes);
        if (one == Says::code) {
            says = one;
            break;
        }
        says = says == Says::leaves ? says : one;
    }
    --depth_;
    return says;
}

StubMacros::Says StubMacros::read(std::string_view body, ArchMask passes) {
    if (body.size() > kLongestBody) {
        return Says::code;
    }
    StubCode code;
    CudaLexer lexer(body, CudaLexer::Mode::fragment);
    bool in_asm = false;
    for (CudaToken token = lexer.next(); token.kind != CudaToken::Kind::end; token = lexer.next()) {
        if (++tokens_ > kMostTokens || code.has_code()) {
            return Says::code;
        }
        if (token.kind == CudaToken::Kind::word) {
            in_asm = in_asm || token.is("asm") || token.text.starts_with("__asm");
            code.word(token.text, passes, *this);
        } else if (token.kind == CudaToken::Kind::punct) {
            in_asm = in_asm && !token.is(";");
            code.punct(token.text);
        } else if (in_asm && token.kind == CudaToken::Kind::string) {
            code.ptx(string_body(token.text));
            in_asm = false;
        }
    }
    return code.has_code() ? Says::code : code.leaves() ? Says::leaves : Says::idle;
}

void StubCode::word(std::string_view text, ArchMask passes, StubMacros& macros) {
    if (head_ == Head::open || (head_ == Head::wanted && text == "constexpr")) {
        return;
    }
    head_ = Head::none;
    if (statement_starts_) {
        begin_statement(text, passes, macros);
    } else {
        if (returns_word_ && !is_in(kNothing, text)) {
            stub_statement_ = false;  // `return other(x);`
        }
        has_code_ = has_code_ || !stub_statement_;
    }
}

void StubCode::begin_statement(std::string_view text, ArchMask passes, StubMacros& macros) {
    if (text == "else" || text == "do") {
        conditional_ = text == "else";
        return;
    }
    if (is_in(kHeads, text)) {
        skip_head(false);
        conditional_ = true;
        return;
    }
    returns_word_ = text == "return";
    returns_ = returns_word_ && !conditional_;
    if (is_in(kLeaving, text) || is_in(kIdle, text) || text.starts_with("__asm")) {
        statement_starts_ = false;
        stub_statement_ = true;
        leaves_ = leaves_ || (is_in(kLeaving, text) && !conditional_);
        return;
    }
    if (is_in(kIdleCalls, text) || is_in(kLeavingCalls, text)) {
        skip_head(is_in(kLeavingCalls, text));
        return;
    }
    const StubMacros::Says says = macros.look(text, passes);
    if (says == StubMacros::Says::idle || says == StubMacros::Says::leaves) {
        skip_head(says == StubMacros::Says::leaves);
    } else if (says_that_it_refuses(text)) {
        skip_head(true);
    } else if (text.find("UNUSED") != std::string_view::npos) {
        skip_head(false);
    } else {
        statement_starts_ = false;
        has_code_ = true;
    }
}

void StubCode::skip_head(bool leaves) {
    head_ = Head::wanted;
    parens_ = 0;
    leaves_ = leaves_ || (leaves && !conditional_);
}

void StubCode::punct(std::string_view text) {
    if (head_ != Head::none && text != "}") {
        parens_ += text == "(" ? 1 : 0;
        parens_ -= text == ")" && parens_ != 0 ? 1 : 0;
        head_ = parens_ != 0 ? Head::open : Head::none;
        if (head_ == Head::open || text == ")") {
            return;
        }
    }
    if (text == ";" || text == "{" || text == "}") {
        head_ = Head::none;
        statement_starts_ = true;
        stub_statement_ = conditional_ = false;
    }
}

void StubCode::ptx(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\n");
    const std::string_view start = text.substr(first == std::string_view::npos ? text.size() : first);
    const bool gives_up = start.starts_with("trap") || start.starts_with("brkpt") || start.starts_with("exit");
    leaves_ = leaves_ || gives_up;
    has_code_ = has_code_ || !(gives_up || start.empty());
}

void StubCode::add(const StubCode& inner) {
    has_code_ = has_code_ || inner.has_code_;
    leaves_ = leaves_ || inner.leaves_;
    defines_ = defines_ || inner.defines_;
    substance_ = substance_ || inner.substance_;
}

}  // namespace wheelarch
