#include "lint/word_set.hpp"

#include <array>

#include "lint/scan.hpp"

namespace wheelarch {
namespace {

// As CudaLexer has them.
constexpr std::array<bool, 256> kInWord = [] {
    std::array<bool, 256> in_word{};
    for (std::size_t c = 0; c < 256; ++c) {
        in_word[c] = c == '$' || is_word_byte(static_cast<char>(c));
    }
    return in_word;
}();

bool in_word(char c) {
    return kInWord[static_cast<unsigned char>(c)];
}

// Is the backslash at `at` that of a line splice, or several, behind which letters go on?
bool joins_words(std::string_view text, std::size_t at) {
    while (at < text.size() && text[at] == '\\') {
        const std::size_t line_break = text.substr(at + 1).starts_with("\r\n") ? 2 : 1;
        at += text.substr(at + line_break).starts_with('\n') ? 1 + line_break : text.size();
    }
    return at < text.size() && in_word(text[at]);
}

}  // namespace

bool may_have_word(std::string_view text, const WordSet& words) {
    for (std::size_t at = 0; at != text.size();) {
        if (!in_word(text[at])) {
            if (text[at] == '\\' && at != 0 && in_word(text[at - 1]) && joins_words(text, at)) {
                return true;
            }
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at != text.size() && in_word(text[at])) {
            ++at;
        }
        if (words.contains(word_hash(text.substr(begin, at - begin)))) {
            return true;
        }
    }
    return false;
}

}  // namespace wheelarch
