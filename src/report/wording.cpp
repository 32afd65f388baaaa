#include "report/wording.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace wheelarch {
namespace {

bool in_action = false;

// Options, and the inputs that stand for them.
constexpr std::pair<std::string_view, std::string_view> kInputs[] = {
    {"arch-list", "arch-list"}, {"branch", "ledger-branch"},
    {"cell", "matrix"},         {"cuobjdump", "cuobjdump"},
    {"existing", "existing"},   {"farm", "farm"},
    {"json", "report"},         {"page", "page"},
    {"shard", "shard"},         {"sources", "sources"},
    {"witness", "witness"}};

// Words behind an option that are its value; other text goes on with the sentence.
constexpr std::string_view kValues[] = {"none", "native", "both", "auto", "cuobjdump", "fail"};

bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || c == '-';
}

bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

// Takes the value of an option off `rest`, with the blank or `=` before it; empty if there is none.
std::string_view take_value(std::string_view& rest) {
    if (rest.size() < 2 || (rest.front() != ' ' && rest.front() != '=')) {
        return {};
    }
    const std::string_view value = rest.substr(1);
    std::size_t end = 0;
    if (value.front() == '"' || value.front() == '\'') {
        end = value.find(value.front(), 1);
        end = end == std::string_view::npos ? 0 : end + 1;
    } else {
        end = std::min(value.find_first_of(" ,;:`)"), value.size());
        const std::string_view word = value.substr(0, end);
        const bool is_value = rest.front() == '=' || (word.size() > 1 && is_upper(word[0]) && is_upper(word[1])) ||
                              word.find('=') != std::string_view::npos || word.starts_with('/') ||
                              std::find(std::begin(kValues), std::end(kValues), word) != std::end(kValues);
        end = is_value ? end : 0;
    }
    if (end != 0) {
        rest.remove_prefix(1 + end);
    }
    return value.substr(0, end);
}

// The option at the front of `rest`, which begins with `--`, is taken off.
std::string take_option(std::string_view& rest, bool quoted) {
    const auto end = std::find_if_not(rest.begin() + 2, rest.end(), is_name);
    const std::string_view option = rest.substr(2, static_cast<std::size_t>(end - rest.begin()) - 2);
    rest.remove_prefix(2 + option.size());
    const auto* input =
        std::find_if(std::begin(kInputs), std::end(kInputs), [&](const auto& known) { return known.first == option; });
    const std::string_view value = take_value(rest);
    const char* quote = quoted ? "" : "`";
    if (option == "lint") {
        return fmt::format("{0}lint: true{0}", quote);
    }
    if (input == std::end(kInputs)) {
        return fmt::format("{0}extra-args: --{1}{2}{3}{0}", quote, option, value.empty() ? "" : "=", value);
    }
    // A file of ours says nothing to the reader.
    return value.empty() || value.starts_with('/') ? fmt::format("the input {0}{1}{0}", quote, input->second)
                                                   : fmt::format("{0}{1}: {2}{0}", quote, input->second, value);
}

}  // namespace

void speak_of_inputs() {
    in_action = true;
}

std::string for_reader(std::string_view text) {
    return in_action ? as_inputs(text) : std::string(text);
}

std::string as_inputs(std::string_view text) {
    constexpr std::string_view kCommand = "`wheelarch ";
    std::string result;
    bool quoted = false;
    while (!text.empty()) {
        const bool at_word = result.empty() || result.back() == ' ' || result.back() == '`' || result.back() == '(';
        // What is quoted is somebody's own words; an apostrophe within a word quotes nothing.
        if (text.starts_with(kCommand) || (at_word && text.front() == '\'')) {
            const std::size_t end = std::min(text.find(text.front(), 1), text.size() - 1) + 1;
            result += text.substr(0, end);
            text.remove_prefix(end);
        } else if (at_word && text.size() > 2 && text.starts_with("--") && is_name(text[2]) && text[2] != '-') {
            result += take_option(text, quoted);
        } else {
            quoted = quoted != (text.front() == '`');
            result += text.front();
            text.remove_prefix(1);
        }
    }
    return result;
}

}  // namespace wheelarch
