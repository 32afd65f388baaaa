#include "policy/arch_hint.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "policy/arch_item.hpp"
#include "policy/cuda_archs.hpp"
#include "policy/torch_archs.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kLongestHint = 40;  // a longer item is no slip of the pen

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    const bool there = text.starts_with(prefix);
    text.remove_prefix(there ? prefix.size() : 0);
    return there;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
    const bool there = text.ends_with(suffix);
    text.remove_suffix(there ? suffix.size() : 0);
    return there;
}

// Takes off any of `marks` at either end, as often as they stand there.
void trim(std::string_view& text, std::string_view marks) {
    while (!text.empty() && marks.find(text.front()) != std::string_view::npos) {
        text.remove_prefix(1);
    }
    while (!text.empty() && marks.find(text.back()) != std::string_view::npos) {
        text.remove_suffix(1);
    }
}

// What the words around the number ask for; they are taken off.
Request take_words(std::string_view& text) {
    Request request{{}, true, false};
    trim(text, "\"'[](){} ");
    if (take_prefix(text, "compute")) {
        request = {{}, false, true};
    } else {
        static_cast<void>(take_prefix(text, "sm") || take_prefix(text, "cc") || take_prefix(text, "arch"));
    }
    while (take_suffix(text, "ptx")) {
        request.ptx = true;
        trim(text, "+-_ ");
    }
    if (take_suffix(text, "virtual")) {
        request = {{}, false, true};
    } else if (take_suffix(text, "real")) {
        request.ptx = false;
    }
    trim(text, "_-+.:=");
    return request;
}

// `9.0`, `90`, `9`, `9.0.a`, `90_a`: the number, then a suffix behind any separators.
std::optional<Arch> loose_arch(std::string_view text) {
    std::string digits;
    std::size_t at = 0;
    for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && at + 1 < text.size())); ++at) {
        digits += is_digit(text[at]) ? std::string(1, text[at]) : "";
    }
    std::string_view rest = text.substr(at);
    trim(rest, "._- ");
    if (rest.size() > 1 || digits.empty()) {
        return std::nullopt;
    }
    const char suffix = rest == "a" || rest == "f" ? rest.front() : '\0';
    // `9` is short for 9.0, and `12` rather for 12.0 than for 1.2.
    for (const std::string& number : {digits, digits + "0"}) {
        const auto plain = parse_bare_arch(number);
        if (plain && (first_cuda(*plain) || is_plausible(*plain))) {
            const Arch arch{plain->number, suffix};
            return first_cuda(arch) || is_plausible(arch) ? arch : *plain;
        }
    }
    return std::nullopt;
}

std::optional<std::string> nearest_torch_name(std::string_view token) {
    std::vector<std::string> lower;
    for (const TorchName& name : torch_names()) {
        lower.push_back(lower_case(name.name));
    }
    const std::string near = nearest_name(lower_case(token), lower);
    const auto found = std::find(lower.begin(), lower.end(), near);
    return found == lower.end()
               ? std::nullopt
               : std::optional(std::string(torch_names()[static_cast<std::size_t>(found - lower.begin())].name));
}

std::uint32_t distance(Arch left, Arch right) {
    return left.number > right.number ? left.number - right.number : right.number - left.number;
}

}  // namespace

std::optional<std::string> meant_item(std::string_view token, ArchNotation notation) {
    if (token.size() > kLongestHint) {
        return std::nullopt;
    }
    const std::string lower = lower_case(token);
    std::string_view text = lower;
    Request request = take_words(text);
    if (const auto arch = loose_arch(text)) {
        request.arch = *arch;
        if (notation == ArchNotation::torch && !request.sass) {
            request.sass = true;  // torch has PTX only beside SASS
        }
        if (notation == ArchNotation::cmake && is_digit(lower.front()) && lower.find("real") == std::string::npos) {
            request.ptx = true;  // `90` alone asks for both
        }
        return spell(request, notation);
    }
    return notation == ArchNotation::torch ? nearest_torch_name(token) : std::nullopt;
}

std::optional<Arch> nearest_arch(Arch arch) {
    std::optional<Arch> nearest;
    for (const Arch other : known_archs()) {
        // Of equally near ones the later is kept: `a` rather than plain for another suffix, 9.0 rather than 8.9.
        const bool comparable = other.number == arch.number || other.suffix == '\0';
        const bool nearer = !nearest || distance(other, arch) <= distance(*nearest, arch);
        if (other.major() == arch.major() && comparable && nearer) {
            nearest = other;
        }
    }
    return nearest;
}

}  // namespace wheelarch
