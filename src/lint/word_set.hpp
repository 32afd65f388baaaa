// WordSet: words to be looked for in a text without reading its tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace wheelarch {

inline std::uint64_t word_hash(std::string_view word) noexcept {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
    const auto load = [](const char* at, std::size_t size) {
        std::uint64_t value = 0;
        std::memcpy(&value, at, size);
        return value;
    };
    const auto mixed = [](std::uint64_t hash) {
        hash *= kOdd;
        return hash ^ hash >> 32U;
    };
    const char* at = word.data();
    std::size_t left = word.size();
    std::uint64_t hash = left * kOdd;  // no letter makes up for the length
    for (; left > 8; left -= 8, at += 8) {
        hash = mixed(hash ^ load(at, 8));
    }
    // What is left, in loads of a fixed size that may overlap.
    if (left == 8) {
        hash ^= load(at, 8);
    } else if (left >= 4) {
        hash ^= load(at, 4) ^ load(at + left - 4, 4) << 32U;
    } else if (left >= 2) {
        hash ^= load(at, 2) ^ load(at + left - 2, 2) << 32U;
    } else if (left == 1) {
        hash ^= load(at, 1);
    }
    return mixed(mixed(hash));
}

// Words are told apart by half of their hash: a text may seem to have one more, and never less.
class WordSet {
public:
    WordSet() : WordSet(std::size_t{1} << 18U) {}
    // `bits` is a power of 2: more for more than 10,000 words, but few fit into the fastest cache.
    explicit WordSet(std::size_t bits) : bits_(bits / 64) {}

    // Was it new?
    bool insert(std::uint64_t hash) { return insert_key(key_of(hash)); }
    bool contains(std::uint64_t hash) const { return may_contain(hash) && keys_.contains(key_of(hash)); }
    // Faster, and true for a few more: one of some hundred, or of twenty if there are 100,000 words in the set.
    bool may_contain(std::uint64_t hash) const {
        const std::uint32_t key = key_of(hash);
        return (bits_[place_of(key)] >> key % 64 & 1U) != 0;
    }
    bool empty() const noexcept { return keys_.empty(); }
    // Adds all of `more`, and gives those that were new.
    WordSet add(const WordSet& more) {
        WordSet added;
        for (const std::uint32_t key : more.keys_) {
            if (insert_key(key)) {
                added.insert_key(key);
            }
        }
        return added;
    }

private:
    std::size_t place_of(std::uint32_t key) const noexcept { return key / 64 & (bits_.size() - 1); }
    static std::uint32_t key_of(std::uint64_t hash) noexcept { return static_cast<std::uint32_t>(hash >> 32U); }

    bool insert_key(std::uint32_t key) {
        bits_[place_of(key)] |= std::uint64_t{1} << key % 64;
        return keys_.insert(key).second;
    }

    std::vector<std::uint64_t> bits_;  // most questions end here
    std::unordered_set<std::uint32_t> keys_;
};

// May a word that CudaLexer gives for the text be one of these? A word here is a run of letters and digits wherever it
// stands, in comments and strings too; where a line splice may join two, any may be there.
bool may_have_word(std::string_view text, const WordSet& words);

}  // namespace wheelarch
