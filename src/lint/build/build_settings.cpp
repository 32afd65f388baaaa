#include "lint/build/build_settings.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "lint/build/shell_words.hpp"
#include "lint/text_search.hpp"

namespace wheelarch {
namespace {

constexpr std::array<std::string_view, 3> kListVariables = {"TORCH_CUDA_ARCH_LIST", "CMAKE_CUDA_ARCHITECTURES",
                                                            "CUDAARCHS"};
// One of these is in every file that has something to say. All of them have "arch" or "ARCH" in them.
constexpr std::array<std::string_view, 6> kMarks = {
    "CUDA_ARCH", "CUDAARCHS", "arch=", "-arch", "cuda_arch", "nvcc_arch"};

bool is_build_file(SourceFile::Language language) {
    using Language = SourceFile::Language;
    return language != Language::cuda && language != Language::cpp && language != Language::other;
}

bool has_mark(std::string_view text) {
    const bool lower = has_part(text, "arch");
    if (!lower && !has_part(text, "ARCH")) {
        return false;
    }
    const auto has = [&](std::string_view mark) { return has_part(text, mark); };
    return std::any_of(kMarks.begin(), kMarks.end(), has) || (lower && has("nvcc"));
}

std::vector<BuildSetting> settings_of(const SourceFile& file) {
    switch (file.language) {
        case SourceFile::Language::python: return python_settings(file.path, file.text);
        case SourceFile::Language::cmake: return cmake_settings(file.text);
        case SourceFile::Language::shell: return shell_settings(file.text);
        case SourceFile::Language::makefile: return makefile_settings(file.text);
        case SourceFile::Language::dockerfile: return dockerfile_settings(file.text);
        case SourceFile::Language::toml: return toml_settings(file.text);
        case SourceFile::Language::yaml: return yaml_settings(file.text);
        default: return {};
    }
}

// A value that needs no shell and no CMake to be known, or what it adds to the list.
std::string written_out(std::string_view value) {
    return value.find_first_of("$`{}%") == std::string_view::npos ? std::string(value) : added_to_list(value);
}

}  // namespace

std::vector<BuildSetting> build_settings(const SourceFile& file) {
    if (!is_build_file(file.language) || !has_mark(file.text)) {
        return {};
    }
    std::vector<BuildSetting> settings = settings_of(file);
    std::sort(settings.begin(), settings.end(), [](const BuildSetting& left, const BuildSetting& right) {
        return std::tie(left.line, left.column, left.list) < std::tie(right.line, right.column, right.list);
    });
    return settings;
}

std::vector<BuildSetting> of_kind(const std::vector<BuildSetting>& all, BuildSetting::Kind kind) {
    std::vector<BuildSetting> settings;
    std::copy_if(all.begin(), all.end(), std::back_inserter(settings),
                 [&](const BuildSetting& one) { return one.kind == kind; });
    return settings;
}

LineTexts::LineTexts(std::string_view text) : text_(text), starts_{0} {
    for (std::size_t at = text.find_first_of("\r\n"); at != std::string_view::npos;
         at = text.find_first_of("\r\n", starts_.back())) {
        starts_.push_back(at + (text.substr(at).starts_with("\r\n") ? 2 : 1));
    }
}

std::string LineTexts::at(unsigned line) const {
    constexpr std::size_t kLongest = 120;
    if (line == 0 || line > starts_.size()) {
        return {};
    }
    std::string_view text = text_.substr(starts_[line - 1]);
    text = text.substr(0, text.find_first_of("\r\n"));
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    text = text.substr(0, text.find_last_not_of(" \t") + 1);
    std::string shown = printable(text.substr(0, kLongest));
    // What was escaped is longer, and may not be cut within a character.
    return shown.size() <= kLongest ? shown : printable(text.substr(0, kLongest / 4));
}

bool is_list_variable(std::string_view name) {
    return std::find(kListVariables.begin(), kListVariables.end(), name) != kListVariables.end();
}

bool names_list_variable(std::string_view text) {
    return std::any_of(kListVariables.begin(), kListVariables.end(),
                       [&](std::string_view name) { return text.find(name) != std::string_view::npos; });
}

std::string list_in_define(std::string_view word) {
    if (!word.starts_with("-D")) {
        return {};
    }
    const std::size_t equals = std::min(word.find('='), word.size());
    std::string_view name = word.substr(2, equals - 2);
    name = name.substr(0, name.find(':'));  // -DNAME:STRING=
    return is_list_variable(name) ? written_out(word.substr(std::min(equals + 1, word.size()))) : std::string();
}

std::string assigned_list(std::string_view word) {
    const std::size_t equals = word.find('=');
    return equals == std::string_view::npos || !is_list_variable(word.substr(0, equals))
               ? list_in_define(word)
               : written_out(word.substr(equals + 1));
}

std::string list_in_command(std::string_view command_line) {
    if (!names_list_variable(command_line)) {
        return {};
    }
    for (const ShellCommand& command : lex_shell(command_line)) {
        for (const ShellWord& word : command.words) {
            std::string list = only_says(command) ? std::string() : assigned_list(word.text);
            if (!list.empty()) {
                return list;
            }
        }
    }
    return {};
}

std::string added_to_list(std::string_view value) {
    constexpr std::string_view kSeparators = " ;,";
    for (const std::string_view name : kListVariables) {
        for (const auto& [before, after] : {std::pair("${", "}"), {"$ENV{", "}"}, {"$(", ")"}, {"$", ""}}) {
            const std::string list = before + std::string(name) + after;
            std::string_view rest = value;
            if (value.starts_with(list)) {
                rest.remove_prefix(list.size());
            } else if (value.ends_with(list)) {
                rest.remove_suffix(list.size());
            }
            const bool parted = rest.size() != value.size() && !rest.empty() &&
                                (kSeparators.find(rest.front()) != std::string_view::npos ||
                                 kSeparators.find(rest.back()) != std::string_view::npos);
            if (parted && rest.find_first_of("$`{}()%") == std::string_view::npos) {
                rest.remove_prefix(std::min(rest.find_first_not_of(kSeparators), rest.size()));
                rest = rest.substr(0, rest.find_last_not_of(kSeparators) + 1);
                return rest.empty() ? std::string() : "+" + std::string(rest);
            }
        }
    }
    return {};
}

}  // namespace wheelarch
