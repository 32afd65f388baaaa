#include "lint/build/python_lexer.hpp"

#include <algorithm>
#include <array>

#include "lint/build/scan.hpp"

namespace wheelarch {
namespace {

// Those of three bytes first.
constexpr std::array<std::string_view, 23> kOperators = {
    "**=", "//=", ">>=", "<<=", "...", "==", "!=", "<=", ">=", "->", ":=", "+=",
    "-=",  "*=",  "/=",  "|=",  "&=",  "^=", "%=", "@=", "**", "//", "<<"};

bool is_string_prefix(std::string_view name) {
    constexpr std::size_t kLongest = 2;
    return name.size() <= kLongest && name.find_first_not_of("rRbBuUfFtT") == std::string_view::npos;
}

class PythonLexer {
public:
    explicit PythonLexer(std::string_view text) : at_(text) {}

    std::vector<PyToken> run() {
        begin_line();
        while (!at_.done()) {
            step();
        }
        end_line();
        return std::move(tokens_);
    }

private:
    void step() {
        const char c = at_.peek();
        if (c == '\n' || c == '\r') {
            at_.skip_newline();
            if (depth_ == 0) {
                end_line();
                begin_line();
            }
        } else if (c == '#') {
            at_.skip_to_line_end();
        } else if (c == ' ' || c == '\t' || c == '\f') {
            at_.skip(1);
        } else if (c == '\\' && (at_.peek(1) == '\n' || at_.peek(1) == '\r')) {
            at_.skip(1);
            at_.skip_newline();
        } else if (is_word_byte(c)) {
            word();
        } else if (c == '"' || c == '\'') {
            string(false, false, at_.position());
        } else {
            op();
        }
    }

    void begin_line() {
        constexpr unsigned kTab = 8;
        indent_ = 0;
        while (at_.peek() == ' ' || at_.peek() == '\t' || at_.peek() == '\f') {
            indent_ = at_.peek() == '\t' ? (indent_ / kTab + 1) * kTab : indent_ + 1;
            at_.skip(1);
        }
    }

    void end_line() {
        const bool in_line = !tokens_.empty() && tokens_.back().kind != PyToken::Kind::newline;
        if (in_line || (tokens_.empty() && at_.done())) {
            add(PyToken::Kind::newline, {}, at_.position());
        }
    }

    void word() {
        const auto start = at_.position();
        const std::string_view text = at_.take_while(is_word_byte);
        const bool quoted = at_.peek() == '"' || at_.peek() == '\'';
        if (quoted && is_string_prefix(text)) {
            string(text.find_first_of("fFtT") != std::string_view::npos, true, start);
            return;
        }
        const bool digit = text.front() >= '0' && text.front() <= '9';
        add(digit ? PyToken::Kind::number : PyToken::Kind::name, text, start);
    }

    void op() {
        const auto start = at_.position();
        const std::string_view rest = at_.rest();
        const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                        [&](std::string_view one) { return rest.starts_with(one); });
        const std::string_view text = found != kOperators.end() ? *found : rest.substr(0, 1);
        if (text == "(" || text == "[" || text == "{") {
            ++depth_;
        } else if ((text == ")" || text == "]" || text == "}") && depth_ > 0) {
            --depth_;
        }
        at_.skip(text.size());
        add(PyToken::Kind::op, rest.substr(0, text.size()), start);
    }

    // One without its end stops at the line's, if it has single quotes, else at the file's.
    void string(bool formatted, bool prefixed, Scanner::Position start) {
        const char quote = at_.peek();
        const bool triple = at_.peek(1) == quote && at_.peek(2) == quote;
        at_.skip(triple ? 3 : 1);
        const std::size_t begin = at_.offset();
        while (!at_.done()) {
            const char c = at_.peek();
            const bool ends = c == quote && (!triple || (at_.peek(1) == quote && at_.peek(2) == quote));
            if (ends || (!triple && (c == '\n' || c == '\r'))) {
                break;
            }
            at_.skip(c == '\\' ? 1 : 0);
            at_.skip_newline();
        }
        const std::string_view text = at_.between(begin, at_.offset());
        if (at_.peek() == quote) {
            at_.skip(triple ? 3 : 1);
        }
        add(PyToken::Kind::string, text, start);
        tokens_.back().formatted = formatted && prefixed;
    }

    void add(PyToken::Kind kind, std::string_view text, Scanner::Position start) {
        tokens_.push_back({kind, false, text, start.line, start.column, indent_});
    }

    Scanner at_;
    std::vector<PyToken> tokens_;
    unsigned indent_ = 0;
    std::size_t depth_ = 0;
};

}  // namespace

std::vector<PyToken> lex_python(std::string_view text) {
    return PythonLexer(text).run();
}

}  // namespace wheelarch
