#include "policy/yaml.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "base/text.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

// Far above any policy, and low enough that no document costs noticeable time or memory.
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::size_t kMostNodes = 100'000;  // with aliases expanded
constexpr std::size_t kMostDepth = 32;       // the same; below the depth at which yaml-cpp gives up

using NodePtr = std::shared_ptr<const YamlNode>;
using FileName = std::shared_ptr<const std::string>;

// A node with what it counts for wherever an alias repeats it.
struct Measured {
    NodePtr node;
    std::size_t nodes = 1;
    std::size_t depth = 1;
};

// A collection that is not complete yet.
struct Open {
    std::shared_ptr<YamlNode> node;
    YAML::anchor_t anchor = 0;
    std::size_t nodes = 1;
    std::size_t depth = 1;
    NodePtr key;  // of a map: waits for its value
    std::set<std::string> keys;
};

// Entries of `map` that come from its `<<` go behind its own, and lose against them ("Merge Key Language-Independent
// Type for YAML 1.1", which Python's reader follows).
void merge(YamlNode& map, std::set<std::string>& keys) {
    const auto is_merge = [](const YamlNode::Entry& entry) { return entry.key->plain && entry.key->text == "<<"; };
    const auto found = std::find_if(map.entries.begin(), map.entries.end(), is_merge);
    if (found == map.entries.end()) {
        return;
    }
    const NodePtr value = found->value;
    map.entries.erase(found);
    keys.erase("<<");
    const std::vector<NodePtr> one{value};
    for (const NodePtr& from : value->kind == YamlNode::Kind::sequence ? value->items : one) {
        if (from->kind != YamlNode::Kind::map) {
            throw yaml_error(value->place, "what is merged by << is no map",
                             "give an alias of a map, such as <<: *name");
        }
        for (const YamlNode::Entry& entry : from->entries) {
            if (keys.insert(entry.key->text).second) {
                map.entries.push_back(entry);
            }
        }
    }
}

class Builder final : public YAML::EventHandler {
public:
    explicit Builder(FileName file) : file_(std::move(file)) {}

