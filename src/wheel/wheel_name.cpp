#include "wheel/wheel_name.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kSuffix = ".whl";
constexpr char kForm[] = "a wheel is called distribution-version(-build)-python-abi-platform(-variant).whl";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLowerCase = "abcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kLongestVariant = 16;

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator, start)) {
        parts.emplace_back(text.substr(start, end - start));
        start = end + 1;
    }
    parts.emplace_back(text.substr(start));
    return parts;
}

// Spaces come from browsers that number their downloads; installers refuse such a name.
void check_field(std::string_view what, const std::string& field) {
    if (field.empty()) {
        throw unchecked(fmt::format("the {} in the wheel's file name is empty", what), kForm);
    }
    const bool blank = std::any_of(field.begin(), field.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= 0x20 || byte == 0x7f;
    });
    if (blank) {
        throw unchecked(fmt::format("the {} in the wheel's file name holds a space or a control character", what),
                        "give the file its own name back");
    }
    if (std::any_of(field.begin(), field.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
        throw unchecked(fmt::format("the {} in the wheel's file name is not ASCII", what),
                        "uv and the package index refuse such a name: rename the project");
    }
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_one_of(char c, std::string_view others) {
    return is_letter(c) || is_digit(c) || others.find(c) != std::string_view::npos;
}

bool is_made_of(std::string_view text, std::string_view others) {
    return std::all_of(text.begin(), text.end(), [&](char c) { return is_one_of(c, others); });
}

// A dash of the name is written as one underscore. A name begins and ends with a letter or a digit.
void check_distribution(const std::string& distribution) {
    check_field("distribution", distribution);
    if (distribution.find("__") != std::string::npos || !is_project_name(distribution) ||
        !is_made_of(distribution, "._")) {
        throw unchecked(fmt::format("the distribution '{}' in the wheel's file name is not a project name",
                                    printable(distribution)),
                        "a name has letters and digits, and single `_` or `.` between them");
    }
}

void check_version(const std::string& version) {
    check_field("version", version);
    if (!is_version(version)) {
        throw unchecked(
            fmt::format("the version '{}' in the wheel's file name is not a version by PEP 440", printable(version)),
            "installers refuse such a name: use a version such as 1.0 or 1.0+cu128");
    }
}

// As "Binary distribution format" sorts it, a build tag is a number and a rest: `01x` and `1x` are the same.
std::string normal_build(std::string_view build) {
    const std::size_t rest = std::min(build.find_first_not_of("0123456789"), build.size());
    const std::size_t number = std::min(build.find_first_not_of('0'), rest);
    return (number == rest ? "0" : "") + lower_case(build.substr(number));
}

std::string tag_set(const std::vector<std::string>& tags) {
    std::set<std::string> sorted;
    std::transform(tags.begin(), tags.end(), std::inserter(sorted, sorted.end()), lower_case);
    return fmt::format("{}", fmt::join(sorted, "."));
}

std::vector<std::string> tags(std::string_view what, const std::string& field) {
    check_field(what, field);
    std::vector<std::string> set = split(field, '.');
    if (std::any_of(set.begin(), set.end(), [](const std::string& tag) { return tag.empty(); })) {
        throw unchecked(fmt::format("the {} '{}' in the wheel's file name holds an empty tag", what, field), kForm);
    }
    if (std::any_of(set.begin(), set.end(), [](const std::string& tag) { return !is_made_of(tag, "_"); })) {
        throw unchecked(fmt::format("the {} '{}' in the wheel's file name holds a character that no tag has", what,
                                    printable(field)),
                        "a tag has letters, digits and underscores: give the file its own name back");
    }
    return set;
}

// `cp312`, `py3`: letters, then digits. It tells a label at the end from a build tag that is wrong.
bool is_python_tag(std::string_view tag) {
    const std::size_t digit = std::min(tag.find_first_of(kDigits), tag.size());
    return digit > 0 && digit < tag.size() &&
           std::all_of(tag.begin(), tag.begin() + static_cast<std::ptrdiff_t>(digit), is_letter);
}

bool is_platform_tag(std::string_view tag) {
    return tag == "any" || tag == "win32" || tag.find('_') != std::string_view::npos;
}

bool is_variant(std::string_view label) {
    return !label.empty() && label.size() <= kLongestVariant &&
           label.find_first_not_of(std::string(kLowerCase) + std::string(kDigits) + "._") == std::string_view::npos;
}

// Takes the label of a variant off, which stands after the platform tag. A build tag begins with a digit.
std::string take_variant(std::vector<std::string>& fields) {
    const bool has_build = fields.size() > 2 && !fields[2].empty() && is_digit(fields[2].front());
    const std::size_t count = has_build ? 7 : 6;
    const std::size_t python = has_build ? 3 : 2;
    if (fields.size() != count || !is_python_tag(fields[python]) || !is_platform_tag(fields[python + 2])) {
        return {};
    }
    const std::string label = fields.back();
    if (!is_variant(label)) {
        throw unchecked(
            fmt::format("the variant label '{}' in the wheel's file name is not a label", printable(label)),
            fmt::format("a label has 1 to {} lower-case letters, digits, dots and underscores", kLongestVariant));
    }
    fields.pop_back();
    return label;
}

}  // namespace

