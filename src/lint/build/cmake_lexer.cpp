#include "lint/build/cmake_lexer.hpp"

#include <optional>
#include <utility>

#include "base/text.hpp"
#include "lint/build/scan.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

class CMakeLexer {
public:
    explicit CMakeLexer(std::string_view text) : at_(text) {}

    std::vector<CMakeCommand> run() {
        while (!at_.done()) {
            if (skip_blank_or_comment()) {
                continue;
            }
            const auto start = at_.position();
            const std::string_view name = at_.take_while(is_word_byte);
            if (name.empty()) {
                at_.skip(1);
                continue;
            }
            while (at_.peek() == ' ' || at_.peek() == '\t') {
                at_.skip(1);
            }
            if (at_.peek() == '(') {
                at_.skip(1);
                commands_.push_back({lower_case(name), start.line, start.column, {}});
                arguments();
            }
        }
        return std::move(commands_);
    }

private:
    bool skip_blank_or_comment() {
        if (is_blank(at_.peek())) {
            at_.skip_newline();
            return true;
        }
        if (at_.peek() != '#') {
            return false;
        }
        at_.skip(1);
        if (const auto closing = bracket_open()) {
            bracket_text(*closing);
        } else {
            at_.skip_to_line_end();
        }
        return true;
    }

    // `[==[` is passed, and its end returned: `]==]`.
    std::optional<std::string> bracket_open() {
        std::size_t equals = 0;
        while (at_.peek() == '[' && at_.peek(1 + equals) == '=') {
            ++equals;
        }
        if (at_.peek() != '[' || at_.peek(1 + equals) != '[') {
            return std::nullopt;
        }
        at_.skip(equals + 2);
        return "]" + std::string(equals, '=') + "]";
    }

    std::string_view bracket_text(const std::string& closing) {
        const std::size_t begin = at_.offset();
        while (!at_.done() && !at_.rest().starts_with(closing)) {
            at_.skip_newline();
        }
        const std::string_view text = at_.between(begin, at_.offset());
        at_.skip(closing.size());
        return text;
    }

    void arguments() {
        std::size_t depth = 1;
        while (!at_.done()) {
            if (skip_blank_or_comment()) {
                continue;
            }
            const char c = at_.peek();
            const auto start = at_.position();
            if (c == '(' || c == ')') {
                depth = c == '(' ? depth + 1 : depth - 1;
                const std::size_t begin = at_.offset();
                at_.skip(1);
                if (depth == 0) {
                    return;
                }
                add(at_.between(begin, at_.offset()), false, start);
            } else if (c == '"') {
                quoted(start);
            } else if (const auto closing = bracket_open()) {
                add(bracket_text(*closing), true, start);
            } else {
                unquoted(start);
            }
        }
    }

    void quoted(Scanner::Position start) {
        at_.skip(1);
        const std::size_t begin = at_.offset();
        while (!at_.done() && at_.peek() != '"') {
            if (at_.peek() == '\\') {
                at_.skip(1);
            }
            at_.skip_newline();
        }
        add(at_.between(begin, at_.offset()), true, start);
        at_.skip(1);
    }

    // It may hold quotes in its middle, as in -DX="a b", and so blanks.
    void unquoted(Scanner::Position start) {
        const std::size_t begin = at_.offset();
        bool in_quotes = false;
        while (!at_.done()) {
            const char c = at_.peek();
            if (c == '"') {
                in_quotes = !in_quotes;
            } else if (c == '\n' || c == '\r' || (!in_quotes && (is_blank(c) || c == '(' || c == ')'))) {
                break;
            } else if (c == '\\') {
                at_.skip(1);
            }
            at_.skip_newline();
        }
        add(at_.between(begin, at_.offset()), false, start);
    }

    void add(std::string_view text, bool is_quoted, Scanner::Position start) {
        commands_.back().arguments.push_back({text, is_quoted, start.line, start.column});
    }

    Scanner at_;
    std::vector<CMakeCommand> commands_;
};

}  // namespace

std::vector<CMakeCommand> lex_cmake(std::string_view text) {
    return CMakeLexer(text).run();
}

}  // namespace wheelarch
