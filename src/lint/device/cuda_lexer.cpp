#include "lint/device/cuda_lexer.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "lint/text_search.hpp"

namespace wheelarch {
namespace {

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

constinit const std::array<std::uint8_t, 256> CudaLexer::kClasses = [] {
    std::array<std::uint8_t, 256> classes{};
    for (unsigned c = 0; c < 256; ++c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
        const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
        classes[c] = letter ? kLetter : c >= '0' && c <= '9' ? kDigit : blank ? kBlank : std::uint8_t{0};
    }
    const auto set = [&](std::string_view bytes, std::uint8_t kind) {
        for (const char c : bytes) {
            classes[static_cast<unsigned char>(c)] = kind;
        }
    };
    set(":&|=!<>#%", kPair);
    set("\n", kBreak);
    set("/\\\"'", kSpecial);
    return classes;
}();

CudaLexer::CudaLexer(std::string_view text, Mode mode)
    : begin_(text.data()), end_(text.data() + text.size()), at_(text.data()), mode_(mode) {
    if (text.starts_with("\xef\xbb\xbf")) {
        at_ += 3;
    }
}

// Stops at a line break that ends a directive.
const char* CudaLexer::skip_blanks(const char* at) {
    while (at != end_) {
        const std::uint8_t kind = class_of(*at);
        if (kind == kBlank) {
            ++at;
        } else if (kind == kBreak) {
            if (in_directive_) {
                return at;
            }
            line_start_ = true;
            at = skip_indent(at + 1, end_);
        } else {
            const char* after = kind == kSpecial ? skip_comment_or_splice(at) : at;
            if (after == at) {
                return at;
            }
            at = after;
        }
    }
    return at;
}

// Where it stands if there is none.
const char* CudaLexer::skip_comment_or_splice(const char* at) const {
    if (*at == '\\') {
        return at + splice_length(at, end_);
    }
    if (*at != '/' || end_ - at < 2) {
        return at;
    }
    if (at[1] == '/') {
        return skip_line_comment(at + 2);
    }
    if (at[1] != '*') {
        return at;
    }
    const std::string_view rest(at + 2, static_cast<std::size_t>(end_ - at - 2));
    const std::size_t close = find_part<2>(rest, "*/");
    return close == std::string_view::npos ? end_ : at + 2 + close + 2;
}

// Behind what begins here and is no word: one character, or a comment, a literal, a number, a line splice.
const char* CudaLexer::skip_other(const char* at) {
    switch (class_of(*at)) {
        case kBreak: line_start_ = true; return skip_indent(at + 1, end_);
        case kDigit: line_start_ = false; return skip_number(at);
        case kSpecial:
            if (*at == '"' || *at == '\'') {
                quoted(at, at);
                return at_;
            }
            if (const char* after = skip_comment_or_splice(at); after != at) {
                return after;
            }
            break;
        default: break;
    }
    line_start_ = false;
    return at + 1;
}

const char* CudaLexer::skip_number(const char* at) {
    const char* begin = at;
    while (at != end_ && is_word(*at)) {
        ++at;
    }
    const bool may_go_on = at != end_ && (*at == '.' || *at == '\'' || *at == '+' || *at == '-' || *at == '\\');
    if (may_go_on) {
        number(begin);
        return at_;
    }
    return at;
}

// To the line break that ends it.
const char* CudaLexer::skip_line_comment(const char* at) const {
    for (;;) {
        const char* line_break = find_byte(at, end_, '\n');
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
        return name_next_ ? word(at) : plain_word(at);
    }
    if (kind == kDigit || (*at == '.' && end_ - at >= 2 && class_of(at[1]) == kDigit)) {
        return number(at);
    }
    if (*at == '"' || *at == '\'') {
        return quoted(at, at);
    }
    return header_next_ && *at == '<' ? header_name(at) : punct(at);
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
    result.has_digit = std::any_of(begin, at, [](char c) { return class_of(c) == kDigit; });
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
