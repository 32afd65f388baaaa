#include "lint/device/declaration_head.hpp"

#include <algorithm>
#include <array>

namespace wheelarch {
namespace {

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

DeclarationHead::Kind DeclarationHead::take(const CudaToken& token) {
    const bool is_word = token.kind == CudaToken::Kind::word;
    if (is_word) {
        word(token.text);
    }
    word_before_ = is_word;
    return token.kind == CudaToken::Kind::punct ? punct(token.text) : Kind::none;
}

void DeclarationHead::begin() {
    words_.clear();
    read_ = {};
    ended_ = false;
}

void DeclarationHead::word(std::string_view text) {
    if (ended_) {
        begin();
        read_.is_alias = is_word(text, "using") || is_word(text, "typedef");
    }
    if (words_.size() < kMostWords) {
        words_.emplace_back(text);
    }
    read_.last_word = text;
    if (read_.parens != 0 || read_.angles != 0) {
        return;
    }
    if (is_word(text, "template")) {
        read_.after_template = true;
    } else if (is_word(text, "struct") || is_word(text, "class") || is_word(text, "union")) {
        read_.is_type = read_.names_type = true;
        read_.type = {};
    } else if (is_word(text, "operator")) {
        read_.is_operator = true;
    } else if (read_.names_type && !is_word(text, "final")) {
        read_.type = text;
    }
    read_.is_kernel = read_.is_kernel || is_word(text, "__global__");
    read_.is_device = read_.is_device || says_device(text);
    read_.is_template = read_.is_template || (read_.after_template && !is_word(text, "template"));
    read_.after_template = read_.after_template && is_word(text, "template");
}

DeclarationHead::Kind DeclarationHead::punct(std::string_view text) {
    if (is_word(text, "<") && (read_.after_template || read_.angles != 0)) {
        ++read_.angles;
        read_.after_template = false;
    } else if ((is_word(text, ">") || is_word(text, ">>")) && read_.angles != 0) {
        read_.angles -= std::min<std::size_t>(read_.angles, text.size());
    } else if (is_word(text, "(")) {
        open_paren();
    } else if (is_word(text, ")")) {
        read_.parens -= read_.parens != 0 ? 1 : 0;
        read_.skips_parens = read_.skips_parens && read_.parens != 0;
    } else if (read_.parens != 0 || read_.angles != 0) {
        return Kind::none;
    } else if (is_word(text, ";")) {
        return kind_at_end();
    } else if (is_word(text, "=") && (!read_.is_operator || read_.has_function)) {
        read_.alias = read_.is_alias && !read_.has_value ? read_.last_word : read_.alias;
        read_.has_value = true;
    } else if (is_word(text, ":") && read_.has_function) {
        read_.initialises = true;
    } else if (is_word(text, ":") || is_word(text, "<")) {
        read_.names_type = false;
    }
    return Kind::none;
}

void DeclarationHead::open_paren() {
    const bool first = read_.parens++ == 0 && read_.angles == 0;
    if (!first || read_.has_function || read_.has_value || read_.skips_parens) {
        return;
    }
    if (is_attribute(read_.last_word)) {
        read_.skips_parens = true;
        return;
    }
    // `operator()(…)`: the first pair is its name.
    read_.has_function = !words_.empty();
    read_.function = read_.is_operator ? std::string_view() : read_.last_word;
    read_.lone = words_.size() == 1;
}

DeclarationHead::Kind DeclarationHead::open_brace() {
    if (ended_) {
        begin();
    }
    // `int a[] = {…}`, `: a_{1}`.
    if (read_.has_value || (read_.initialises && word_before_)) {
        return Kind::none;
    }
    ended_ = true;
    return read_.has_function ? Kind::function : read_.is_type ? Kind::type : Kind::other;
}

DeclarationHead::Kind DeclarationHead::kind_at_end() {
    const Kind kind = ended_                                                  ? Kind::other
                      : read_.is_alias                                        ? Kind::alias
                      : read_.is_template && !read_.has_value                 ? Kind::instantiation
                      : read_.has_value || (read_.lone && read_.has_function) ? Kind::value
                                                                              : Kind::other;
    if (read_.is_alias && !read_.has_value) {
        read_.alias = read_.last_word;
    }
    ended_ = true;
    return kind;
}

}  // namespace wheelarch
