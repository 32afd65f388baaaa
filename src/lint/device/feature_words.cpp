#include "lint/device/feature_words.hpp"

#include <string>

#include <fmt/format.h>

#include "lint/device/feature_names.hpp"
#include "lint/device/made_value.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kShortestFeature = 8;  // of the names in feature_names.cpp

// The CollectiveBuilder of CUTLASS 3 for a GEMM (not that for its epilogue) is about the arch that follows.
std::string feature_text(std::string_view text, const CudaToken& token) {
    constexpr std::size_t kFar = 100;
    const std::string_view space = "epilogue::collective::";
    if (!token.is("CollectiveBuilder")) {
        return std::string(token.text);
    }
    const std::string_view behind = text.substr(token.offset + token.text.size()).substr(0, kFar);
    const std::size_t at = behind.find("arch::Sm");
    if (at == std::string_view::npos || text.substr(0, token.offset).ends_with(space)) {
        return {};
    }
    const std::size_t begin = behind.find("Sm", at);
    const std::size_t end = behind.find_first_not_of("0123456789", begin + 2);
    return fmt::format("CollectiveBuilder<{}>",
                       behind.substr(begin, end == std::string_view::npos ? end : end - begin));
}

}  // namespace

bool is_feature(std::string_view word, bool has_digit) {
    return word.size() >= kShortestFeature &&
           ((has_digit && is_fp8_name(word)) || !library_needs(word).empty() || word == "CollectiveBuilder");
}

void collect_feature(WalkedFile& file, const CudaToken& word) {
    std::vector<FeatureWord>& words = file.out.facts.words;
    if (is_feature(word.text, word.has_digit) && words.size() < kMostFacts) {
        words.push_back({file.lines.at(word.offset), feature_text(file.text, word), devices(file.regions.may())});
        words.back().made = makes_value(file.text, word.offset, word.offset + word.text.size());
    }
}

}  // namespace wheelarch
