#include <algorithm>
#include <utility>

#include "lint/build/as_shell.hpp"
#include "lint/build/build_settings.hpp"
#include "lint/build/nvcc_targets.hpp"
#include "lint/build/shell_words.hpp"

namespace wheelarch {
namespace {

bool names_list(const ShellCommand& command) {
    return std::any_of(command.words.begin(), command.words.end(),
                       [](const ShellWord& word) { return names_list_variable(word.text); });
}

bool has_word(const ShellCommand& command, std::string_view text) {
    return std::any_of(command.words.begin(), command.words.end(),
                       [&](const ShellWord& word) { return word.text == text; });
}

// `[ -z "$LIST" ]` and `! [ -n "$LIST" ]` hold for no list.
bool is_for_none(const ShellCommand& command) {
    const bool empty =
        has_word(command, "-z") || ((has_word(command, "=") || has_word(command, "==")) && has_word(command, ""));
    return empty != has_word(command, "!");
}

class ShellSettings {
public:
    // Whether the script runs in the build is not known, so `severity` is none of an error. `shown` is the file; `text`
    // has the same lines.
    ShellSettings(std::string_view text, std::string_view shown, Severity severity)
        : severity_(severity), lines_(shown), commands_(lex_shell(text)) {
        const ShellCommand* before = nullptr;
        for (const ShellCommand& command : commands_) {
            if (!branch(command)) {
                look_at(command, before);
            }
            before = &command;
        }
    }

    std::vector<BuildSetting> take() { return std::move(settings_); }

private:
    struct Branch {
        bool outer_mentions = false;
        bool outer_unset = false;
        bool in_condition = true;
        bool mentions = false;
        bool unset = false;   // this branch is for no list
        bool is_set = false;  // an earlier one was for a list that is there
    };

    bool branch(const ShellCommand& command) {
        const std::string& word = command.words.front().text;
        if (word == "if") {
            branches_.push_back({looks_at_list(), in_branch_without_list()});
            return true;
        }
        if (branches_.empty()) {
            return false;
        }
        Branch& now = branches_.back();
        if (word == "fi") {
            branches_.pop_back();
        } else if (word == "then") {
            now.in_condition = false;
        } else if (word == "elif" || word == "else") {
            now.unset = now.is_set;
            now.in_condition = word == "elif";
        } else if (!now.in_condition) {
            return false;
        } else if (names_list(command)) {
            now.mentions = true;
            now.unset = now.unset || is_for_none(command);
            now.is_set = now.is_set || !is_for_none(command);
        }
        return true;
    }

    bool looks_at_list() const {
        return !branches_.empty() && (branches_.back().mentions || branches_.back().outer_mentions);
    }
    bool in_branch_without_list() const {
        return !branches_.empty() && (branches_.back().unset || branches_.back().outer_unset);
    }

    bool runs_without_list(const ShellCommand& command, const ShellCommand* before) const {
        const bool joined = before != nullptr && names_list(*before) &&
                            ((command.joined == ShellCommand::Joined::by_and && is_for_none(*before)) ||
                             (command.joined == ShellCommand::Joined::by_or && !is_for_none(*before)));
        return joined || in_branch_without_list();
    }

    void look_at(const ShellCommand& command, const ShellCommand* before) {
        const std::string& name = command.words.front().text;
        if (only_says(command) || runs_without_list(command, before)) {
            return;
        }
        std::string all;
        for (const ShellWord& word : command.words) {
            all += word.text + " ";
            if (std::string list = assigned_list(word.text); !list.empty()) {
                add(BuildSetting::Kind::overrides, word, std::move(list));
            } else if (name == "unset" && is_list_variable(word.text)) {
                add(BuildSetting::Kind::overrides, word, "");
            }
        }
        if (std::string list = looks_at_list() ? std::string() : named_targets(all); !list.empty()) {
            add(BuildSetting::Kind::targets, command.words.front(), std::move(list));
        }
    }

    void add(BuildSetting::Kind kind, const ShellWord& word, std::string list) {
        settings_.push_back({kind, word.line, word.column, std::move(list), lines_.at(word.line), severity_});
    }

    Severity severity_;
    LineTexts lines_;
    std::vector<ShellCommand> commands_;
    std::vector<Branch> branches_;
    std::vector<BuildSetting> settings_;
};

}  // namespace

std::vector<BuildSetting> shell_settings(std::string_view text) {
    return ShellSettings(text, text, Severity::warning).take();
}

std::vector<BuildSetting> makefile_settings(std::string_view text) {
    return ShellSettings(makefile_as_shell(text), text, Severity::warning).take();
}

std::vector<BuildSetting> dockerfile_settings(std::string_view text) {
    // Who builds wheels on a farm has a container of their own.
    return ShellSettings(dockerfile_as_shell(text), text, Severity::notice).take();
}

}  // namespace wheelarch
