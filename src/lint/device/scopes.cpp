#include "lint/device/scopes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "lint/device/feature_names.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kDeepestFrames = 64;
constexpr std::size_t kDeepestBranches = 256;

// Words whose parentheses are no parameters.
constexpr std::array<std::string_view, 10> kAttributes = {
    "__launch_bounds__", "__attribute__", "alignas",  "__declspec", "decltype",
    "noexcept",          "__align__",     "requires", "explicit",   "__cluster_dims__"};

bool is_attribute(std::string_view word) {
    return std::find(kAttributes.begin(), kAttributes.end(), word) != kAttributes.end();
}

// `__device__`, `CUTLASS_DEVICE`, `C10_HOST_DEVICE`, `DEVICE_INLINE`. Asked of many words, most of which end otherwise.
bool says_device(std::string_view word) {
    if (word.find('E') == std::string_view::npos) {
        return is_word(word, "__device__");
    }
    return word.find("DEVICE") != std::string_view::npos ||
           (word.find("INLINE") != std::string_view::npos && word.find("HOST") == std::string_view::npos);
}

}  // namespace

Scopes::Declaration Scopes::take(const CudaToken& token) {
    const Declaration declaration = token.kind == CudaToken::Kind::word    ? word(token.text)
                                    : token.kind == CudaToken::Kind::punct ? punct(token.text)
                                                                           : Declaration::none;
    word_before_ = token.kind == CudaToken::Kind::word;
    if (in_function()) {
        static_condition(token);
    }
    return declaration;
}

void Scopes::static_condition(const CudaToken& token) {
    switch (static_) {
        case Static::none:
        case Static::behind:
            if (token.is("if")) {
                static_ = Static::if_word;
            } else {
                static_ = static_ == Static::behind && token.is("else") ? Static::body : Static::none;
                static_known_ = false;
            }
            break;
        case Static::if_word: static_ = token.is("constexpr") ? Static::head : Static::none; break;
        case Static::head:
            static_ = token.is("(") ? Static::condition : Static::none;
            static_parens_ = 1;
            static_known_ = false;
            return;
        case Static::condition:
            static_parens_ += token.is("(") ? 1 : 0;
            static_parens_ -= token.is(")") ? 1 : 0;
            static_known_ = static_known_ || (token.kind == CudaToken::Kind::word && passes_defining(token.text));
            static_ = static_parens_ == 0 ? Static::body : Static::condition;
            return;
        case Static::body: static_body(token); return;
    }
    if (token.is("}") && !static_braces_.empty() && frames_.back().braces == static_braces_.back()) {
        static_braces_.pop_back();
        static_ = Static::behind;
    } else if (token.is(";") && static_statement_) {
        static_statement_ = false;
        static_ = Static::behind;
    }
}

void Scopes::static_body(const CudaToken& token) {
    static_ = token.is("if") ? Static::if_word : Static::none;
    if (static_known_ || static_ == Static::if_word) {
        return;
    }
    if (token.is("{")) {
        static_braces_.push_back(frames_.back().braces - 1);
    } else {
        static_statement_ = true;
    }
}

Scopes::Declaration Scopes::word(std::string_view text) {
    if (in_function()) {
        return Declaration::none;
    }
    if (ended_) {
        begin_declaration();
        is_alias_ = is_word(text, "using") || is_word(text, "typedef");
    }
    if (words_.size() < kMostWords) {
        words_.emplace_back(text);
    }
    last_word_ = text;
    if (parens_ != 0 || angles_ != 0) {
        return Declaration::none;
    }
    if (is_word(text, "template")) {
        after_template_ = true;
    } else if (is_word(text, "struct") || is_word(text, "class") || is_word(text, "union")) {
        is_type_ = names_type_ = true;
        type_ = {};
    } else if (is_word(text, "operator")) {
        is_operator_ = true;
    } else if (names_type_ && !is_word(text, "final")) {
        type_ = text;
    }
    is_kernel_ = is_kernel_ || is_word(text, "__global__");
    is_device_ = is_device_ || says_device(text);
    is_template_ = is_template_ || (after_template_ && !is_word(text, "template"));
    after_template_ = after_template_ && is_word(text, "template");
    return Declaration::none;
}