    const NodePtr& root() const noexcept { return root_; }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (root_) {
            throw yaml_error(at(mark), "a second document begins here, and only one is read",
                             "take out the line with ---, or put the rest into a file of its own");
        }
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        finish(anchor, {make(mark, YamlNode::Kind::null, "")});
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        auto node = make(mark, YamlNode::Kind::scalar, tag);
        node->text = value;
        node->plain = tag == "?";
        finish(anchor, {std::move(node)});
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) {
            throw yaml_error(at(mark), "an alias stands inside of what it names, which would never end",
                             "write the value out");
        }
        add(at(mark), found->second);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        open_.push_back({make(mark, YamlNode::Kind::sequence, tag), anchor, 1, 1, nullptr, {}});
    }
    void OnSequenceEnd() override { close(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        open_.push_back({make(mark, YamlNode::Kind::map, tag), anchor, 1, 1, nullptr, {}});
    }
    void OnMapEnd() override {
        merge(*open_.back().node, open_.back().keys);
        close();
    }

private:
    Place at(const YAML::Mark& mark) const {
        return {file_, static_cast<unsigned>(mark.line + 1), static_cast<unsigned>(mark.column + 1)};
    }

    std::shared_ptr<YamlNode> make(const YAML::Mark& mark, YamlNode::Kind kind, const std::string& tag) {
        // yaml-cpp's own for a node without a tag are `?`, `!` for text in quotes, and none.
        const bool untagged = tag.empty() || tag == "?" || tag == "!";
        const bool text = kind == YamlNode::Kind::scalar && tag == "tag:yaml.org,2002:str";
        if (!untagged && !text) {
            throw yaml_error(at(mark), fmt::format("the tag {} is not read", in_quotes(tag)), "take the tag out");
        }
        if (open_.size() > kMostDepth) {
            throw too_deep(at(mark));
        }
        auto node = std::make_shared<YamlNode>();
        node->kind = kind;
        node->place = at(mark);
        return node;
    }

    static Error too_deep(const Place& place) {
        return yaml_error(place, fmt::format("values are nested more than {} deep", kMostDepth),
                          "a policy has no need of that: make it flatter");
    }

    void close() {
        Open done = std::move(open_.back());
        open_.pop_back();
        finish(done.anchor, {std::move(done.node), done.nodes, done.depth});
    }

    void finish(YAML::anchor_t anchor, const Measured& done) {
        if (anchor != 0) {
            anchors_[anchor] = done;
        }
        add(done.node->place, done);
    }

    // Puts a complete node where it belongs; `place` is the alias's, if it is one.
    void add(const Place& place, const Measured& done) {
        if (open_.empty()) {
            root_ = done.node;
            return;
        }
        Open& parent = open_.back();
        parent.nodes += done.nodes;
        parent.depth = std::max(parent.depth, done.depth + 1);
        if (parent.nodes > kMostNodes) {
            throw yaml_error(place, fmt::format("the file holds more than {} values, aliases expanded", kMostNodes),
                             "a policy has no need of that: take out what is not policy");
        }
        if (parent.depth > kMostDepth) {
            throw too_deep(place);
        }
        if (parent.node->kind == YamlNode::Kind::sequence) {
            parent.node->items.push_back(done.node);
        } else if (parent.key == nullptr) {
            take_key(parent, place, done.node);
        } else {
            put(parent, done.node);
        }
    }

    static void take_key(Open& parent, const Place& place, const NodePtr& key) {
        if (key->kind != YamlNode::Kind::scalar) {
            throw yaml_error(place, "a key that is no text", "write a name before the colon");
        }
        if (!parent.keys.insert(key->text).second) {
            const auto& entries = parent.node->entries;
            const auto first = std::find_if(entries.begin(), entries.end(),
                                            [&](const YamlNode::Entry& entry) { return entry.key->text == key->text; });
            throw yaml_error(place,
                             fmt::format("the key {} is given twice: the first is in line {}", in_quotes(key->text),
                                         first->key->place.line),
                             "take one of them out: which of them counts depends on the reader");
        }
        parent.key = key;
    }

    static void put(Open& parent, const NodePtr& value) {
        NodePtr kept = value;
        if (value->kind == YamlNode::Kind::null) {
            // yaml-cpp has the place of the next token for a value that is not there.
            auto moved = std::make_shared<YamlNode>(*value);
            moved->place = parent.key->place;
            kept = std::move(moved);
        }
        parent.node->entries.push_back({std::move(parent.key), std::move(kept)});
        parent.key = nullptr;
    }

    FileName file_;
    NodePtr root_;
    std::vector<Open> open_;
    std::unordered_map<YAML::anchor_t, Measured> anchors_;
};

Place place_of(std::string_view text, std::size_t offset, const FileName& file) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t line_start = before.rfind('\n') + 1;  // 0 if there is none
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    return {file, static_cast<unsigned>(line), static_cast<unsigned>(offset - line_start + 1)};
}

// The first character that not every reader of YAML takes for the same, or none.
std::optional<std::size_t> doubtful_character(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool control = (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f;
        const bool lone_return = byte == '\r' && text.substr(i + 1, 1) != "\n";
        const std::string_view next = text.substr(i, 3);
        // U+0080 to U+009F, U+2028 and U+2029, and a byte order mark inside of the text.
        const bool c1 = byte == 0xc2 && next.size() > 1 && static_cast<unsigned char>(next[1]) < 0xa0;
        const bool separator = next == "\xe2\x80\xa8" || next == "\xe2\x80\xa9" || (next == "\xef\xbb\xbf" && i > 0);
        if (control || lone_return || c1 || separator) {
            return i;
        }
    }
    return std::nullopt;
}

