#include "binary/ptx.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

constexpr const char* kDamaged = "the file is damaged: build or download it again";

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '$' || c == '%';
}

// Splits PTX into words (directives and names), strings and single characters, without its comments.
class Tokens {
public:
    // Editors on Windows put a byte order mark in front.
    explicit Tokens(std::string_view text) : text_(text.substr(text.starts_with("\xef\xbb\xbf") ? 3 : 0)) {}

    // Empty at the end, which a NUL also is: stored PTX is padded with them.
    std::string_view next() {
        skip_blank();
        if (at_ >= text_.size() || text_[at_] == '\0') {
            return {};
        }
        std::size_t end = at_ + 1;
        if (text_[at_] == '"') {
            end = std::min(text_.find('"', end), text_.size() - 1) + 1;
        } else if (is_word(text_[at_])) {
            while (end < text_.size() && is_word(text_[end])) {
                ++end;
            }
        }
        const std::string_view token = text_.substr(at_, end - at_);
        at_ = end;
        return token;
    }

private:
    void skip_blank() {
        while (at_ < text_.size()) {
            const std::string_view rest = text_.substr(at_);
            if (is_space(rest.front())) {
                ++at_;
            } else if (rest.starts_with("//")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (rest.starts_with("/*")) {
                const std::size_t end = text_.find("*/", at_ + 2);
                at_ = end == std::string_view::npos ? text_.size() : end + 2;
            } else {
                return;
            }
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

bool is_ptx(ByteView file) noexcept {
    constexpr std::uint64_t kLongestPreamble = 64 << 10;
    return Tokens(file.clipped(0, kLongestPreamble).text()).next() == ".version";
}

Arch ptx_arch(ByteView file) {
    constexpr std::string_view kPrefix = "sm_";
    Tokens tokens(file.text());
    for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
        if (token != ".target") {
            continue;
        }
        const std::string_view name = tokens.next();
        const auto arch = name.starts_with(kPrefix) ? parse_bare_arch(name.substr(kPrefix.size())) : std::nullopt;
        if (!arch) {
            throw unchecked(fmt::format("PTX with .target '{}', expected sm_ and a number", name), kDamaged);
        }
        return *arch;
    }
    throw unchecked("PTX without a .target directive", "the file is cut short or damaged: build or download it again");
}

bool ptx_has_code(ByteView file) noexcept {
    Tokens tokens(file.text());
    bool in_signature = false;  // between `.entry` or `.func` and the `{` or `;` that ends it
    for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
        if (token == ".entry" || token == ".func") {
            in_signature = true;
        } else if (token == ";") {
            in_signature = false;
        } else if (token == "{" && in_signature) {
            return true;
        }
    }
    return false;
}

}  // namespace wheelarch
