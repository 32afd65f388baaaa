// Versions of Python packages, as "Version specifiers" (PEP 440) on packaging.python.org has them, and their normal
// form: `v1.0-Beta.2_POST.dev+Ubuntu_1` is `1.0b2.post0.dev0+ubuntu.1`.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLettersAndDigits = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::string_view kSeparators = "-_.";

std::string without_leading_zeros(std::string_view number) {
    const std::size_t start = std::min(number.find_first_not_of('0'), number.size() - 1);
    return std::string(number.substr(start));
}

// Text that is taken off from the left.
class Rest {
public:
    explicit Rest(std::string_view text) : text_(text) {}

    bool empty() const { return text_.empty(); }
    bool take(std::string_view prefix) {
        const bool found = text_.starts_with(prefix);
        text_.remove_prefix(found ? prefix.size() : 0);
        return found;
    }
    std::string_view take_all_of(std::string_view set) {
        const std::string_view taken = text_.substr(0, text_.find_first_not_of(set));
        text_.remove_prefix(taken.size());
        return taken;
    }
    void take_separator() { text_.remove_prefix(!text_.empty() && kSeparators.find(text_[0]) != kSeparators.npos); }

private:
    std::string_view text_;
};

// The first of `words` after a separator that may be missing, with its number, written as `normal` and that number.
// Nothing is taken if none is there.
std::string take_segment(Rest& rest, std::initializer_list<std::pair<std::string_view, std::string_view>> words) {
    Rest ahead = rest;
    ahead.take_separator();
    for (const auto& [word, normal] : words) {
        if (ahead.take(word)) {
            ahead.take_separator();
            const std::string_view number = ahead.take_all_of(kDigits);
            rest = ahead;
            return std::string(normal) + (number.empty() ? "0" : without_leading_zeros(number));
        }
    }
    return {};
}

// A number, and more of them after dots.
std::string take_release(Rest& rest) {
    std::string release;
    for (Rest ahead = rest; release.empty() || ahead.take(".");) {
        const std::string_view number = ahead.take_all_of(kDigits);
        if (number.empty()) {
            break;
        }
        release += (release.empty() ? "" : ".") + without_leading_zeros(number);
        rest = ahead;
    }
    return release;
}

std::string take_post(Rest& rest) {
    Rest ahead = rest;
    if (ahead.take("-")) {
        if (const std::string_view number = ahead.take_all_of(kDigits); !number.empty()) {
            rest = ahead;
            return ".post" + without_leading_zeros(number);
        }
    }
    return take_segment(rest, {{"post", ".post"}, {"rev", ".post"}, {"r", ".post"}});
}

// What follows the plus sign; empty if it is no local version.
std::string take_local(Rest& rest) {
    std::string local;
    do {
        const std::string_view part = rest.take_all_of(kLettersAndDigits);
        if (part.empty()) {
            return {};
        }
        const bool number = part.find_first_not_of(kDigits) == std::string_view::npos;
        local += (local.empty() ? "" : ".") + (number ? without_leading_zeros(part) : std::string(part));
        if (rest.empty()) {
            return local;
        }
        rest.take_separator();
    } while (!rest.empty());
    return {};
}

// Empty if `lower` is no version.
std::string normal_form(std::string_view lower) {
    Rest rest(lower);
    rest.take("v");
    std::string version = take_release(rest);
    if (!version.empty() && version.find('.') == std::string::npos && rest.take("!")) {
        const std::string release = take_release(rest);
        version = release.empty() ? "" : (version == "0" ? "" : version + "!") + release;
    }
    if (version.empty()) {
        return {};
    }
    version += take_segment(rest, {{"alpha", "a"},
                                   {"a", "a"},
                                   {"beta", "b"},
                                   {"b", "b"},
                                   {"preview", "rc"},
                                   {"pre", "rc"},
                                   {"rc", "rc"},
                                   {"c", "rc"}});
    version += take_post(rest);
    version += take_segment(rest, {{"dev", ".dev"}});
    if (rest.take("+")) {
        const std::string local = take_local(rest);
        version = local.empty() ? "" : version + "+" + local;
    }
    return rest.empty() ? version : "";
}

std::string lower_trimmed(std::string_view version) {
    constexpr std::string_view blanks = " \t\r\n\f\v";
    const std::size_t start = std::min(version.find_first_not_of(blanks), version.size());
    std::string lower(version.substr(start, version.find_last_not_of(blanks) + 1 - start));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

}  // namespace

bool is_version(std::string_view version) {
    return !normal_form(lower_trimmed(version)).empty();
}

std::string normal_version(std::string_view version) {
    const std::string lower = lower_trimmed(version);
    const std::string normal = normal_form(lower);
    return normal.empty() ? lower : normal;
}

std::string comparable_version(std::string_view version) {
    const std::string normal = normal_version(version);
    const std::size_t epoch_end = normal.find('!') + 1;  // 0 without an epoch
    const std::size_t release_end = std::min(normal.find_first_not_of("0123456789.", epoch_end), normal.size());
    std::string release = normal.substr(0, release_end);
    const bool dot = release.ends_with('.');  // of `.post1` or `.dev1`
    release.resize(release.size() - (dot ? 1 : 0));
    while (release.ends_with(".0")) {
        release.resize(release.size() - 2);
    }
    return release + (dot ? "." : "") + normal.substr(release_end);
}

}  // namespace wheelarch
