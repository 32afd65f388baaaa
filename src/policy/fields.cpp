#include "policy/fields.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/version.hpp"
#include "policy/arch_list.hpp"
#include "policy/package_parts.hpp"
#include "policy/wording.hpp"
#include "policy/yaml_scalar.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kMostItems = 10'000;

std::string kind_of(const YamlNode& node) {
    switch (node.kind) {
        case YamlNode::Kind::null: return "nothing";
        case YamlNode::Kind::sequence: return "a list";
        case YamlNode::Kind::map: return "a table";
        case YamlNode::Kind::scalar: break;
    }
    const std::string other = node.plain ? other_reading(node.text) : "";
    return other.empty() ? fmt::format("the text {}", in_quotes(node.text)) : shortened(node.text);
}

Error unexpected(const YamlNode& node, std::string_view what, std::string_view expected, std::string fix) {
    return yaml_error(node.place, fmt::format("{} is {}, {} is expected", what, kind_of(node), expected),
                      std::move(fix));
}

// As the reader of a release number reads it, and of `parts` parts.
bool is_version(std::string_view text, std::size_t most_parts) {
    const auto dots = static_cast<std::size_t>(std::count(text.begin(), text.end(), '.'));
    return parse_major_minor(text) && dots < most_parts;
}

// A slip of the hand: another case, `-` for `_`, a letter more, less, other or swapped.
std::string without_separators(std::string_view text) {
    std::string result = lower_case(text);
    std::erase_if(result, [](char c) { return c == '_' || c == '-' || c == ' '; });
    return result;
}

bool is_slip(std::string_view text, std::string_view known) {
    constexpr std::size_t kShort = 5;  // a word of that length is a letter away from too many
    const std::string left = without_separators(text);
    const std::string right = without_separators(known);
    if (left == right) {
        return true;
    }
    return right.size() > kShort && !nearest_name(left, {right}).empty();
}

}  // namespace

std::string read_text(const YamlNode& node, std::string_view what) {
    if (node.kind != YamlNode::Kind::scalar) {
        throw unexpected(node, what, "text", fmt::format("write it like {}: \"…\"", what));
    }
    const std::string other = node.plain ? other_reading(node.text) : "";
    if (!other.empty()) {
        throw yaml_error(
            node.place,
            fmt::format("{} is {} without quotes, which other readers of YAML take for {}; text is expected", what,
                        shortened(node.text), other),
            fmt::format("quote it: \"{}\"", shortened(node.text)));
    }
    return node.text;
}

std::string read_word(const YamlNode& node, std::string_view what) {
    std::string text = read_text(node, what);
    constexpr std::string_view kBlanks = " \t\r\n";
    const bool blank = text.empty() || text.find_first_of("\t\r\n") != std::string::npos ||
                       text.find("  ") != std::string::npos || kBlanks.find(text.front()) != std::string_view::npos ||
                       kBlanks.find(text.back()) != std::string_view::npos;
    if (blank) {
        throw unexpected(node, what, "one line without blanks around it", "take the blanks out");
    }
    return text;
}

std::string read_optional_text(const YamlNode& node, std::string_view what) {
    return node.kind == YamlNode::Kind::null ? std::string() : read_text(node, what);
}

bool read_flag(const YamlNode& node, std::string_view what) {
    const std::string other = node.kind == YamlNode::Kind::scalar && node.plain ? other_reading(node.text) : "";
    if (!other.ends_with(" true") && !other.ends_with(" false")) {
        throw unexpected(node, what, "true or false", "write true or false, without quotes");
    }
    return other.ends_with(" true");
}

std::int64_t read_number(const YamlNode& node, std::string_view what, Range range) {
    std::int64_t value = 0;
    const char* end = node.text.data() + node.text.size();
    const auto [read, code] = std::from_chars(node.text.data(), end, value);
    const bool octal = node.text.size() > 1 && node.text.front() == '0';
    const bool whole =
        node.kind == YamlNode::Kind::scalar && node.plain && code == std::errc() && read == end && !octal;
    if (!whole || value < range.least || value > range.most) {
        throw unexpected(node, what, fmt::format("a whole number from {} to {}", range.least, range.most),
                         "write its digits, without quotes");
    }
    return value;
}

std::string read_cuda(const YamlNode& node, std::string_view what) {
    std::string text = read_text(node, what);
    if (!is_version(text, 2)) {
        throw unexpected(node, what, "a CUDA line", "write it like \"12.8\"");
    }
    return text;
}

std::string read_torch(const YamlNode& node, std::string_view what) {
    std::string text = read_text(node, what);
    if (!is_version(text, 3)) {
        throw unexpected(node, what, "a torch version", "write it like \"2.8.0\"");
    }
    return text;
}

