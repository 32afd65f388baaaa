// WordSet, FileWords: sets of words by their hashes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_set>
#include <utility>
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
    // Faster, and true for a few more: one of some hundred, or of twenty in a full set.
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
    friend class FileWords;

    std::size_t place_of(std::uint32_t key) const noexcept { return key / 64 & (bits_.size() - 1); }
    static std::uint32_t key_of(std::uint64_t hash) noexcept { return static_cast<std::uint32_t>(hash >> 32U); }

    bool insert_key(std::uint32_t key) {
        bits_[place_of(key)] |= std::uint64_t{1} << key % 64;
        return keys_.insert(key).second;
    }

    std::vector<std::uint64_t> bits_;  // most questions end here
    std::unordered_set<std::uint32_t> keys_;
};

// The words of one file, in 8 to 16 bytes for each. Not of a file that has more than a million, or words that were made
// to meet in one place: that may have any.
class FileWords {
public:
    void insert(std::uint64_t hash) {
        if (2 * count_ >= keys_.size()) {
            grow();
        }
        add(WordSet::key_of(hash) | 1U);
    }
    bool may_have_one_of(const WordSet& words) const {
        return any_ ||
               std::any_of(words.keys_.begin(), words.keys_.end(), [&](std::uint32_t key) { return has(key | 1U); });
    }
    // Keeps no more of them: it may have any.
    void give_up() {
        any_ = true;
        count_ = 0;
        keys_ = {};
    }
    bool gave_up() const noexcept { return any_; }
    std::size_t count() const noexcept { return count_; }

private:
    static constexpr std::size_t kMost = std::size_t{1} << 20U;
    static constexpr std::size_t kFarthest = 64;  // from where a key belongs

    // Where the key is or may be put; the size if there is no place for it.
    std::size_t place_of(std::uint32_t key) const {
        const std::size_t home = key / 2;
        for (std::size_t i = 0; i < std::min(kFarthest, keys_.size()); ++i) {
            const std::size_t at = (home + i) & (keys_.size() - 1);
            if (keys_[at] == 0 || keys_[at] == key) {
                return at;
            }
        }
        return keys_.size();
    }
    bool has(std::uint32_t key) const {
        const std::size_t at = place_of(key);
        return at != keys_.size() && keys_[at] == key;
    }
    void add(std::uint32_t key) {
        const std::size_t at = place_of(key);
        if (at == keys_.size() || count_ >= kMost) {
            give_up();
        } else {
            count_ += keys_[at] == 0 ? 1 : 0;
            keys_[at] = key;
        }
    }
    void grow() {
        const std::vector<std::uint32_t> before =
            std::exchange(keys_, std::vector<std::uint32_t>(std::max<std::size_t>(64, 2 * keys_.size())));
        count_ = 0;
        for (const std::uint32_t key : before) {
            if (key != 0 && !any_) {
                add(key);
            }
        }
    }

    std::vector<std::uint32_t> keys_;  // odd; 0: free
    std::size_t count_ = 0;
    bool any_ = false;
};

}  // namespace wheelarch
