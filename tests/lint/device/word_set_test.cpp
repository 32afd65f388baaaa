#include "lint/device/word_set.hpp"

#include <random>
#include <set>
#include <string>

#include <doctest/doctest.h>

namespace wheelarch {

TEST_CASE("word set: a hash depends on each byte, and on the length") {
    std::set<std::uint64_t> hashes;
    std::size_t words = 0;
    for (std::size_t size = 1; size < 40; ++size) {
        const std::string word(size, 'x');
        hashes.insert(word_hash(word));
        for (std::size_t at = 0; at < size; ++at) {
            std::string other = word;
            other[at] = 'y';
            hashes.insert(word_hash(other));
        }
        words += 1 + size;
    }
    CHECK(hashes.size() == words);
}

TEST_CASE("word set: the words of a file") {
    std::mt19937 random(5);
    FileWords file;
    std::set<unsigned> there;
    const auto hash = [](unsigned number) { return word_hash("word" + std::to_string(number)); };
    CHECK_FALSE(file.may_have_one_of(WordSet()));
    for (int i = 0; i < 5'000; ++i) {
        const unsigned number = random() % 10'000;
        file.insert(hash(number));
        there.insert(number);
    }
    for (unsigned number = 0; number < 10'000; ++number) {
        WordSet one;
        one.insert(hash(number));
        INFO(number);
        REQUIRE(file.may_have_one_of(one) == there.contains(number));
    }
    CHECK(file.count() == there.size());
}

TEST_CASE("word set: a file of too many words, or of words that meet in one place, may have any") {
    WordSet one;
    one.insert(word_hash("word"));
    FileWords many;
    for (unsigned number = 0; !many.gave_up(); ++number) {
        REQUIRE(number < 1'100'000);
        many.insert(word_hash("x" + std::to_string(number)));
    }
    CHECK(many.may_have_one_of(one));
    CHECK(many.count() == 0);
    FileWords made;
    for (std::uint64_t i = 0; i < 65; ++i) {
        CHECK_FALSE(made.may_have_one_of(one));
        made.insert((i << 52U) + 1);  // the lowest bits of each key are the same
    }
    CHECK(made.may_have_one_of(one));
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
