#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "lint/build/build_settings.hpp"
#include "lint/build/cmake_lexer.hpp"
#include "lint/build/nvcc_targets.hpp"

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
                change(command);
                unset(command);
                defines(command);
                property(command);
                flags(command);
                selection(command);
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
        if (command.name != "else") {  // old scripts repeat the condition there
            read_condition(command, now);
        }
        return true;
    }

    // A condition that holds for no list in one of its clauses is for none.
    void read_condition(const CMakeCommand& command, Branch& now) const {
        bool negated = false;
        bool mentioned = false;
        bool for_none = false;
        const auto end_clause = [&] {
            now.mentions = now.mentions || mentioned;
            for_none = for_none || (mentioned && negated);
            mentioned = negated = false;
        };
        bool any = false;
        for (const CMakeArgument& argument : command.arguments) {
            if (!argument.quoted && (argument.text == "AND" || argument.text == "OR")) {
                end_clause();
                continue;
            }
            negated = negated != (argument.text == "NOT" || (argument.quoted && argument.text.empty()));
            mentioned = mentioned || names_list(argument.text);
            any = any || mentioned;
        }
        end_clause();
        now.unset = now.unset || for_none;
        now.is_set = now.is_set || (any && !for_none);
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
        value = resolved(std::move(value));
        const std::string more = added_to_list(value);
        const bool unknown = more.empty() && value.find('$') != std::string::npos;
        const bool none = value.empty() || value == "OFF";
        if (!unknown && !none && (!cache || force) && !runs_without_list()) {
            add(BuildSetting::Kind::overrides, command.line, command.column, more.empty() ? value : more,
                looks_at_list() || !more.empty() ? Severity::warning : Severity::error);
        }
    }

    // `${NAME}` of a variable that was set: what it was set to.
    std::string resolved(std::string value) const {
        if (value.starts_with("${") && value.ends_with('}')) {
            const auto known = values_.find(std::string_view(value).substr(2, value.size() - 3));
            value = known == values_.end() ? value : known->second;
        }
        return value;
    }

    // `list(APPEND CMAKE_CUDA_ARCHITECTURES 90)`, `list(REMOVE_ITEM …)`.
    void change(const CMakeCommand& command) {
        const std::vector<CMakeArgument>& arguments = command.arguments;
        if (command.name != "list" || arguments.size() < 3 || !is_list_variable(arguments[1].text) ||
            !is_one_of(arguments[0].text, {"APPEND", "PREPEND", "REMOVE_ITEM"}) || runs_without_list()) {
            return;
        }
        std::string items = arguments[0].text == "REMOVE_ITEM" ? "-" : "+";
        for (std::size_t i = 2; i < arguments.size(); ++i) {
            items += (i == 2 ? "" : ";") + resolved(std::string(arguments[i].text));
        }
        if (items.find('$') == std::string::npos) {
            add(BuildSetting::Kind::overrides, command.line, command.column, std::move(items), Severity::warning);
        }
    }

    // `-DCMAKE_CUDA_ARCHITECTURES=80` for a build within the build.
    void defines(const CMakeCommand& command) {
        if (is_one_of(command.name, {"message", "add_test", "option"}) || looks_at_list()) {
            return;
        }
        for (const CMakeArgument& argument : command.arguments) {
            if (std::string list = list_in_define(argument.text); !list.empty()) {
                add(BuildSetting::Kind::overrides, argument.line, argument.column, std::move(list), Severity::warning);
            }
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
            list = resolved(std::move(list));
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
        if (std::string list = first == nullptr ? std::string() : named_targets(all); !list.empty()) {
            add(BuildSetting::Kind::targets, first->line, first->column, std::move(list), Severity::warning);
        }
    }

    // `cuda_select_nvcc_arch_flags(FLAGS Auto)`, of FindCUDA and of torch.
    void selection(const CMakeCommand& command) {
        if (command.name != "cuda_select_nvcc_arch_flags" || looks_at_list()) {
            return;
        }
        std::string list;
        for (std::size_t i = 1; i < command.arguments.size(); ++i) {
            list += (list.empty() ? "" : ";") + resolved(std::string(command.arguments[i].text));
        }
        list = command.arguments.size() < 2 ? "Auto" : list;
        if (list.find('$') == std::string::npos && !names_list(list)) {
            add(BuildSetting::Kind::targets, command.line, command.column, list, Severity::warning);
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
