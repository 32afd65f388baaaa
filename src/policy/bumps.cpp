#include <charconv>

#include <fmt/format.h>

#include "base/text.hpp"
#include "policy/fields.hpp"
#include "policy/package_parts.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kMostBumps = 10'000;

std::uint64_t read_bump_number(const YamlNode& key, std::string_view what) {
    std::uint64_t number = 0;
    const char* end = key.text.data() + key.text.size();
    const auto [read, code] = std::from_chars(key.text.data(), end, number);
    if (key.kind != YamlNode::Kind::scalar || code != std::errc() || read != end || key.text.starts_with('0')) {
        throw yaml_error(
            key.place, fmt::format("a key of {} is {}, the number of an epoch is expected", what, in_quotes(key.text)),
            "write it like 2: {why: \"…\", rebuild: lists}");
    }
    return number;
}

Bump read_bump(const YamlNode& node, const std::string& what) {
    Bump bump;
    bump.place = node.place;
    if (node.kind == YamlNode::Kind::null) {
        return bump;
    }
    require_known_keys(node, what, {"why", "rebuild"});
    with(node, "why", [&](const YamlNode& value, const std::string& key) {
        bump.why = read_text(value, fmt::format("{}.{}", what, key));
    });
    with_own(node, "rebuild", [&](const YamlNode& value, const std::string& key) {
        const std::string word = read_text(value, fmt::format("{}.{}", what, key));
        if (word != "all" && word != "lists") {
            throw yaml_error(value.place,
                             fmt::format("{}.{} is {}, all or lists is expected", what, key, in_quotes(word)),
                             "write lists if only what gets another arch list is to be rebuilt, else all");
        }
        bump.lists = word == "lists";
    });
    return bump;
}

}  // namespace

Bumps read_bumps(const YamlNode& node, const std::string& what, std::uint64_t first, std::uint64_t epoch) {
    Bumps bumps;
    for (const YamlNode::Entry& entry : entries_of(node, what)) {
        const std::uint64_t number = read_bump_number(*entry.key, what);
        if (number < first) {
            throw yaml_error(
                entry.key->place,
                fmt::format("{} names epoch {}, but the first that is raised to is {}", what, number, first),
                "take it out");
        }
        if (number > epoch) {
            throw yaml_error(entry.key->place,
                             fmt::format("{} names epoch {}, but build_epoch is {}", what, number, epoch),
                             fmt::format("raise build_epoch to {}, or take it out of {}", number, what));
        }
        bumps[number] = read_bump(*entry.value, fmt::format("{}[{}]", what, number));
        if (bumps.size() > kMostBumps) {
            throw yaml_error(node.place, fmt::format("{} names more than {} epochs", what, kMostBumps),
                             "take old ones out: those that say nothing are for everything");
        }
    }
    return bumps;
}

}  // namespace wheelarch
