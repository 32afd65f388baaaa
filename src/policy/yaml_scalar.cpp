#include "policy/yaml_scalar.hpp"

#include <algorithm>
#include <charconv>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "policy/wording.hpp"

namespace wheelarch {
namespace {

// Longer text is no number that anybody writes, and std::regex needs stack for each character.
constexpr std::size_t kLongest = 128;

struct Form {
    std::regex pattern;
    std::string name;
    bool decimal = false;  // its value can be told
};

// The forms of https://yaml.org/type/, with Python's deviations: an exponent needs its sign.
const std::vector<Form>& forms() {
    static const std::vector<Form> all = [] {
        const auto flags = std::regex::ECMAScript | std::regex::optimize;
        std::vector<Form> forms;
        const auto form = [&](const char* pattern, const char* name, bool decimal) {
            forms.push_back({std::regex(pattern, flags), name, decimal});
        };
        form("[-+]?([0-9][0-9_]*)\\.[0-9_]*([eE][-+][0-9]+)?|\\.[0-9][0-9_]*([eE][-+][0-9]+)?", "the number", true);
        form("[-+]?(0|[1-9][0-9_]*)", "the number", true);
        form("[-+]?(0b[01_]+|0[0-7_]+|0x[0-9a-fA-F_]+)", "a number to base 2, 8 or 16", false);
        form("[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?", "a number to base 60", false);
        form("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)", "a number", false);
        form("yes|Yes|YES|true|True|TRUE|on|On|ON", "the truth value true", false);
        form("no|No|NO|false|False|FALSE|off|Off|OFF", "the truth value false", false);
        form("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?", "a date", false);
        form("=|<<", "a sign with a meaning of its own", false);
        return forms;
    }();
    return all;
}

// `12.10` is 12.1.
std::string value_of(std::string_view text) {
    std::string digits;
    std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) { return c != '_' && c != '+'; });
    double value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return code == std::errc() ? fmt::format("{}", value) : shortened(text);
}

}  // namespace

std::string other_reading(std::string_view text) {
    constexpr std::string_view kFirst = "+-.=<0123456789yYnNtTfFoO";  // of all forms above
    if (text.empty() || text.size() > kLongest || kFirst.find(text.front()) == std::string_view::npos) {
        return {};
    }
    for (const Form& form : forms()) {
        if (std::regex_match(text.begin(), text.end(), form.pattern)) {
            return form.decimal ? fmt::format("{} {}", form.name, value_of(text)) : form.name;
        }
    }
    return {};
}

}  // namespace wheelarch
