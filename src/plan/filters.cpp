#include "plan/filters.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string without_prefix(const std::string& text, std::string_view prefix) {
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

// `128` as 12.8, `312` as 3.12, `28` as 2.8; text with a dot stays as it is.
std::string dotted(std::string text, std::size_t major_digits) {
    return is_number(text) && text.size() > major_digits ? text.insert(major_digits, 1, '.') : text;
}

std::string package_form(const std::string& text) {
    return normal_name(text);
}
std::string platform_form(const std::string& text) {
    const std::map<std::string, std::string> aliases = {
        {"win", "windows"},           {"windows_x64", "windows"}, {"win_amd64", "windows"},
        {"aarch64", "linux_aarch64"}, {"arm64", "linux_aarch64"}, {"linux_arm64", "linux_aarch64"},
        {"linux_x64", "linux"},       {"linux_x86_64", "linux"},  {"x86_64", "linux"}};
    std::string form = text;
    std::replace(form.begin(), form.end(), '-', '_');
    const auto alias = aliases.find(form);
    return alias == aliases.end() ? form : alias->second;
}
std::string cuda_form(const std::string& text) {
    return cuda_line(text);
}
// A release is asked for as it is, 2.8.1; a line, 2.8, stands for all of its releases (see `takes`).
std::string pytorch_form(const std::string& text) {
    return dotted(without_prefix(text, "torch"), 1);
}
std::string python_form(const std::string& text) {
    std::string form = without_prefix(without_prefix(text, "cp"), "py");
    const bool free_threaded = form.ends_with('t');
    form.resize(form.size() - (free_threaded ? 1 : 0));
    return dotted(form, 1) + (free_threaded ? "t" : "");
}

struct Field {
    std::string_view option;
    std::string Cell::* value;
    std::vector<std::string> FilterWords::* words;
    std::string (*form)(const std::string&);
};

constexpr std::array<Field, 5> kFields = {{{"--package", &Cell::package, &FilterWords::packages, package_form},
                                           {"--platform", &Cell::platform, &FilterWords::platforms, platform_form},
                                           {"--cuda", &Cell::cuda, &FilterWords::cudas, cuda_form},
                                           {"--pytorch", &Cell::pytorch, &FilterWords::pytorches, pytorch_form},
                                           {"--python", &Cell::python, &FilterWords::pythons, python_form}}};

std::vector<std::string> split(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (std::string_view rest : words) {
        while (!rest.empty()) {
            const std::string_view word = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(word.size() + 1, rest.size()));
            const std::size_t start = std::min(word.find_first_not_of(' '), word.size());
            const std::size_t end = word.find_last_not_of(' ') + 1;
            if (start < end) {
                all.emplace_back(word.substr(start, end - start));
            }
        }
    }
    return all;
}

// What a cell is also called by: the line of its torch release.
std::string line_of(const Field& field, const Cell& cell) {
    const std::string form = field.form(cell.*field.value);
    return field.value == &Cell::pytorch ? major_minor(form) : form;
}

// The form of each value that is asked for, which at least one cell has.
std::set<std::string> wanted(const Field& field, const std::vector<std::string>& words,
                             const std::vector<Cell>& cells) {
    std::map<std::string, std::string> known;  // form to how it is written
    for (const Cell& cell : cells) {
        known.try_emplace(field.form(cell.*field.value), cell.*field.value);
        known.try_emplace(line_of(field, cell), cell.*field.value);
    }
    std::set<std::string> forms;
    const std::vector<std::string> all = split(words);
    for (const std::string& word : all) {
        const std::string form = field.form(word);
        if (!known.contains(form) && lower_case(word) == "all") {
            return {};  // what a dispatch form sends, as it sends nothing at all
        }
        if (!known.contains(form)) {
            std::vector<std::string> written;
            for (const auto& [_, text] : known) {
                written.push_back(text);
            }
            written.erase(std::unique(written.begin(), written.end()), written.end());
            const std::string nearest = nearest_name(word, written);
            throw bad_usage(fmt::format("{} '{}': no cell has it", field.option, printable(word)),
                            fmt::format("{}there are {}", nearest.empty() ? "" : "did you mean " + nearest + "? ",
                                        printable(enumerate(written, 60))));
        }
        forms.insert(form);
    }
    return forms;
}

}  // namespace

CellFilter::CellFilter(const FilterWords& words, const std::vector<Cell>& cells) {
    if (cells.empty()) {
        return;
    }
    for (const Field& field : kFields) {
        wanted_.push_back(wanted(field, words.*field.words, cells));
    }
    if (std::none_of(cells.begin(), cells.end(), [this](const Cell& cell) { return takes(cell); })) {
        throw bad_usage("no cell has all that is asked for",
                        "each value is there, but not in one cell: widen one of the filters");
    }
}

bool CellFilter::takes_all() const {
    return std::all_of(wanted_.begin(), wanted_.end(), [](const auto& words) { return words.empty(); });
}

bool CellFilter::takes(const Cell& cell) const {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
        const std::set<std::string>& wanted = wanted_[i];
        if (!wanted.empty() && !wanted.contains(kFields[i].form(cell.*kFields[i].value)) &&
            !wanted.contains(line_of(kFields[i], cell))) {
            return false;
        }
    }
    return true;
}

}  // namespace wheelarch
