#include "wheel/requirement.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kBlanks = " \t\n";

std::string_view trimmed(std::string_view text) {
    const std::size_t start = std::min(text.find_first_not_of(kBlanks), text.size());
    return text.substr(start, text.find_last_not_of(kBlanks) + 1 - start);
}

template <typename Check>
bool all_items(std::string_view list, const Check& check) {
    while (!list.empty()) {
        const std::string_view item = list.substr(0, list.find(','));
        list.remove_prefix(std::min(item.size() + 1, list.size()));
        if (!check(trimmed(item))) {
            return false;
        }
    }
    return true;
}

bool is_specifier(std::string_view text) {
    if (text.starts_with("===")) {
        const std::string_view version = trimmed(text.substr(3));
        return !version.empty() && version.find_first_of(kBlanks) == std::string_view::npos;
    }
    constexpr std::array<std::string_view, 7> operators = {"~=", "==", "!=", "<=", ">=", "<", ">"};
    const auto op = std::find_if(operators.begin(), operators.end(), [&](auto one) { return text.starts_with(one); });
    if (op == operators.end()) {
        return false;
    }
    std::string_view version = trimmed(text.substr(op->size()));
    const bool is_equal = *op == "==" || *op == "!=";
    if (version.find('+') != std::string_view::npos && !is_equal) {
        return false;
    }
    if (version.ends_with(".*")) {
        version.remove_suffix(2);
        return is_equal && is_version(version) && version.find_first_of("+d") == std::string_view::npos;
    }
    return is_version(version) && (*op != "~=" || version.find('.') != std::string_view::npos);
}

bool is_marker(std::string_view text) {
    char quote = 0;
    int depth = 0;
    bool compares = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else {
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            compares = compares || c == '=' || c == '<' || c == '>' || text.substr(i).starts_with(" in ") ||
                       text.substr(i).starts_with(" in'") || text.substr(i).starts_with(" in\"");
        }
        if (depth < 0) {
            return false;
        }
    }
    return quote == 0 && depth == 0 && compares;
}

// Takes `[a, b]` off, if it is there.
bool take_extras(std::string_view& text) {
    if (!text.starts_with('[')) {
        return true;
    }
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos || !all_items(text.substr(1, end - 1), is_project_name)) {
        return false;
    }
    text = trimmed(text.substr(end + 1));
    return true;
}

}  // namespace

bool is_specifier_set(std::string_view text) {
    return all_items(text, [](std::string_view item) { return item.empty() || is_specifier(item); });
}

bool is_requirement(std::string_view text) {
    text = trimmed(text);
    const std::size_t name_end = std::min(text.find_first_of(" \t\n[(<>=!~;@,"), text.size());
    if (!is_project_name(text.substr(0, name_end))) {
        return false;
    }
    text = trimmed(text.substr(name_end));
    if (!take_extras(text)) {
        return false;
    }
    if (text.starts_with('@')) {
        const std::string_view url = trimmed(text.substr(1));
        const std::size_t end = std::min(url.find_first_of(kBlanks), url.size());
        const std::string_view rest = trimmed(url.substr(end));
        return end > 0 && (rest.empty() || (rest.front() == ';' && is_marker(rest.substr(1))));
    }
    const std::size_t semicolon = std::min(text.find(';'), text.size());
    std::string_view specifiers = trimmed(text.substr(0, semicolon));
    if (specifiers.starts_with('(')) {
        if (!specifiers.ends_with(')')) {
            return false;
        }
        specifiers = specifiers.substr(1, specifiers.size() - 2);
    }
    return is_specifier_set(specifiers) && (semicolon == text.size() || is_marker(text.substr(semicolon + 1)));
}

}  // namespace wheelarch