bool is_python(std::string_view text) {
    return is_version(text.substr(0, text.size() - (text.ends_with('t') ? 1 : 0)), 2);
}

std::string read_python(const YamlNode& node, std::string_view what) {
    std::string text = read_text(node, what);
    if (!is_python(text)) {
        throw unexpected(node, what, "a Python version", "write it like \"3.12\", and \"3.13t\" without its lock");
    }
    return text;
}

std::string read_platform(const YamlNode& node, std::string_view what) {
    static const std::vector<std::string> known = {"linux", "windows", "linux_aarch64"};
    std::string text = read_text(node, what);
    if (std::find(known.begin(), known.end(), text) == known.end()) {
        const std::string meant = nearest_name(text, known);
        throw unexpected(node, what, "one of linux, windows and linux_aarch64",
                         meant.empty() ? "name one of these" : fmt::format("did you mean {}?", meant));
    }
    return text;
}

Text read_arch_list(const YamlNode& node, std::string_view what) {
    Text text{read_text(node, what), node.place};
    inside(to_text(node.place), [&] { parse_arch_list(text.value, what); });
    return text;
}

std::vector<std::string> read_list(const YamlNode& node, std::string_view what, WordReader read) {
    const auto& items = items_of(node, what);
    if (items.empty() || items.size() > kMostItems) {
        throw yaml_error(
            node.place,
            fmt::format("{} has {}, 1 to {} are expected", what, count_of(items.size(), "item"), kMostItems),
            "name at least one, or take the key out");
    }
    std::vector<std::string> words;
    std::set<std::string> seen;
    for (const auto& item : items) {
        words.push_back(read(*item, what));
        if (!seen.insert(words.back()).second) {
            throw yaml_error(item->place, fmt::format("{} has {} twice", what, in_quotes(words.back())),
                             "take one of them out");
        }
    }
    return words;
}

ArchTable read_arch_table(const YamlNode& node, std::string_view what, WordReader read_key) {
    ArchTable table;
    for (const YamlNode::Entry& entry : entries_of(node, what)) {
        const std::string key = read_key(*entry.key, fmt::format("a key of {}", what));
        table[key] = read_arch_list(*entry.value, fmt::format("{}['{}']", what, key));
    }
    return table;
}

void require_map(const YamlNode& node, std::string_view what) {
    if (node.kind != YamlNode::Kind::map) {
        throw unexpected(node, what, "a table", "write keys with values below it, indented");
    }
}

const std::vector<YamlNode::Entry>& entries_of(const YamlNode& node, std::string_view what) {
    require_map(node, what);
    return node.entries;
}

const std::vector<std::shared_ptr<const YamlNode>>& items_of(const YamlNode& node, std::string_view what) {
    if (node.kind != YamlNode::Kind::sequence) {
        throw unexpected(node, what, "a list", fmt::format("write it like {}: [\"…\"]", what));
    }
    return node.items;
}

void refuse_near_misses(const YamlNode& map, const std::vector<std::string>& ours) {
    for (const YamlNode::Entry& entry : map.entries) {
        const std::string& key = entry.key->text;
        if (std::find(ours.begin(), ours.end(), key) != ours.end()) {
            continue;
        }
        const auto slip = std::find_if(ours.begin(), ours.end(), [&](const auto& name) { return is_slip(key, name); });
        if (slip != ours.end()) {
            throw yaml_error(entry.key->place,
                             fmt::format("the key {} is unknown, and so near to {} that it is taken for a slip",
                                         in_quotes(key), *slip),
                             fmt::format("did you mean {}? If it is a key of your own, give it another name", *slip));
        }
    }
}

void refuse_misplaced(const YamlNode& map, std::string_view what, const std::vector<std::string>& ours,
                      const std::vector<std::string>& read_here) {
    const auto holds = [](const std::vector<std::string>& keys, const std::string& key) {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    for (const YamlNode::Entry& entry : map.entries) {
        const std::string& key = entry.key->text;
        if (holds(ours, key) && !holds(read_here, key)) {
            throw yaml_error(entry.key->place, fmt::format("{} is not read in {}", key, what),
                             "move it to the top level of its file");
        }
    }
}

void require_known_keys(const YamlNode& map, std::string_view what, const std::vector<std::string>& known) {
    for (const YamlNode::Entry& entry : entries_of(map, what)) {
        const std::string& key = entry.key->text;
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            const std::string meant = nearest_name(key, known);
            throw yaml_error(entry.key->place,
                             fmt::format("{} has no key {}: {} are known", what, in_quotes(key), enumerate(known, 10)),
                             meant.empty() ? "take it out" : fmt::format("did you mean {}?", meant));
        }
    }
}

}  // namespace wheelarch
