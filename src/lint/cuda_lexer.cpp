#include "lint/cuda_lexer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace wheelarch {
namespace {

constexpr std::uint8_t kBlank = 1;
constexpr std::uint8_t kLetter = 2;
constexpr std::uint8_t kDigit = 4;
constexpr std::uint8_t kPair = 8;  // may begin an operator of two characters, or a digraph

constexpr std::array<std::uint8_t, 256> kClasses = [] {
    std::array<std::uint8_t, 256> classes{};
    for (unsigned c = 0; c < 256; ++c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
        const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
        classes[c] = letter ? kLetter : c >= '0' && c <= '9' ? kDigit : blank ? kBlank : std::uint8_t{0};
    }
    for (const char c : std::string_view(":&|=!<>#%")) {
        classes[static_cast<unsigned char>(c)] = kPair;
    }
    return classes;
}();

std::uint8_t class_of(char c) {
    return kClasses[static_cast<unsigned char>(c)];
}

bool is_word(char c) {
    return (class_of(c) & (kLetter | kDigit)) != 0;
}

// The length of a backslash and the line break behind it, or 0.
std::size_t splice_length(const char* at, const char* end) {
    if (end - at >= 2 && at[0] == '\\') {
        if (at[1] == '\n') {
            return 2;
        }
        if (end - at >= 3 && at[1] == '\r' && at[2] == '\n') {
            return 3;
        }
    }
    return 0;
}

const char* find(const char* at, const char* end, char c) {
    const void* found = at == end ? nullptr : std::memchr(at, c, static_cast<std::size_t>(end - at));
    return found == nullptr ? end : static_cast<const char*>(found);
}

// Behind blanks that come in eights: a good part of a source.
const char* skip_indent(const char* at, const char* end) {
    constexpr char kEight[] = "        ";
    while (end - at >= 8 && std::memcmp(at, kEight, 8) == 0) {
        at += 8;
    }
    return at;
}

bool is_prefix(std::string_view word) {
    return word == "R" || word == "L" || word == "u8" || word == "u" || word == "U" || word == "LR" || word == "u8R" ||
           word == "uR" || word == "UR";
}

struct Digraph {
    std::string_view written;
    std::string_view meant;
};

constexpr Digraph kDigraphs[] = {{"<:", "["}, {":>", "]"}, {"<%", "{"}, {"%>", "}"}, {"%:", "#"}};
constexpr std::string_view kOperators[] = {"::", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "##"};

// Asked of most punctuation, and so without a search.
bool is_digraph(char first, char second) {
    return first == '<' ? second == ':' || second == '%'
                        : (second == '>' && (first == ':' || first == '%')) || (first == '%' && second == ':');
}

bool is_operator(char first, char second) {
    const bool twice = first == second && first != '!' && first != '%';
    return twice || (second == '=' && (first == '!' || first == '<' || first == '>'));
}

}  // namespace

CudaLexer::CudaLexer(std::string_view text, Mode mode)
    : begin_(text.data()), end_(text.data() + text.size()), at_(text.data()), mode_(mode) {
    if (text.starts_with("\xef\xbb\xbf")) {
        at_ += 3;
    }
}

// Stops at a line break that ends a directive.
const char* CudaLexer::skip_blanks(const char* at) {
    while (at != end_) {
        if (class_of(*at) == kBlank) {
            ++at;
        } else if (*at == '\n') {
            if (in_directive_) {
                return at;
            }
            line_start_ = true;
            at = skip_indent(at + 1, end_);
        } else if (*at == '/' && end_ - at >= 2 && at[1] == '/') {
            at = skip_line_comment(at + 2);
        } else if (*at == '/' && end_ - at >= 2 && at[1] == '*') {
            const std::string_view rest(at + 2, static_cast<std::size_t>(end_ - at - 2));
            const std::size_t close = rest.find("*/");
            at = close == std::string_view::npos ? end_ : at + 2 + close + 2;
        } else if (const std::size_t splice = splice_length(at, end_); splice != 0) {
            at += splice;
        } else {
            return at;
        }
    }
    return at;
}

// To the line break that ends it.
const char* CudaLexer::skip_line_comment(const char* at) const {
    for (;;) {
        const char* line_break = find(at, end_, '\n');
        if (line_break == end_) {
            return end_;
        }
        const char* last = line_break == at ? at : line_break - 1;
        if (last > at && *last == '\r') {
            --last;
        }
        if (*last != '\\') {
            return line_break;
        }
        at = line_break + 1;
    }
}

