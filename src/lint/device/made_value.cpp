#include "lint/device/made_value.hpp"

#include <algorithm>

namespace wheelarch {
namespace {

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

}  // namespace

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

}  // namespace wheelarch
