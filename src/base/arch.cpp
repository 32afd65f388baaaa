#include "base/arch.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wheelarch {
namespace {

std::string suffix_text(Arch arch) {
    return arch.suffix == '\0' ? std::string() : std::string(1, arch.suffix);
}

// Takes an `a` or `f` off the end of `text`.
char take_suffix(std::string_view& text) {
    if (text.empty() || (text.back() != 'a' && text.back() != 'f')) {
        return '\0';
    }
    const char suffix = text.back();
    text.remove_suffix(1);
    return suffix;
}

std::optional<std::uint32_t> parse_digits(std::string_view text, std::size_t most) {
    std::uint32_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = code == std::errc() && end == text.data() + text.size();
    const bool plain = !text.empty() && text.size() <= most && text.front() != '0';
    return whole && plain ? std::optional(value) : std::nullopt;
}

std::set<Arch> minus(const std::set<Arch>& left, const std::set<Arch>& right) {
    std::set<Arch> rest;
    std::set_difference(left.begin(), left.end(), right.begin(), right.end(), std::inserter(rest, rest.end()));
    return rest;
}

}  // namespace

std::string bare_name(Arch arch) {
    return fmt::format("{}{}", arch.number, suffix_text(arch));
}

std::string torch_name(Arch arch) {
    return fmt::format("{}.{}{}", arch.major(), arch.minor(), suffix_text(arch));
}

std::string sass_name(Arch arch) {
    return "sm_" + bare_name(arch);
}

std::string ptx_name(Arch arch) {
    return "compute_" + bare_name(arch);
}

std::optional<Arch> parse_bare_arch(std::string_view text) {
    const char suffix = take_suffix(text);
    const auto number = parse_digits(text, 4);
    return number && *number >= 10 ? std::optional(Arch{*number, suffix}) : std::nullopt;
}

std::optional<Arch> parse_dotted_arch(std::string_view text) {
    const char suffix = take_suffix(text);
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos || dot + 2 != text.size() || text.back() < '0' || text.back() > '9') {
        return std::nullopt;
    }
    const auto major = parse_digits(text.substr(0, dot), 3);
    const auto minor = static_cast<std::uint32_t>(text.back() - '0');
    return major ? std::optional(Arch{*major * 10 + minor, suffix}) : std::nullopt;
}

void ArchSet::add(const ArchSet& other) {
    sass.insert(other.sass.begin(), other.sass.end());
    ptx.insert(other.ptx.begin(), other.ptx.end());
}

ArchSet minus(const ArchSet& left, const ArchSet& right) {
    return {minus(left.sass, right.sass), minus(left.ptx, right.ptx)};
}

std::string to_text(const ArchSet& archs) {
    std::vector<std::string> names;
    std::transform(archs.sass.begin(), archs.sass.end(), std::back_inserter(names), sass_name);
    std::transform(archs.ptx.begin(), archs.ptx.end(), std::back_inserter(names), ptx_name);
    return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, " "));
}

std::string to_arch_list(const ArchSet& archs) {
    const bool torch_can = minus(archs.ptx, archs.sass).empty();
    std::vector<std::string> tokens;
    for (const Arch arch : archs.sass) {
        const std::string tail = archs.ptx.contains(arch) ? "+PTX" : "";
        tokens.push_back(torch_can ? torch_name(arch) + tail : bare_name(arch) + "-real");
    }
    if (!torch_can) {
        for (const Arch arch : archs.ptx) {
            tokens.push_back(bare_name(arch) + "-virtual");
        }
    }
    return fmt::format("{}", fmt::join(tokens, ";"));
}

}  // namespace wheelarch