const char* CudaLexer::skip_splices(const char* at) const {
    while (const std::size_t length = splice_length(at, end_)) {
        at += length;
    }
    return at;
}

CudaToken CudaLexer::token(CudaToken::Kind kind, const char* begin, const char* end) {
    at_ = end;
    line_start_ = false;
    return {kind, {begin, static_cast<std::size_t>(end - begin)}, static_cast<std::size_t>(begin - begin_)};
}

CudaToken CudaLexer::spliced(CudaToken::Kind kind, const char* begin, const char* end) {
    CudaToken result = token(kind, begin, end);
    buffer_ ^= 1U;
    std::string& buffer = buffers_[buffer_];
    buffer.clear();
    for (const char* at = begin; at != end;) {
        const std::size_t length = splice_length(at, end);
        if (length == 0) {
            buffer += *at;
        }
        at += std::max<std::size_t>(length, 1);
    }
    result.text = buffer;
    return result;
}

CudaToken CudaLexer::next() {
    const char* at = skip_blanks(at_);
    if (at == end_ || *at == '\n') {
        const bool ended = in_directive_;
        in_directive_ = header_next_ = name_next_ = false;
        CudaToken result = token(ended ? CudaToken::Kind::line_end : CudaToken::Kind::end, at, at);
        line_start_ = true;
        return result;
    }
    const std::uint8_t kind = class_of(*at);
    if (kind == kLetter) {
        return word(at);
    }
    if (kind == kDigit || (*at == '.' && end_ - at >= 2 && class_of(at[1]) == kDigit)) {
        return number(at);
    }
    if (*at == '"' || *at == '\'') {
        return quoted(at, at);
    }
    return header_next_ && *at == '<' ? header_name(at) : punct(at);
}

CudaToken CudaLexer::next_word(bool (*wanted)(std::string_view)) {
    for (const char* at = skip_blanks(at_); at != end_; at = skip_blanks(at)) {
        const std::uint8_t kind = class_of(*at);
        if (kind == kLetter) {
            const char* end = std::find_if_not(at, end_, is_word);
            const std::string_view text(at, static_cast<std::size_t>(end - at));
            const bool plain = end == end_ || (*end != '\\' && *end != '"' && *end != '\'');
            const CudaToken result = plain ? token(CudaToken::Kind::word, at, end) : word(at);
            if (result.kind == CudaToken::Kind::word && wanted(plain ? text : result.text)) {
                return result;
            }
            at = at_;
        } else if (kind == kDigit) {
            number(at);
            at = at_;
        } else if (*at == '"' || *at == '\'') {
            quoted(at, at);
            at = at_;
        } else if (line_start_ && kind == kPair) {
            const CudaToken result = punct(at);
            if (result.kind == CudaToken::Kind::directive) {
                return result;
            }
            at = at_;
        } else {
            line_start_ = false;
            ++at;
        }
    }
    return token(CudaToken::Kind::end, end_, end_);
}

CudaToken CudaLexer::word(const char* begin) {
    const char* at = begin;
    bool has_splice = false;
    for (;;) {
        while (at != end_ && is_word(*at)) {
            ++at;
        }
        const char* after = at != end_ && *at == '\\' ? skip_splices(at) : at;
        if (after == at || after == end_ || !is_word(*after)) {
            break;
        }
        has_splice = true;
        at = after;
    }
    if (at != end_ && (*at == '"' || *at == '\'') && at - begin <= 3 &&
        is_prefix({begin, static_cast<std::size_t>(at - begin)})) {
        return at[-1] == 'R' && *at == '"' ? raw_string(begin, at) : quoted(begin, at);
    }
    CudaToken result = has_splice ? spliced(CudaToken::Kind::word, begin, at) : token(CudaToken::Kind::word, begin, at);
    if (name_next_) {
        name_next_ = false;
        header_next_ = result.is("include") || result.is("include_next");
    }
    return result;
}

// A preprocessing number: digits, letters, points, signs behind an exponent, `'` between digits.
CudaToken CudaLexer::number(const char* begin) {
    const char* at = begin;
    bool has_splice = false;
    while (at != end_) {
        const char last = at == begin ? ' ' : at[-1];
        const bool sign = (*at == '+' || *at == '-') && (last == 'e' || last == 'E' || last == 'p' || last == 'P');
        const bool separator = *at == '\'' && end_ - at >= 2 && is_word(at[1]);
        if (is_word(*at) || *at == '.' || sign || separator) {
            ++at;
        } else if (const char* after = skip_splices(at); after != at && after != end_ && is_word(*after)) {
            has_splice = true;
            at = after;
        } else {
            break;
        }
    }
    return has_splice ? spliced(CudaToken::Kind::number, begin, at) : token(CudaToken::Kind::number, begin, at);
}

