// YamlNode: a YAML document in which every node remembers its line and column.
//
// yaml-cpp parses; this keeps of its events what the policy needs. It refuses what yaml-cpp lets pass and other readers
// of the same files do not read alike: a key given twice, several documents, tags, characters that only some take for
// line breaks. Sizes, depths and what aliases expand to are bounded.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "policy/place.hpp"

namespace wheelarch {

class YamlNode {
public:
    enum class Kind { null, scalar, sequence, map };
    struct Entry;

    Kind kind = Kind::null;
    Place place;
    std::string text;    // of a scalar
    bool plain = false;  // a scalar without quotes: other readers may make a number of it
    std::vector<std::shared_ptr<const YamlNode>> items;  // of a sequence
    std::vector<Entry> entries;                          // of a map, in file order

    // The value of a map's key; null if there is none.
    const YamlNode* find(std::string_view key) const;
};

struct YamlNode::Entry {
    std::shared_ptr<const YamlNode> key;  // a scalar
    std::shared_ptr<const YamlNode> value;
};

// `text` is a whole file whose name for messages is `file` (safe to show). The result is a map. Throws an Error
// (exit 2) with line and column.
std::shared_ptr<const YamlNode> parse_yaml(std::string_view text, const std::shared_ptr<const std::string>& file);

// `over` laid over `base`: both are maps, and a key of `over` replaces that of `base` with all that it holds.
YamlNode overlaid(const YamlNode& base, const YamlNode& over);

// An Error (exit 2) about this place.
Error yaml_error(const Place& place, std::string problem, std::string fix = {});

}  // namespace wheelarch