WheelName parse_wheel_name(std::string_view file_name) {
    if (!file_name.ends_with(kSuffix)) {
        throw unchecked("the file name does not end in .whl", kForm);
    }
    std::vector<std::string> fields = split(file_name.substr(0, file_name.size() - kSuffix.size()), '-');
    WheelName name;
    name.variant = take_variant(fields);
    if (fields.size() != 5 && fields.size() != 6) {
        throw unchecked(fmt::format("the wheel's file name has {} field{} between its dashes, expected 5 or 6",
                                    fields.size(), fields.size() == 1 ? "" : "s"),
                        kForm);
    }
    name.distribution = fields[0];
    name.version = fields[1];
    check_distribution(name.distribution);
    check_version(name.version);
    if (fields.size() == 6) {
        name.build = fields[2];
        check_field("build tag", name.build);
        if (name.build.front() < '0' || name.build.front() > '9') {
            throw unchecked(
                fmt::format("the build tag '{}' in the wheel's file name does not start with a digit", name.build),
                kForm);
        }
    }
    const std::size_t first_tag = fields.size() - 3;
    name.python_tags = tags("python tag", fields[first_tag]);
    for (const std::string& tag : name.python_tags) {
        if (is_digit(tag.front())) {
            throw unchecked(fmt::format("the python tag '{}' in the wheel's file name begins with a digit", tag),
                            kForm);
        }
    }
    name.abi_tags = tags("abi tag", fields[first_tag + 1]);
    name.platform_tags = tags("platform tag", fields[first_tag + 2]);
    return name;
}

std::string canonical_name(const WheelName& name) {
    const std::string build = name.build.empty() ? "" : "-" + normal_build(name.build);
    const std::string variant = name.variant.empty() ? "" : "-" + name.variant;
    return fmt::format("{}-{}{}-{}-{}-{}{}{}", normal_name(name.distribution), normal_version(name.version), build,
                       tag_set(name.python_tags), tag_set(name.abi_tags), tag_set(name.platform_tags), variant,
                       kSuffix);
}

bool is_project_name(std::string_view name) {
    return !name.empty() && is_one_of(name.front(), "") && is_one_of(name.back(), "") && is_made_of(name, "._-");
}

std::string normal_name(std::string_view distribution) {
    std::string result;
    bool pending = false;  // a run of separators, before anything or between two characters
    for (const char c : lower_case(distribution)) {
        const bool separator = c == '-' || c == '_' || c == '.';
        if (pending && !separator) {
            result += '_';
        }
        pending = separator;
        result += separator ? "" : std::string(1, c);
    }
    return result + (pending ? "_" : "");
}

}  // namespace wheelarch