CudaToken CudaLexer::quoted(const char* begin, const char* quote) {
    const CudaToken::Kind kind = *quote == '"' ? CudaToken::Kind::string : CudaToken::Kind::character;
    bool has_splice = false;
    const char* at = quote + 1;
    while (at != end_ && *at != *quote && *at != '\n') {
        const std::size_t splice = splice_length(at, end_);
        has_splice = has_splice || splice != 0;
        if (splice != 0) {
            at += splice;
        } else {
            at += *at == '\\' && end_ - at >= 2 && at[1] != '\n' ? 2 : 1;
        }
    }
    if (at == end_ || *at != *quote) {
        return token(CudaToken::Kind::punct, begin, at);  // an apostrophe in an #error, or not C++
    }
    return has_splice ? spliced(kind, begin, at + 1) : token(kind, begin, at + 1);
}

CudaToken CudaLexer::raw_string(const char* begin, const char* quote) {
    constexpr std::ptrdiff_t kLongestDelimiter = 16;  // [lex.string]
    const char* open = std::find(quote + 1, quote + 1 + std::min(kLongestDelimiter + 1, end_ - quote - 1), '(');
    if (open == end_ || *open != '(') {
        return quoted(begin, quote);
    }
    const std::string close = ")" + std::string(quote + 1, open) + "\"";
    const std::string_view rest(open, static_cast<std::size_t>(end_ - open));
    const std::size_t found = rest.find(close);
    const char* end = found == std::string_view::npos ? end_ : open + found + close.size();
    return token(CudaToken::Kind::string, begin, end);
}

CudaToken CudaLexer::header_name(const char* begin) {
    header_next_ = false;
    const char* at = begin;
    while (at != end_ && *at != '>' && *at != '\n') {
        ++at;
    }
    const bool closed = at != end_ && *at == '>';
    return token(closed ? CudaToken::Kind::string : CudaToken::Kind::punct, begin, closed ? at + 1 : at);
}

CudaToken CudaLexer::punct(const char* begin) {
    if (class_of(*begin) != kPair) {
        return token(CudaToken::Kind::punct, begin, begin + 1);
    }
    const bool starts_line = line_start_;
    const char* second = skip_splices(begin + 1);
    const char pair[2] = {*begin, second != end_ ? *second : '\0'};
    const std::string_view both(pair, 2);
    CudaToken result = token(CudaToken::Kind::punct, begin, begin + 1);
    // `<::` is `<` and `::`, unless `:` or `>` follows ([lex.pptoken]).
    const bool digraph_follows = end_ - second >= 3 && (second[2] == ':' || second[2] == '>');
    const bool template_scope = both == "<:" && end_ - second >= 2 && second[1] == ':' && !digraph_follows;
    if (is_digraph(pair[0], pair[1]) && !template_scope) {
        result.text = std::find_if(std::begin(kDigraphs), std::end(kDigraphs), [&](const Digraph& known) {
                          return known.written == both;
                      })->meant;
        at_ = second + 1;
    } else if (is_operator(pair[0], pair[1])) {
        result.text = *std::find(std::begin(kOperators), std::end(kOperators), both);
        at_ = second + 1;
    }
    if (starts_line && mode_ == Mode::file && !in_directive_ && result.is("#")) {
        result.kind = CudaToken::Kind::directive;
        in_directive_ = name_next_ = true;
    }
    return result;
}

std::string_view string_body(std::string_view literal) {
    const std::size_t quote = literal.find('"');
    if (quote == std::string_view::npos || literal.size() < quote + 2 || literal.back() != '"') {
        return {};
    }
    const bool raw = quote > 0 && literal[quote - 1] == 'R';
    literal.remove_suffix(1);
    literal.remove_prefix(quote + 1);
    if (!raw) {
        return literal;
    }
    const std::size_t open = literal.find('(');
    return open == std::string_view::npos || literal.size() < 2 * open + 2
               ? std::string_view()
               : literal.substr(open + 1, literal.size() - 2 * open - 2);
}

}  // namespace wheelarch
