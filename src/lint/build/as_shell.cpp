#include "lint/build/as_shell.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "base/text.hpp"
#include "lint/build/scan.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
    return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

std::string_view first_word(std::string_view text) {
    return text.substr(0, text.find_first_of(kBlank));
}

std::string_view after_word(std::string_view text) {
    return trimmed(text.substr(first_word(text).size()));
}

// A value in double quotes, in which references still count.
std::string in_double_quotes(std::string_view value) {
    std::string text = "\"";
    std::copy_if(value.begin(), value.end(), std::back_inserter(text),
                 [](char c) { return std::string_view("\"'\\").find(c) == std::string_view::npos; });
    return text + "\"";
}

// Calls `convert` with each line, which goes on after a `\`, and keeps the count of lines. `over_comments`: a comment
// between such lines is no end.
std::string by_lines(std::string_view text, bool over_comments,
                     const std::function<std::string(std::string_view)>& convert) {
    std::string shell;
    while (!text.empty()) {
        std::size_t end = text.find('\n');
        for (std::size_t begin = 0; end != std::string_view::npos;) {
            const std::string_view last = trimmed(text.substr(begin, end - begin));
            const bool between = over_comments && begin != 0 && last.starts_with('#');
            if (!between && !last.ends_with('\\')) {
                break;
            }
            begin = end + 1;
            end = text.find('\n', begin);
        }
        const std::string_view line = text.substr(0, end);
        const std::string converted = convert(line);
        const auto lines = std::count(line.begin(), line.end(), '\n');
        shell += converted;
        shell.append(static_cast<std::size_t>(lines - std::count(converted.begin(), converted.end(), '\n')) + 1, '\n');
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return shell;
}

// `a \`, `b`: `a   b`.
std::string joined(std::string_view line) {
    std::string text(line);
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) {
        text[at] = ' ';
        if (const std::size_t slash = text.rfind('\\', at); slash != std::string::npos) {
            text[slash] = ' ';
        }
    }
    return text.substr(0, text.find('#'));
}

// `ifndef NAME`, `ifeq ($(NAME),)`; `word` is the first of them.
std::string condition(std::string_view word, std::string_view rest) {
    rest.remove_suffix(rest.ends_with(')') ? 1 : 0);
    const bool beside_nothing = rest.ends_with(',') || rest.ends_with("\"\"") || rest.ends_with("''");
    const bool for_none = word == "ifndef" || (word == "ifeq" && beside_nothing);
    std::string name(rest);
    std::erase_if(name, [](char c) { return !is_word_byte(c); });
    return "if [ " + std::string(for_none ? "-z" : "-n") + " \"$" + name + "\" ]; then";
}

// `export NAME := value`, and `target: NAME = value`.
std::string assignment(std::string_view line) {
    std::size_t at = line.find_first_of(":=");
    if (at != std::string_view::npos && line[at] == ':' && line.substr(at + 1).find_first_of(":=") != 0) {
        const std::size_t next = line.find_first_of(":=", at + 1);
        at = next == std::string_view::npos || line[next] == '=' ? next : line.size();
    }
    const std::size_t equals = line.find('=', at);
    if (at == std::string_view::npos || equals == std::string_view::npos || equals == 0) {
        return {};
    }
    const char before = line[equals - 1];
    const std::string_view target = line.substr(0, line.substr(0, equals).find_last_not_of(" \t:+?!") + 1);
    const std::size_t begin = target.find_last_of(" \t:") + 1;
    const std::string name(target.substr(begin));
    if (before == '?' || !std::all_of(name.begin(), name.end(), is_word_byte)) {
        return {};
    }
    const std::string value(trimmed(line.substr(equals + 1)));
    return std::string(begin, ' ') + name + "=" + in_double_quotes(before == '+' ? "$" + name + " " + value : value);
}

std::string recipe(std::string_view line) {
    constexpr std::string_view kMarks = "\t @-+";
    const std::size_t begin = std::min(line.find_first_not_of(kMarks), line.size());
    std::string command(begin, ' ');
    for (std::size_t i = begin; i < line.size(); ++i) {
        const bool doubled = line[i] == '$' && i + 1 < line.size() && line[i + 1] == '$';
        i += doubled ? 1 : 0;
        command += line[i];
    }
    return command;
}

std::string make_line(std::string_view line) {
    if (line.starts_with('\t')) {
        return recipe(line);
    }
    const std::string text = joined(line);
    std::string_view rest = trimmed(text);
    std::string_view word = first_word(rest);
    const bool otherwise = word == "else";
    if (otherwise) {
        rest = after_word(rest);
        word = first_word(rest);
    }
    if (word == "ifdef" || word == "ifndef" || word == "ifeq" || word == "ifneq") {
        return (otherwise ? "el" : "") + condition(word, after_word(rest));
    }
    return otherwise ? "else" : word == "endif" ? "fi" : assignment(rest);
}

// Of a command over several lines, comments between them are no end of it.
std::string without_comments(std::string_view command) {
    std::string text;
    while (!command.empty()) {
        const std::string_view line = command.substr(0, command.find('\n'));
        const bool ends = line.size() == command.size();
        text += trimmed(line).starts_with('#') ? std::string("\\") : std::string(line);
        text += ends ? "" : "\n";
        command.remove_prefix(ends ? line.size() : line.size() + 1);
    }
    return text;
}

std::string docker_line(std::string_view line) {
    const std::string_view start = trimmed(line);
    const std::string word = lower_case(first_word(start));
    const std::string_view rest = after_word(start);
    const std::string before(static_cast<std::size_t>(rest.data() - line.data()), ' ');
    if (word == "run") {
        return before + without_comments(rest);
    }
    if (word != "env") {
        return {};
    }
    const std::string text = joined(rest);
    const std::string_view name = first_word(text);
    return before + (name.find('=') != std::string_view::npos
                         ? text
                         : std::string(name) + "=" + in_double_quotes(after_word(text)));
}

}  // namespace

std::string makefile_as_shell(std::string_view text) {
    return by_lines(text, false, make_line);
}

std::string dockerfile_as_shell(std::string_view text) {
    return by_lines(text, true, docker_line);
}

}  // namespace wheelarch
