// For the escaping that each output has of its own.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace wheelarch {

// `text` with each character that `replacements` has replaced by what it has for it.
inline std::string replaced(std::string_view text, const std::map<char, std::string_view>& replacements) {
    std::string result;
    for (const char c : text) {
        const auto found = replacements.find(c);
        found == replacements.end() ? result.push_back(c) : static_cast<void>(result += found->second);
    }
    return result;
}

}  // namespace wheelarch
