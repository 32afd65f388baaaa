// WalkedFile: what a walk through a file and its collectors share, which is where they are and what comes of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "lint/device/cuda_lexer.hpp"
#include "lint/device/device_read.hpp"
#include "lint/device/file_macros.hpp"
#include "lint/device/regions.hpp"
#include "lint/text_search.hpp"

namespace wheelarch {

inline constexpr std::size_t kMostFacts = 20'000;  // of each kind, in one file

// Lines and columns; each is found from the one before.
class SourceLines {
public:
    explicit SourceLines(std::string_view text) : text_(text) {}

    SourcePlace at(std::size_t offset) {
        const std::size_t first = std::min(offset, offset_);
        const std::size_t between = count_byte(text_.substr(first, std::max(offset, offset_) - first), '\n');
        if (between != 0) {
            line_ = static_cast<unsigned>(offset < offset_ ? line_ - between : line_ + between);
            start_ = offset == 0 ? 0 : text_.rfind('\n', offset - 1) + 1;  // npos + 1 is 0
        }
        offset_ = offset;
        return {line_, static_cast<unsigned>(offset - start_) + 1};
    }

private:
    std::string_view text_;
    std::size_t offset_ = 0;
    std::size_t start_ = 0;  // of its line
    unsigned line_ = 1;
};

struct WalkedFile {
    // `first_walk`: null in the first, which alone finds facts.
    WalkedFile(std::string_view whole, const DeviceRead* first_walk, ArchMask built_for_passes, PackageRead& all,
               DeviceRead& result)
        : text(whole),
          wants_facts(first_walk == nullptr),
          built_for(built_for_passes),
          package(all),
          out(result),
          lines(whole),
          macros(first_walk, result),
          regions(result.facts.gates, macros.table()) {}

    std::string_view between(std::size_t begin, std::size_t end) const {
        return text.substr(begin, end > begin ? end - begin : 0);
    }
    // The name for as long as `out` lives.
    std::string_view kept(const CudaToken& token) {
        const bool spliced = token.text.data() != text.data() + token.offset;
        return spliced ? out.spliced_names.emplace_back(token.text) : token.text;
    }
    // In which the place is compiled.
    ArchMask passes() const { return regions.may() & built_for; }

    std::string_view text;
    bool wants_facts;
    ArchMask built_for;
    PackageRead& package;
    DeviceRead& out;
    SourceLines lines;
    FileMacros macros;
    Regions regions;
};

}  // namespace wheelarch
