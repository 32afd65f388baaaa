// C, C++ and CUDA source to tokens, as the preprocessor of C++20 sees it: comments and line splices are gone, digraphs
// are what they stand for, trigraphs are not known. Any bytes will do; a literal that does not end, ends with its line
// (a raw string, with the file). Reads each byte about once and keeps nothing but a spliced token's text.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wheelarch {

// text == expected, without a call.
template <std::size_t kSize>
bool is_word(std::string_view text, const char (&expected)[kSize]) noexcept {
    return text.size() == kSize - 1 && std::equal(text.begin(), text.end(), expected);
}

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
    bool has_digit = false;  // of a word

    bool is(std::string_view expected) const noexcept { return text == expected; }
    template <std::size_t kSize>
    bool is(const char (&expected)[kSize]) const noexcept {
        return is_word(text, expected);
    }
};

class CudaLexer {
public:
    // `fragment`: part of a line, such as a condition: no directive begins in it, and line breaks are blanks.
    enum class Mode { file, fragment };

    explicit CudaLexer(std::string_view text, Mode mode = Mode::file);

    CudaToken next();
    // The same without what is no word, and no word that `wanted` (called with its text and has_digit) refuses;
    // directives' # and the end come as ever, and so do braces if they are asked for. Some times faster, for code of
    // which little matters. Not within a directive.
    template <bool kBraces = false, typename Wanted>
    CudaToken next_word(const Wanted& wanted);

private:
    // What a byte may begin.
    static constexpr std::uint8_t kBlank = 1;
    static constexpr std::uint8_t kLetter = 2;
    static constexpr std::uint8_t kDigit = 4;
    static constexpr std::uint8_t kPair = 8;      // an operator of two characters, or a digraph
    static constexpr std::uint8_t kBreak = 16;    // a line break
    static constexpr std::uint8_t kSpecial = 32;  // a comment, a line splice or a literal
    static const std::array<std::uint8_t, 256> kClasses;

    static std::uint8_t class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }
    static bool is_word(char c) { return (class_of(c) & (kLetter | kDigit)) != 0; }

    CudaToken plain_word(const char* begin);
    const char* skip_other(const char* at);
    const char* skip_number(const char* at);
    const char* skip_blanks(const char* at);
    const char* skip_comment_or_splice(const char* at) const;
    const char* skip_line_comment(const char* at) const;
    const char* skip_splices(const char* at) const;
    CudaToken token(CudaToken::Kind kind, const char* begin, const char* end) {
        at_ = end;
        line_start_ = false;
        return {kind, {begin, static_cast<std::size_t>(end - begin)}, static_cast<std::size_t>(begin - begin_)};
    }
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

// A word without line splices and quotes behind it, as most are; what word() gives for others.
inline CudaToken CudaLexer::plain_word(const char* begin) {
    std::uint8_t classes = 0;
    const char* at = begin;
    for (; at != end_ && is_word(*at); ++at) {
        classes |= class_of(*at);
    }
    const bool plain = at == end_ || class_of(*at) != kSpecial || *at == '/';
    if (!plain) {
        return word(begin);
    }
    CudaToken result = token(CudaToken::Kind::word, begin, at);
    result.has_digit = (classes & kDigit) != 0;
    return result;
}

template <bool kBraces, typename Wanted>
CudaToken CudaLexer::next_word(const Wanted& wanted) {
    const char* at = at_;
    while (at != end_) {
        const std::uint8_t kind = class_of(*at);
        if (kind == kBlank) {
            ++at;
        } else if (kind == kLetter) {
            const CudaToken result = plain_word(at);
            if (result.kind == CudaToken::Kind::word && wanted(result.text, result.has_digit)) {
                return result;
            }
            at = at_;
        } else if (kind == 0) {
            if (kBraces && (*at == '{' || *at == '}')) {
                return token(CudaToken::Kind::punct, at, at + 1);
            }
            line_start_ = false;
            ++at;
        } else {
            const bool may_be_brace = kBraces && (*at == '<' || *at == '%');  // a digraph
            if (kind == kPair && (line_start_ || may_be_brace)) {
                const CudaToken result = punct(at);
                if (result.kind == CudaToken::Kind::directive || (kBraces && (result.is("{") || result.is("}")))) {
                    return result;
                }
                at = at_;
            } else {
                at = skip_other(at);
            }
        }
    }
    return token(CudaToken::Kind::end, end_, end_);
}

// The characters of a string literal between its quotes, escapes kept. Empty for what is none.
std::string_view string_body(std::string_view literal);

}  // namespace wheelarch
