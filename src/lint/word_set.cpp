#include "lint/word_set.hpp"

#include <array>
#include <bit>

#include "lint/scan.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kBlock = 64;

// As CudaLexer has them.
bool in_word(char c) {
    return c == '$' || is_word_byte(c);
}

// A bit for each byte of a block, the first the lowest: does a word have it? Loops without branches, of which compilers
// make vectors.
std::uint64_t words_in(const char* block) {
    std::array<unsigned char, kBlock> is_in{};
    for (std::size_t i = 0; i < kBlock; ++i) {
        const auto c = static_cast<unsigned char>(block[i]);
        const auto letter = static_cast<unsigned char>((c | 0x20U) - 'a');
        const auto digit = static_cast<unsigned char>(c - '0');
        is_in[i] = static_cast<unsigned char>((letter < 26) | (digit < 10) | (c == '_') | (c == '$') | (c >= 0x80));
    }
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < kBlock; i += 8) {
        std::uint64_t eight = 0;
        for (std::size_t k = 0; k < 8; ++k) {
            eight |= std::uint64_t{is_in[i + k]} << 8 * k;
        }
        constexpr std::uint64_t kGather = 0x0102040810204080;  // the lowest bit of each byte, into the highest byte
        bits |= eight * kGather >> 56U << i;
    }
    return bits;
}

// Is the backslash at `at` that of a line splice, or several, behind which letters go on?
bool joins_words(std::string_view text, std::size_t at) {
    while (at < text.size() && text[at] == '\\') {
        const std::size_t line_break = text.substr(at + 1).starts_with('\r') ? at + 2 : at + 1;
        if (!text.substr(line_break).starts_with('\n')) {
            return false;
        }
        at = line_break + 1;
    }
    return at < text.size() && in_word(text[at]);
}

}  // namespace

bool may_have_word(std::string_view text, const WordSet& words) {
    const auto may_be = [&](std::size_t begin, std::size_t end) {
        const bool spliced = end < text.size() && text[end] == '\\' && joins_words(text, end);
        return spliced || words.contains(word_hash(text.substr(begin, end - begin)));
    };
    constexpr std::size_t kNone = std::string_view::npos;
    std::size_t begin = kNone;  // of a word that goes on
    std::uint64_t last = 0;     // the highest bit of the block before
    for (std::size_t block = 0; block < text.size(); block += kBlock) {
        std::array<char, kBlock> tail{};
        const bool whole = block + kBlock <= text.size();
        if (!whole) {
            text.copy(tail.data(), kBlock, block);
        }
        const std::uint64_t bits = words_in(whole ? text.data() + block : tail.data());
        // Where words begin and end, by turns.
        for (std::uint64_t edges = bits ^ (bits << 1U | last); edges != 0; edges &= edges - 1) {
            const std::size_t at = block + static_cast<std::size_t>(std::countr_zero(edges));
            if (begin == kNone) {
                begin = at;
            } else if (may_be(begin, at)) {
                return true;
            } else {
                begin = kNone;
            }
        }
        last = bits >> 63U;
    }
    return begin != kNone && may_be(begin, text.size());
}

}  // namespace wheelarch
