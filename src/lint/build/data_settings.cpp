// Settings in TOML (pyproject.toml) and YAML, whose keys and values build tools put into the environment.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "lint/build/build_settings.hpp"
#include "lint/build/scan.hpp"
#include "policy/yaml.hpp"

namespace wheelarch {
namespace {

struct TomlToken {
    enum class Kind : std::uint8_t { word, string, op } kind = Kind::op;
    std::string_view text;
    Scanner::Position place;
};

std::string_view toml_string(Scanner& at) {
    const char quote = at.peek();
    const bool triple = at.peek(1) == quote && at.peek(2) == quote;
    at.skip(triple ? 3 : 1);
    const std::size_t begin = at.offset();
    while (!at.done()) {
        const char c = at.peek();
        const bool ends = c == quote && (!triple || (at.peek(1) == quote && at.peek(2) == quote));
        if (ends || (!triple && (c == '\n' || c == '\r'))) {
            break;
        }
        at.skip(c == '\\' && quote == '"' ? 1 : 0);
        at.skip_newline();
    }
    const std::string_view text = at.between(begin, at.offset());
    at.skip(at.peek() == quote ? (triple ? 3 : 1) : 0);
    return text;
}

// Keys, values and what is between them (TOML 1.0). Comments are left out.
std::vector<TomlToken> lex_toml(std::string_view text) {
    std::vector<TomlToken> tokens;
    for (Scanner at(text); !at.done();) {
        const auto place = at.position();
        const char c = at.peek();
        if (c == '#') {
            at.skip_to_line_end();
        } else if (c == '\n' || c == '\r' || c == ' ' || c == '\t') {
            at.skip_newline();
        } else if (c == '"' || c == '\'') {
            tokens.push_back({TomlToken::Kind::string, toml_string(at), place});
        } else if (is_word_byte(c) || c == '-') {
            const auto part = [](char one) { return is_word_byte(one) || one == '-'; };
            tokens.push_back({TomlToken::Kind::word, at.take_while(part), place});
        } else {
            const std::size_t begin = at.offset();
            at.skip(1);
            tokens.push_back({TomlToken::Kind::op, at.between(begin, at.offset()), place});
        }
    }
    return tokens;
}

// By the names of keys whose text is commands, their words or an environment; not a description.
bool is_for_commands(std::string_view key) {
    constexpr std::array<std::string_view, 12> kParts = {"env",    "arg",  "script", "command", "cmd",  "before",
                                                         "define", "flag", "run",    "build",   "task", "option"};
    const std::string name = lower_case(key);
    return name.find("descript") == std::string::npos &&
           std::any_of(kParts.begin(), kParts.end(),
                       [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

class DataSettings {
public:
    explicit DataSettings(std::string_view text) : lines_(text) {}

    void toml(std::string_view text) {
        const std::vector<TomlToken> tokens = lex_toml(text);
        const auto is_op = [&](std::size_t i, std::string_view op) {
            return i < tokens.size() && tokens[i].kind == TomlToken::Kind::op && tokens[i].text == op;
        };
        bool runs = false;  // what the key before is for
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const TomlToken& token = tokens[i];
            const bool value =
                is_op(i + 1, "=") && i + 2 < tokens.size() && tokens[i + 2].kind == TomlToken::Kind::string;
            if (is_op(i + 1, "=")) {
                runs =
                    is_for_commands(token.text) || (i >= 2 && is_op(i - 1, ".") && is_for_commands(tokens[i - 2].text));
            }
            if (value && is_list_variable(token.text)) {
                add(token.place.line, token.place.column, tokens[i + 2].text);
            } else if (token.kind == TomlToken::Kind::string && runs) {
                words(token.place.line, token.place.column, token.text);
            }
        }
    }

    void yaml(const YamlNode& node, bool runs) {
        if (node.kind == YamlNode::Kind::scalar && runs) {
            words(node.place.line, node.place.column, node.text);
        }
        for (const auto& item : node.items) {
            yaml(*item, runs);
        }
        for (const YamlNode::Entry& entry : node.entries) {
            const YamlNode& value = *entry.value;
            if (!is_list_variable(entry.key->text)) {
                yaml(value, is_for_commands(entry.key->text));
            } else if (value.kind == YamlNode::Kind::scalar) {
                add(entry.key->place.line, entry.key->place.column, value.text);
            } else {
                preset(*entry.key, value);
            }
        }
    }

    std::vector<BuildSetting> take() { return std::move(settings_); }

private:
    // `{"type": "STRING", "value": "80"}`, as presets of CMake have it.
    void preset(const YamlNode& key, const YamlNode& object) {
        for (const YamlNode::Entry& entry : object.entries) {
            if (entry.key->text == "value" && entry.value->kind == YamlNode::Kind::scalar) {
                add(key.place.line, key.place.column, entry.value->text);
            }
        }
    }

    // `TORCH_CUDA_ARCH_LIST='8.0' X=1`, `cmake -DCMAKE_CUDA_ARCHITECTURES=80`.
    void words(unsigned line, unsigned column, std::string_view text) {
        if (const std::string list = list_in_command(text); !list.empty()) {
            add(line, column, list);
        }
    }

    void add(unsigned line, unsigned column, std::string_view list) {
        if (list.find_first_of("${}") == std::string_view::npos && !list.empty()) {
            settings_.push_back(
                {BuildSetting::Kind::overrides, line, column, std::string(list), lines_.at(line), Severity::warning});
        }
    }

    LineTexts lines_;
    std::vector<BuildSetting> settings_;
};

}  // namespace

std::vector<BuildSetting> toml_settings(std::string_view text) {
    DataSettings settings(text);
    settings.toml(text);
    return settings.take();
}

std::vector<BuildSetting> yaml_settings(std::string_view text) {
    DataSettings settings(text);
    try {
        settings.yaml(*parse_yaml(text, std::make_shared<const std::string>()), false);
    } catch (const Error&) {
        return {};  // a template, or a dialect that no build tool of ours reads
    }
    return settings.take();
}

}  // namespace wheelarch
