#include "lint/word_index.hpp"

#include <algorithm>
#include <array>

#include "lint/scan.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kSeen = std::size_t{1} << 14U;
constexpr std::size_t kMostOfAFile = std::size_t{1} << 20U;

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

bool WordIndex::add_without(const WordSet& words, std::string_view text) {
    seen_.resize(kSeen);
    const std::size_t first = keys_.size();
    const std::uint32_t scan = ++scanned_;
    bool may_have = false;
    for (std::size_t at = 0; at != text.size() && !may_have;) {
        if (!in_word(text[at])) {
            may_have = text[at] == '\\' && at != 0 && in_word(text[at - 1]) && joins_words(text, at);
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at != text.size() && in_word(text[at])) {
            ++at;
        }
        const std::uint32_t key = WordSet::key_of(word_hash(text.substr(begin, at - begin)));
        std::uint64_t& seen = seen_[key % kSeen];
        const std::uint64_t mark = std::uint64_t{key} << 32U | scan;
        if (seen != mark) {
            seen = mark;
            keys_.push_back(key);
            may_have = words.has_key(key) || keys_.size() - first > kMostOfAFile;
        }
    }
    if (may_have) {
        keys_.resize(first);
        return false;
    }
    ends_.push_back(keys_.size());
    return true;
}

bool WordIndex::has_any(std::size_t file, const WordSet& words) const {
    const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(file == 0 ? 0 : ends_[file - 1]);
    return std::any_of(begin, keys_.begin() + static_cast<std::ptrdiff_t>(ends_[file]),
                       [&](std::uint32_t key) { return words.has_key(key); });
}

}  // namespace wheelarch