Scopes::Declaration Scopes::punct(std::string_view text) {
    if (is_word(text, "{")) {
        return open_brace();
    }
    if (is_word(text, "}")) {
        return close_brace();
    }
    if (in_function()) {
        return Declaration::none;
    }
    if (is_word(text, "<") && (after_template_ || angles_ != 0)) {
        ++angles_;
        after_template_ = false;
    } else if ((is_word(text, ">") || is_word(text, ">>")) && angles_ != 0) {
        angles_ -= std::min<std::size_t>(angles_, text.size());
    } else if (is_word(text, "(")) {
        open_paren();
    } else if (is_word(text, ")")) {
        parens_ -= parens_ != 0 ? 1 : 0;
        skips_parens_ = skips_parens_ && parens_ != 0;
    } else if (parens_ != 0 || angles_ != 0) {
        return Declaration::none;
    } else if (is_word(text, ";")) {
        return end();
    } else if (is_word(text, "=") && (!is_operator_ || has_function_)) {
        alias_ = is_alias_ && !has_value_ ? last_word_ : alias_;
        has_value_ = true;
    } else if (is_word(text, ":") && has_function_) {
        initialises_ = true;
    } else if (is_word(text, ":") || is_word(text, "<")) {
        names_type_ = false;
    }
    return Declaration::none;
}

void Scopes::open_paren() {
    const bool first = parens_++ == 0 && angles_ == 0;
    if (!first || has_function_ || has_value_ || skips_parens_) {
        return;
    }
    if (is_attribute(last_word_)) {
        skips_parens_ = true;
        return;
    }
    // `operator()(…)`: the first pair is its name.
    has_function_ = !words_.empty();
    function_ = is_operator_ ? std::string_view() : last_word_;
    lone_ = words_.size() == 1;
}

CodeScope Scopes::function_scope() const {
    CodeScope scope;
    scope.owner = frames_.back().scope.owner;
    const bool by_class = function_ == scope.owner;  // a constructor
    scope.name = by_class ? std::string_view() : function_;
    scope.kind = is_kernel_ ? CodeScope::Kind::kernel : is_device_ ? CodeScope::Kind::device : CodeScope::Kind::host;
    return scope;
}

Scopes::Declaration Scopes::open_brace() {
    Frame& top = frames_.back();
    if (in_function() || parens_ != 0 || frames_.size() >= kDeepestFrames) {
        ++top.braces;
        return Declaration::none;
    }
    if (ended_) {
        begin_declaration();
    }
    // `int a[] = {…}`, `: a_{1}`.
    if (has_value_ || (initialises_ && word_before_)) {
        ++top.braces;
        return Declaration::none;
    }
    const Declaration declaration = has_function_ ? Declaration::function
                                    : is_type_    ? Declaration::type
                                                  : Declaration::other;
    Frame frame;
    frame.scope.owner = has_function_ || !is_type_ ? top.scope.owner : std::string(type_);
    frame.scope = has_function_ ? function_scope() : frame.scope;
    frames_.push_back(std::move(frame));
    ++changes_;
    ended_ = true;
    static_ = Static::none;
    static_braces_.clear();
    static_statement_ = false;
    return declaration;
}

Scopes::Declaration Scopes::close_brace() {
    if (frames_.back().braces != 0) {
        --frames_.back().braces;
        return Declaration::none;
    }
    if (frames_.size() > 1) {
        frames_.pop_back();
        ++changes_;
    }
    parens_ = 0;
    ended_ = true;
    return Declaration::none;
}

Scopes::Declaration Scopes::end() {
    const Declaration declaration = ended_                                   ? Declaration::other
                                    : is_alias_                              ? Declaration::alias
                                    : is_template_ && !has_value_            ? Declaration::instantiation
                                    : has_value_ || (lone_ && has_function_) ? Declaration::value
                                                                             : Declaration::other;
    if (is_alias_ && !has_value_) {
        alias_ = last_word_;
    }
    ended_ = true;
    return declaration;
}

void Scopes::begin_declaration() {
    words_.clear();
    alias_ = last_word_ = function_ = type_ = {};
    parens_ = angles_ = 0;
    ended_ = after_template_ = is_template_ = is_alias_ = is_type_ = names_type_ = is_operator_ = false;
    is_kernel_ = is_device_ = has_value_ = has_function_ = initialises_ = skips_parens_ = lone_ = false;
}

void Scopes::open_branch() {
    if (branches_.size() < kDeepestBranches) {
        branches_.push_back(frames_);
    } else {
        ++too_deep_;
    }
}

void Scopes::next_branch() {
    if (too_deep_ == 0 && !branches_.empty()) {
        frames_ = branches_.back();
        ++changes_;
        ended_ = true;
    }
}

void Scopes::close_branch() {
    if (too_deep_ != 0) {
        --too_deep_;
    } else if (!branches_.empty()) {
        branches_.pop_back();
    }
}

}  // namespace wheelarch
