#include "lint/build/shell_words.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "lint/build/scan.hpp"

namespace wheelarch {
namespace {

// After these a new command begins.
constexpr std::array<std::string_view, 11> kKeywords = {"if",   "then",  "elif",  "else", "fi", "do",
                                                        "done", "while", "until", "{",    "}"};

class ShellLexer {
public:
    explicit ShellLexer(std::string_view text) : at_(text) {}

    std::vector<ShellCommand> run() {
        while (!at_.done()) {
            step();
        }
        end_command(ShellCommand::Joined::plain);
        return std::move(commands_);
    }

private:
    void step() {
        const char c = at_.peek();
        if (c == '\n' || c == '\r') {
            at_.skip_newline();
            // `a &&` goes on with the next line.
            if (!command_.words.empty()) {
                end_command(ShellCommand::Joined::plain);
            }
            skip_here_documents();
        } else if (c == ' ' || c == '\t' || c == '>' || (c == '<' && (at_.peek(1) != '<' || at_.peek(2) == '<'))) {
            at_.skip(1);
        } else if (c == '#') {
            at_.skip_to_line_end();
        } else if (c == '\\' && (at_.peek(1) == '\n' || at_.peek(1) == '\r')) {
            at_.skip(1);
            at_.skip_newline();
        } else if (c == '<') {
            here_document();
        } else if (std::string_view(";&|()").find(c) != std::string_view::npos) {
            separator();
        } else {
            word();
        }
    }

    void separator() {
        const std::string_view rest = at_.rest();
        const bool by_and = rest.starts_with("&&");
        const bool by_or = rest.starts_with("||");
        at_.skip(by_and || by_or ? 2 : 1);
        end_command(by_and  ? ShellCommand::Joined::by_and
                    : by_or ? ShellCommand::Joined::by_or
                            : ShellCommand::Joined::plain);
    }

    void end_command(ShellCommand::Joined next) {
        if (!command_.words.empty()) {
            commands_.push_back(std::move(command_));
        }
        command_ = {next, {}};
    }

    void word() {
        const auto start = at_.position();
        ShellWord word{{}, start.line, start.column};
        bool quoted = false;
        while (!at_.done() && std::string_view(" \t\r\n;&|()<>").find(at_.peek()) == std::string_view::npos) {
            quoted = part(word.text) || quoted;
        }
        const bool keyword = !quoted && command_.words.empty() &&
                             std::find(kKeywords.begin(), kKeywords.end(), word.text) != kKeywords.end();
        command_.words.push_back(std::move(word));
        if (keyword) {
            end_command(ShellCommand::Joined::plain);
        }
    }

    // One byte, or all that is in quotes or braces. True for what is in quotes.
    bool part(std::string& into) {
        const char c = at_.peek();
        if (c == '\'' || c == '"') {
            at_.skip(1);
            while (!at_.done() && at_.peek() != c) {
                if (c == '"' && at_.peek() == '\\') {
                    escaped(into);
                } else if (c == '"' && at_.peek() == '$') {
                    expansion(into);
                } else {
                    take(into);
                }
            }
            at_.skip(1);
            return true;
        }
        if (c == '\\') {
            escaped(into);
        } else if (c == '$') {
            expansion(into);
        } else {
            take(into);
        }
        return false;
    }

    void escaped(std::string& into) {
        at_.skip(1);
        if (at_.peek() == '\n' || at_.peek() == '\r') {
            at_.skip_newline();  // the line goes on
        } else if (!at_.done()) {
            take(into);
        }
    }

    // `${NAME:-a b}` and `$(command)` to their end, quotes and all.
    void expansion(std::string& into) {
        take(into);
        const char open = at_.peek();
        if (open != '{' && open != '(') {
            return;
        }
        const char close = open == '{' ? '}' : ')';
        std::size_t depth = 0;
        do {
            depth += at_.peek() == open ? 1 : 0;
            depth -= at_.peek() == close ? 1 : 0;
            take(into);
        } while (depth > 0 && !at_.done());
    }

    void take(std::string& into) {
        into += at_.peek();
        at_.skip_newline();
    }

    // `<<EOF`, `<<-'EOF'`: its lines begin after this one.
    void here_document() {
        at_.skip(at_.peek(2) == '-' ? 3 : 2);
        while (at_.peek() == ' ' || at_.peek() == '\t') {
            at_.skip(1);
        }
        std::string end;
        while (!at_.done() && std::string_view(" \t\r\n;&|()<>").find(at_.peek()) == std::string_view::npos) {
            part(end);
        }
        // `((1<<2))` is none.
        if (!end.empty() && (end.front() < '0' || end.front() > '9')) {
            here_ends_.push_back(std::move(end));
        }
    }

    void skip_here_documents() {
        for (const std::string& end : std::exchange(here_ends_, {})) {
            bool ended = false;
            while (!at_.done() && !ended) {
                at_.take_while([](char c) { return c == '\t'; });
                const std::size_t begin = at_.offset();
                at_.skip_to_line_end();
                ended = at_.between(begin, at_.offset()) == end;
                at_.skip_newline();
            }
        }
    }

    Scanner at_;
    std::vector<ShellCommand> commands_;
    ShellCommand command_;
    std::vector<std::string> here_ends_;
};

}  // namespace

std::vector<ShellCommand> lex_shell(std::string_view text) {
    return ShellLexer(text).run();
}

bool only_says(const ShellCommand& command) {
    constexpr std::array<std::string_view, 6> kSaying = {"echo", "printf", "grep", "sed", "test", "["};
    return std::find(kSaying.begin(), kSaying.end(), command.words.front().text) != kSaying.end();
}

}  // namespace wheelarch
