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
constexpr char kForm[] = "a wheel is called distribution-version(-build)-python-abi-platform.whl";

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
    return set;
}

}  // namespace

WheelName parse_wheel_name(std::string_view file_name) {
    if (!file_name.ends_with(kSuffix)) {
        throw unchecked("the file name does not end in .whl", kForm);
    }
    const std::vector<std::string> fields = split(file_name.substr(0, file_name.size() - kSuffix.size()), '-');
    if (fields.size() != 5 && fields.size() != 6) {
        throw unchecked(fmt::format("the wheel's file name has {} field{} between its dashes, expected 5 or 6",
                                    fields.size(), fields.size() == 1 ? "" : "s"),
                        kForm);
    }
    WheelName name;
    name.distribution = fields[0];
    name.version = fields[1];
    check_field("distribution", name.distribution);
    check_field("version", name.version);
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
    name.abi_tags = tags("abi tag", fields[first_tag + 1]);
    name.platform_tags = tags("platform tag", fields[first_tag + 2]);
    return name;
}

std::string canonical_name(const WheelName& name) {
    const std::string build = name.build.empty() ? "" : "-" + normal_build(name.build);
    return fmt::format("{}-{}{}-{}-{}-{}{}", normal_name(name.distribution), normal_version(name.version), build,
                       tag_set(name.python_tags), tag_set(name.abi_tags), tag_set(name.platform_tags), kSuffix);
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
