#include "wheel/entry_points.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "base/text.hpp"

namespace wheelarch {
namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t start = std::min(text.find_first_not_of(blanks), text.size());
    return text.substr(start, text.find_last_not_of(blanks) + 1 - start);
}

// `module:attribute`, perhaps with extras in brackets behind it.
bool is_callable(std::string_view value) {
    value = trimmed(value.substr(0, value.find('[')));
    const std::size_t colon = value.find(':');
    return colon != std::string_view::npos && colon > 0 && colon + 1 < value.size();
}

std::string problem_of(std::string_view line, bool has_section, bool is_scripts) {
    const std::size_t equals = line.find('=');
    if (!has_section) {
        return "no section stands before it";
    }
    if (equals == std::string_view::npos || trimmed(line.substr(0, equals)).empty()) {
        return "it is not of the form name = module:function";
    }
    const std::string_view name = trimmed(line.substr(0, equals));
    if (is_scripts && (name.find_first_of("/\\") != std::string_view::npos || name == "..")) {
        return "the name of a script must not be a path";
    }
    return is_scripts && !is_callable(line.substr(equals + 1)) ? "a script needs module:function" : "";
}

}  // namespace

std::string entry_points_problem(std::string_view text) {
    if (valid_utf8(text) != text) {
        return "it is not UTF-8";
    }
    bool has_section = false;
    bool is_scripts = false;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view whole = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(whole.size() + 1, text.size()));
        const std::string_view line = trimmed(whole);
        if (line.empty() || line.front() == '#' || line.front() == ';') {
            continue;
        }
        if (line.front() == '[' && line.back() == ']') {
            has_section = true;
            is_scripts = line == "[console_scripts]" || line == "[gui_scripts]";
        } else if (const std::string problem = problem_of(line, has_section, is_scripts); !problem.empty()) {
            return fmt::format("line {}: {}", number, problem);
        }
    }
    return {};
}

}  // namespace wheelarch
