// C, C++ and CUDA source to tokens, as the preprocessor of C++20 sees it: comments and line splices are gone, digraphs
// are what they stand for, trigraphs are not known. Any bytes will do; a literal that does not end, ends with its line
// (a raw string, with the file). Reads each byte about once and keeps nothing but a spliced token's text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wheelarch {

struct CudaToken {
    enum class Kind {
        end,
        word,
        number,
        string,     // with prefix and quotes
        character,  // likewise
        punct,      // one character, or one of :: && || == != <= >= << >> ##
        directive,  // the # that begins one; its name and the rest follow
        line_end,   // of a directive
    };

    Kind kind = Kind::end;
    std::string_view text;   // until the token after the next is read
    std::size_t offset = 0;  // of its first byte

    bool is(std::string_view expected) const noexcept { return text == expected; }
};

class CudaLexer {
public:
    // `fragment`: part of a line, such as a condition: no directive begins in it, and line breaks are blanks.
    enum class Mode { file, fragment };

    explicit CudaLexer(std::string_view text, Mode mode = Mode::file);

    CudaToken next();
    // The same without what is no word, and no word that `wanted` refuses; directives' # and the end come as ever. Some
    // times faster, for code of which little matters. Not within a directive.
    CudaToken next_word(bool (*wanted)(std::string_view));

private:
    const char* skip_blanks(const char* at);
    const char* skip_line_comment(const char* at) const;
    const char* skip_splices(const char* at) const;
    CudaToken token(CudaToken::Kind kind, const char* begin, const char* end);
    CudaToken spliced(CudaToken::Kind kind, const char* begin, const char* end);
    CudaToken word(const char* begin);
    CudaToken number(const char* begin);
    CudaToken quoted(const char* begin, const char* quote);
    CudaToken raw_string(const char* begin, const char* quote);
    CudaToken header_name(const char* begin);
    CudaToken punct(const char* begin);

    const char* begin_;
    const char* end_;
    const char* at_;
    Mode mode_;
    bool line_start_ = true;  // nothing but blanks since the line began
    bool in_directive_ = false;
    bool name_next_ = false;    // the next word is a directive's name
    bool header_next_ = false;  // after #include
    std::string buffers_[2];
    unsigned buffer_ = 0;
};

// The characters of a string literal between its quotes, escapes kept. Empty for what is none.
std::string_view string_body(std::string_view literal);

}  // namespace wheelarch
