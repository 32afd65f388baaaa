// Scanner: a place in a text that knows its line and column; what the lexers of build files are made on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace wheelarch {

// Letters, digits, `_`, and every byte of a character beyond ASCII.
constexpr bool is_word_byte(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

class Scanner {
public:
    struct Position {
        unsigned line = 1;
        unsigned column = 1;  // in bytes
    };

    explicit Scanner(std::string_view text) : text_(text) {}

    bool done() const noexcept { return offset_ >= text_.size(); }
    std::size_t offset() const noexcept { return offset_; }
    // A NUL past the end.
    char peek(std::size_t ahead = 0) const noexcept {
        return offset_ + ahead < text_.size() ? text_[offset_ + ahead] : '\0';
    }
    std::string_view rest() const noexcept { return text_.substr(offset_); }
    std::string_view between(std::size_t begin, std::size_t end) const noexcept {
        return text_.substr(begin, end - begin);
    }
    Position position() const noexcept { return {line_, static_cast<unsigned>(offset_ - line_start_) + 1}; }

    // Bytes that are no line breaks, as far as there are.
    void skip(std::size_t count) noexcept { offset_ = std::min(offset_ + count, text_.size()); }
    // LF, CR or both, or any one other byte.
    void skip_newline() noexcept {
        const bool both = peek() == '\r' && peek(1) == '\n';
        const bool is_break = peek() == '\n' || peek() == '\r';
        skip(both ? 2 : 1);
        if (is_break) {
            ++line_;
            line_start_ = offset_;
        }
    }
    void skip_to_line_end() noexcept { offset_ = std::min(text_.find_first_of("\r\n", offset_), text_.size()); }

    template <typename Test>
    std::string_view take_while(Test test) {
        const std::size_t begin = offset_;
        while (!done() && test(text_[offset_])) {
            ++offset_;
        }
        return between(begin, offset_);
    }

private:
    std::string_view text_;
    std::size_t offset_ = 0;
    std::size_t line_start_ = 0;
    unsigned line_ = 1;
};

}  // namespace wheelarch
