#include "lint/word_set.hpp"

#include <random>
#include <string>

#include <doctest/doctest.h>

#include "lint/cuda_lexer.hpp"

namespace wheelarch {
namespace {

bool may_have(std::string_view text, std::string_view word) {
    WordSet words;
    words.insert(word_hash(word));
    return may_have_word(text, words);
}

// The first word that the lexer gives and may_have_word() does not find.
std::string missed(std::string_view text) {
    CudaLexer lexer(text);
    for (CudaToken token = lexer.next(); token.kind != CudaToken::Kind::end; token = lexer.next()) {
        if (token.kind == CudaToken::Kind::word && !may_have(text, token.text)) {
            return std::string(token.text);
        }
    }
    return {};
}

}  // namespace

TEST_CASE("word set: a word is found wherever it stands, whole") {
    for (std::size_t before = 0; before < 130; ++before) {
        for (const std::size_t size : {1, 2, 3, 4, 7, 8, 9, 16, 17, 63, 64, 65, 200}) {
            const std::string word(size, 'x');
            const std::string text = std::string(before, '+') + word;
            INFO(before, " ", size);
            CHECK(may_have(text, word));
            CHECK(may_have(text + "-", word));
            CHECK_FALSE(may_have(text + "y", word));
            CHECK_FALSE(may_have("y" + word, word));
        }
    }
    CHECK_FALSE(may_have("", "a"));
    CHECK(may_have("// a in \"b\"", "b"));
}

TEST_CASE("word set: any word may be where a line splice joins two") {
    CHECK(may_have("a\\\nb", "other"));
    CHECK(may_have("a\\\r\n\\\nb", "other"));
    CHECK_FALSE(may_have("a \\\nb", "other"));
    CHECK_FALSE(may_have("a\\\n b", "other"));
    CHECK_FALSE(may_have("a\\b", "other"));
    CHECK_FALSE(may_have("a\\", "other"));
}

TEST_CASE("word set: no word of any text is missed") {
    std::mt19937 random(7);
    const std::string alphabet = "aaabbbcc_$09\"'\\\\\n\n\r/*R(u<:#. \xff";
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (int i = 0; i < 90; ++i) {
            text += alphabet[random() % alphabet.size()];
        }
        INFO(text);
        REQUIRE(missed(text) == "");
    }
}

TEST_CASE("word set: what is added is new once") {
    WordSet words;
    WordSet more;
    CHECK(words.insert(word_hash("a")));
    CHECK_FALSE(words.insert(word_hash("a")));
    more.insert(word_hash("a"));
    more.insert(word_hash("b"));
    const WordSet added = words.add(more);
    CHECK(added.contains(word_hash("b")));
    CHECK_FALSE(added.contains(word_hash("a")));
    CHECK(words.contains(word_hash("b")));
    CHECK(words.add(more).empty());
}

}  // namespace wheelarch
