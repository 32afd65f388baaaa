#include "base/version.hpp"

#include <charconv>
#include <vector>

namespace wheelarch {
namespace {

std::optional<unsigned> parse_component(std::string_view text) {
    unsigned value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = code == std::errc() && end == text.data() + text.size();
    const bool plain = !text.empty() && text.size() <= 3 && (text.front() != '0' || text.size() == 1);
    return whole && plain ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<std::pair<unsigned, unsigned>> parse_major_minor(std::string_view text) {
    constexpr std::size_t kLongest = 16;
    std::vector<unsigned> components;
    for (bool more = text.size() <= kLongest; more;) {
        const std::size_t dot = text.find('.');
        const auto component = parse_component(text.substr(0, dot));
        if (!component) {
            return std::nullopt;
        }
        components.push_back(*component);
        more = dot != std::string_view::npos;
        text.remove_prefix(more ? dot + 1 : 0);
    }
    const bool shaped = components.size() == 2 || components.size() == 3;
    return shaped && components[0] != 0 ? std::optional(std::pair(components[0], components[1])) : std::nullopt;
}

}  // namespace wheelarch
