#include "policy/wording.hpp"

#include "base/text.hpp"

namespace wheelarch {

std::string shortened(std::string_view text) {
    constexpr std::size_t kLongest = 60;
    return printable(text.substr(0, kLongest)) + (text.size() > kLongest ? "…" : "");
}

std::string in_quotes(std::string_view text) {
    return '"' + shortened(text) + '"';
}

}  // namespace wheelarch
