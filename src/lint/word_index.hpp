// WordIndex: which words may stand in which file, known without reading its tokens.
//
// A word is a run of letters and digits wherever it stands, in comments and strings too: a file has at least the words
// that CudaLexer gives for it. Words are told apart by hashes, so that a file may seem to have one more, and never less.
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
    std::uint64_t hash = left;
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

// Names to be looked for, by their hashes.
class WordSet {
public:
    WordSet() : bits_(kBits / 64) {}

    // Was it new?
    bool insert(std::uint64_t hash) {
        const std::uint32_t key = key_of(hash);
        bits_[key % kBits / 64] |= std::uint64_t{1} << key % 64;
        return keys_.insert(key).second;
    }
    bool contains(std::uint64_t hash) const { return has_key(key_of(hash)); }

private:
    friend class WordIndex;
    static constexpr std::size_t kBits = std::size_t{1} << 18U;

    static std::uint32_t key_of(std::uint64_t hash) noexcept { return static_cast<std::uint32_t>(hash >> 32U); }
    bool has_key(std::uint32_t key) const {
        return (bits_[key % kBits / 64] >> key % 64 & 1U) != 0 && keys_.contains(key);
    }

    std::vector<std::uint64_t> bits_;  // most questions end here
    std::unordered_set<std::uint32_t> keys_;
};

class WordIndex {
public:
    // Adds a file, the next from 0 on, unless it may have one of `words`; then reads no further, and gives false.
    bool add_without(const WordSet& words, std::string_view text);
    // May the file have one of these words?
    bool has_any(std::size_t file, const WordSet& words) const;

private:
    std::vector<std::uint32_t> keys_;  // of each file, some more than once
    std::vector<std::size_t> ends_;    // in keys_
    std::vector<std::uint64_t> seen_;  // a key and the scan that saw it, where the key leads to
    std::uint32_t scanned_ = 0;        // files
};

}  // namespace wheelarch
