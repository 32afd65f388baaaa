#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "lint/build_settings.hpp"
#include "lint/cmake_lexer.hpp"
#include "lint/nvcc_targets.hpp"

namespace wheelarch {
namespace {

// They compare or say, and set nothing.
constexpr std::array<std::string_view, 8> kHarmless = {"message", "if",     "elseif",          "while",
                                                       "option",  "return", "execute_process", "add_test"};

constexpr std::size_t kLongestName = 200;  // of a variable

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

class CMakeSettings {
public:
    explicit CMakeSettings(std::string_view text) : lines_(text), commands_(lex_cmake(text)) {
        for (const CMakeCommand& command : commands_) {
            if (!branch(command)) {
                set(command);
                unset(command);
                property(command);
                flags(command);
            }
        }
    }

    std::vector<BuildSetting> take() { return std::move(settings_); }

private:
    // One `if` up to its `endif`.
    struct Branch {
        bool outer_mentions = false;
        bool outer_unset = false;
        bool mentions = false;  // a condition looks at the list
        bool is_set = false;    // an earlier branch was for a list that is there
        bool unset = false;     // this one is for none
    };

    // Names the list, or what was made of it: `CUDAARCHS`, `${CMAKE_CUDA_ARCHITECTURES}`, `ENV{TORCH_CUDA_ARCH_LIST}`.
    bool names_list(std::string_view text) const {
        if (derived_.contains(text) || names_list_variable(text)) {
            return true;
        }
        for (std::size_t at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 2)) {
            const std::string_view rest = text.substr(at + 2, kLongestName);
            const std::string_view name = rest.substr(0, rest.find('}'));
            if (derived_.contains(name)) {
                return true;
            }
        }
        return false;
    }

    // Keeps account of the conditions; false for any other command.
    bool branch(const CMakeCommand& command) {
        if (command.name == "endif") {
            if (!branches_.empty()) {
                branches_.pop_back();
            }
            return true;
        }
        if (!is_one_of(command.name, {"if", "elseif", "else"})) {
            return false;
        }
        if (command.name == "if") {
            branches_.push_back({looks_at_list(), runs_without_list()});
        }
        if (branches_.empty()) {
            return true;
        }
        Branch& now = branches_.back();
        now.unset = now.is_set;
        bool negated = false;
        bool mentioned = false;
        for (const CMakeArgument& argument : command.arguments) {
            negated = negated != (argument.text == "NOT" || (argument.quoted && argument.text.empty()));
            mentioned = mentioned || names_list(argument.text);
        }
        if (mentioned && command.name != "else") {  // old scripts repeat the condition there
            now.mentions = true;
            now.unset = now.unset || negated;
            now.is_set = now.is_set || !negated;
        }
        return true;
    }

    bool runs_without_list() const {
        return !branches_.empty() && (branches_.back().unset || branches_.back().outer_unset);
    }
    bool looks_at_list() const {
        return !branches_.empty() && (branches_.back().mentions || branches_.back().outer_mentions);
    }

    // `set(NAME value… [CACHE … [FORCE]])`, `set(ENV{NAME} value)`.
    void set(const CMakeCommand& command) {
        if (command.name != "set" || command.arguments.size() < 2) {
            return;
        }
        const std::string_view target = command.arguments.front().text;
        const bool environment = target.starts_with("ENV{") && target.ends_with('}');
        const std::string_view name = environment ? target.substr(4, target.size() - 5) : target;
        std::string value;
        bool cache = false;
        bool force = false;
        for (std::size_t i = 1; i < command.arguments.size(); ++i) {
            const std::string_view word = command.arguments[i].text;
            cache = cache || word == "CACHE";
            force = force || (cache && word == "FORCE");
            if (!cache && word != "PARENT_SCOPE") {
                value += (value.empty() ? "" : ";") + std::string(word);
            }
        }
        if (!is_list_variable(name)) {
            if (names_list(value)) {
                derived_.insert(name);
            } else {
                values_.insert_or_assign(name, value);
            }
            return;
        }
        if (value.starts_with("${") && value.ends_with('}')) {
            const auto known = values_.find(std::string_view(value).substr(2, value.size() - 3));
            value = known == values_.end() ? value : known->second;
        }
        const bool unknown = value.find("${") != std::string::npos || value.find("$ENV{") != std::string::npos;
        const bool none = value.empty() || value == "OFF";
        if (!unknown && !none && (!cache || force) && !runs_without_list()) {
            add(BuildSetting::Kind::overrides, command.line, command.column, value,
                looks_at_list() ? Severity::warning : Severity::error);
        }
    }

    // `unset(NAME [CACHE])`: what was asked for is forgotten.
    void unset(const CMakeCommand& command) {
        if (command.name == "unset" && !command.arguments.empty() && !runs_without_list() &&
            is_list_variable(command.arguments.front().text)) {
            add(BuildSetting::Kind::overrides, command.line, command.column, "", Severity::warning);
        }
    }

    // `set_target_properties(x PROPERTIES CUDA_ARCHITECTURES "70;80")`, `set_property(TARGET x PROPERTY …)`.
    void property(const CMakeCommand& command) {
        if (!is_one_of(command.name, {"set_target_properties", "set_property"}) || looks_at_list()) {
            return;
        }
        const std::vector<CMakeArgument>& arguments = command.arguments;
        for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
            if (arguments[i].text != "CUDA_ARCHITECTURES") {
                continue;
            }
            std::string list(arguments[i + 1].text);
            // A property takes all that is left; of several, each takes one.
            for (std::size_t next = i + 2; command.name == "set_property" && next < arguments.size(); ++next) {
                list += ";" + std::string(arguments[next].text);
            }
            if (list.find('$') == std::string::npos && list != "OFF" && !list.empty()) {
                add(BuildSetting::Kind::targets, arguments[i].line, arguments[i].column, list, Severity::warning);
            }
        }
    }

    void flags(const CMakeCommand& command) {
        const bool harmless = std::find(kHarmless.begin(), kHarmless.end(), command.name) != kHarmless.end() ||
                              (command.name == "string" && !command.arguments.empty() &&
                               !is_one_of(command.arguments.front().text, {"APPEND", "PREPEND", "CONCAT"}));
        if (harmless || looks_at_list()) {
            return;
        }
        std::string all;
        const CMakeArgument* first = nullptr;
        for (const CMakeArgument& argument : command.arguments) {
            all += (all.empty() ? "" : " ") + std::string(argument.text);
            const bool flag = argument.text.find("arch") != std::string_view::npos ||
                              argument.text.find("gencode") != std::string_view::npos;
            first = first == nullptr && flag ? &argument : first;
        }
        if (const ArchSet archs = first == nullptr ? ArchSet() : nvcc_targets(all); !archs.empty()) {
            add(BuildSetting::Kind::targets, first->line, first->column, to_arch_list(archs), Severity::warning);
        }
    }

    void add(BuildSetting::Kind kind, unsigned line, unsigned column, std::string list, Severity severity) {
        settings_.push_back({kind, line, column, std::move(list), lines_.at(line), severity});
    }

    LineTexts lines_;
    std::vector<CMakeCommand> commands_;
    std::vector<Branch> branches_;
    std::set<std::string_view> derived_;
    std::map<std::string_view, std::string> values_;
    std::vector<BuildSetting> settings_;
};

}  // namespace

std::vector<BuildSetting> cmake_settings(std::string_view text) {
    return CMakeSettings(text).take();
}

}  // namespace wheelarch
