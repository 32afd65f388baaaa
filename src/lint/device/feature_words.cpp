#include "lint/device/feature_words.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "lint/device/feature_names.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kShortestFeature = 8;  // of the names in feature_names.cpp

// The CollectiveBuilder of CUTLASS 3 for a GEMM (not that for its epilogue) is about the arch that follows.
std::string feature_text(std::string_view text, const CudaToken& token) {
    constexpr std::size_t kFar = 100;
    const std::string_view space = "epilogue::collective::";
    if (!token.is("CollectiveBuilder")) {
        return std::string(token.text);
    }
    const std::string_view behind = text.substr(token.offset + token.text.size()).substr(0, kFar);
    const std::size_t at = behind.find("arch::Sm");
    if (at == std::string_view::npos || text.substr(0, token.offset).ends_with(space)) {
        return {};
    }
    const std::size_t begin = behind.find("Sm", at);
    const std::size_t end = behind.find_first_not_of("0123456789", begin + 2);
    return fmt::format("CollectiveBuilder<{}>",
                       behind.substr(begin, end == std::string_view::npos ? end : end - begin));
}

bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The character at or behind `at` that is no blank; 0 at the end.
char at_or_behind(std::string_view text, std::size_t& at) {
    at = std::min(text.find_first_not_of(" \t", at), text.size());
    return at < text.size() ? text[at] : '\0';
}

std::string_view before(std::string_view text) {
    return text.substr(0, text.find_last_not_of(" \t") + 1);
}

// Cuts a name off the end.
std::string_view take_name(std::string_view& text) {
    std::size_t begin = text.size();
    while (begin > 0 && is_name(text[begin - 1])) {
        --begin;
    }
    const std::string_view name = text.substr(begin);
    text = before(text.substr(0, begin));
    return name;
}

bool converts(std::string_view name) {
    return name == "static_cast" ||
           (name.find("onvert") != std::string_view::npos && name.find("onvertible") == std::string_view::npos);
}

// For the name at [begin, end) of `text`: `T(v)`, `T{v}`, `T name(v)`, `T name{v}`, `(T)v`, `static_cast<T>(v)`,
// `NumericConverter<T, float>`. By the characters around it, so that comments there hide it. Only where statements are
// is `T name(v)` more than a declaration.
// Is a value of a type made, or converted into, where the type is named? For the name at [begin, end) of `text`:
// `T(v)`, `T{v}`, `T name(v)`, `T name{v}`, `(T)v`, `static_cast<T>(v)`, `NumericConverter<T, float>`. By the
// characters around it, so that comments there hide it. Only where statements are is `T name(v)` more than a
// declaration.
bool makes_value(std::string_view text, std::size_t begin, std::size_t end) {
    std::size_t at = end;
    const char next = at_or_behind(text, at);
    if (next == '(' || next == '{') {
        return true;
    }
    if (at > end && is_name(next)) {
        while (at < text.size() && is_name(text[at])) {
            ++at;
        }
        const char behind = at_or_behind(text, at);
        return behind == '(' || behind == '{';
    }
    constexpr std::size_t kFar = 200;
    const std::size_t from = begin > kFar ? begin - kFar : 0;
    std::string_view left = before(text.substr(from, begin - from));
    while (left.ends_with("::")) {
        left = before(left.substr(0, left.size() - 2));
        take_name(left);
    }
    if (left.ends_with('(') && next == ')') {
        const char value = at_or_behind(text, ++at);
        left = before(left.substr(0, left.size() - 1));
        return (is_name(value) || value == '(' || value == '-') && take_name(left).empty();
    }
    if (left.ends_with('<')) {
        left = before(left.substr(0, left.size() - 1));
        return converts(take_name(left));
    }
    return false;
}

}  // namespace

bool is_feature(std::string_view word, bool has_digit) {
    return word.size() >= kShortestFeature &&
           ((has_digit && is_fp8_name(word)) || !library_needs(word).empty() || word == "CollectiveBuilder");
}

void collect_feature(WalkedFile& file, const CudaToken& word) {
    std::vector<FeatureWord>& words = file.out.facts.words;
    if (is_feature(word.text, word.has_digit) && words.size() < kMostFacts) {
        words.push_back({file.lines.at(word.offset), feature_text(file.text, word), devices(file.regions.may())});
        words.back().made = makes_value(file.text, word.offset, word.offset + word.text.size());
    }
}

}  // namespace wheelarch