// As its first byte says.
std::size_t length_of(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

// The first byte that begins no character, or none.
std::optional<std::size_t> bad_byte(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view character = text.substr(i, length_of(text[i]));
        const bool ascii = static_cast<unsigned char>(character.front()) < 0x80;
        if (!ascii && valid_utf8(character) != character) {
            return i;
        }
        i += character.size();
    }
    return std::nullopt;
}

void check_characters(std::string_view text, const FileName& file) {
    if (const auto offset = bad_byte(text)) {
        throw yaml_error(place_of(text, *offset, file),
                         fmt::format("the byte {:#04x} is no UTF-8", static_cast<unsigned char>(text[*offset])),
                         "save the file as UTF-8");
    }
    if (const auto offset = doubtful_character(text)) {
        throw yaml_error(place_of(text, *offset, file),
                         fmt::format("the character {} has no place in a policy, for readers of YAML differ on it",
                                     printable(text.substr(*offset, length_of(text[*offset])))),
                         "take it out; lines end with a line feed, with or without a carriage return before it");
    }
}

// The line of this number, from 1.
std::string_view line_of(std::string_view text, unsigned number) {
    while (--number > 0 && text.find('\n') != std::string_view::npos) {
        text.remove_prefix(text.find('\n') + 1);
    }
    return text.substr(0, text.find('\n'));
}

void parse_into(Builder& builder, std::string_view text, const FileName& file) {
    // With the mark of a document's end behind it, a text that stops inside of quotes is an error; yaml-cpp would let
    // it pass.
    const std::string ended = std::string(text) + (text.ends_with('\n') ? "...\n" : "\n...\n");
    std::istringstream stream(ended);
    try {
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const YAML::Exception& error) {
        const Place place{file, static_cast<unsigned>(std::max(error.mark.line, 0) + 1),
                          static_cast<unsigned>(std::max(error.mark.column, 0) + 1)};
        if (const std::string_view line = line_of(text, place.line); line.find('\t') != std::string_view::npos) {
            throw yaml_error({file, place.line, static_cast<unsigned>(line.find('\t') + 1)},
                             "there is a tab here, which YAML takes for no blank", "write spaces instead");
        }
        const bool at_end = error.mark.pos >= static_cast<int>(text.size());
        throw yaml_error(place,
                         at_end ? std::string("the file ends inside of a value")
                                : fmt::format("this is no YAML: {}", printable(error.msg)),
                         at_end ? "close its quotes or brackets" : "correct what stands here or just before");
    }
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key->text == key; });
    return found == entries.end() ? nullptr : found->value.get();
}

NodePtr parse_yaml(std::string_view text, const FileName& file) {
    if (text.size() > kMostBytes) {
        throw yaml_error({file, 1, 1},
                         fmt::format("the file is {} bytes long, and {} is the most", text.size(), kMostBytes),
                         "check what the file is");
    }
    check_characters(text, file);
    Builder builder(file);
    parse_into(builder, text, file);
    const NodePtr& root = builder.root();
    if (!root || root->kind != YamlNode::Kind::map) {
        throw yaml_error(root && root->kind != YamlNode::Kind::null ? root->place : Place{file, 1, 1},
                         "the file is expected to hold keys with values, and does not",
                         "write it like version: \"1.0\"");
    }
    return builder.root();
}

YamlNode overlaid(const YamlNode& base, const YamlNode& over) {
    YamlNode result = base;
    for (const YamlNode::Entry& entry : over.entries) {
        const auto found = std::find_if(result.entries.begin(), result.entries.end(),
                                        [&](const YamlNode::Entry& old) { return old.key->text == entry.key->text; });
        if (found == result.entries.end()) {
            result.entries.push_back(entry);
        } else {
            *found = entry;
        }
    }
    return result;
}

Error yaml_error(const Place& place, std::string problem, std::string fix) {
    Error error = bad_usage(std::move(problem), std::move(fix));
    error.inside(to_text(place));
    return error;
}

}  // namespace wheelarch
