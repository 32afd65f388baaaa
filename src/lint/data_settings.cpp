// Settings in TOML (pyproject.toml) and YAML, whose keys and values build tools put into the environment.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "lint/build_settings.hpp"
#include "lint/scan.hpp"
#include "lint/shell_words.hpp"
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

class DataSettings {
public:
    explicit DataSettings(std::string_view text) : lines_(text) {}

    void toml(std::string_view text) {
        const std::vector<TomlToken> tokens = lex_toml(text);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const bool value = i + 2 < tokens.size() && tokens[i + 1].kind == TomlToken::Kind::op &&
                               tokens[i + 1].text == "=" && tokens[i + 2].kind == TomlToken::Kind::string;
            if (value && is_list_variable(tokens[i].text)) {
                add(tokens[i].place.line, tokens[i].place.column, tokens[i + 2].text);
            } else if (tokens[i].kind == TomlToken::Kind::string) {
                words(tokens[i].place.line, tokens[i].place.column, tokens[i].text);
            }
        }
    }

    void yaml(const YamlNode& node) {
        if (node.kind == YamlNode::Kind::scalar) {
            words(node.place.line, node.place.column, node.text);
        }
        for (const auto& item : node.items) {
            yaml(*item);
        }
        for (const YamlNode::Entry& entry : node.entries) {
            if (is_list_variable(entry.key->text) && entry.value->kind == YamlNode::Kind::scalar) {
                add(entry.key->place.line, entry.key->place.column, entry.value->text);
            } else {
                yaml(*entry.value);
            }
        }
    }

    std::vector<BuildSetting> take() { return std::move(settings_); }

private:
    // `TORCH_CUDA_ARCH_LIST='8.0' X=1`, `cmake -DCMAKE_CUDA_ARCHITECTURES=80`.
    void words(unsigned line, unsigned column, std::string_view text) {
        if (!names_list_variable(text)) {
            return;
        }
        for (const ShellCommand& command : lex_shell(text)) {
            for (const ShellWord& word : command.words) {
                if (const std::string list = assigned_list(word.text); !list.empty()) {
                    add(line, column, list);
                }
            }
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
        settings.yaml(*parse_yaml(text, std::make_shared<const std::string>()));
    } catch (const Error&) {
        return {};  // a template, or a dialect that no build tool of ours reads
    }
    return settings.take();
}

}  // namespace wheelarch
