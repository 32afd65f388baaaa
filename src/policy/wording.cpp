#include "policy/wording.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace wheelarch {

std::string shortened(std::string_view text) {
    constexpr std::size_t kLongest = 60;
    return printable(text.substr(0, kLongest)) + (text.size() > kLongest ? "…" : "");
}

std::string in_quotes(std::string_view text) {
    return '"' + shortened(text) + '"';
}

std::string lower_case(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

}  // namespace wheelarch
