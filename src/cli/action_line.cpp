#include "cli/action_line.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "ledger/build_facts.hpp"
#include "wheel/role.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

// The folders of a pattern before its first part with a `*` or `?`, where the search begins.
fs::path fixed_part(const std::string& pattern) {
    const std::size_t wild = pattern.find_first_of("*?");
    const std::size_t slash = pattern.rfind('/', wild);
    return slash == std::string::npos ? fs::path(".") : fs::path(pattern.substr(0, slash + 1));
}

// Files and folders that match, relative to the working folder; a pattern without `*` and `?` is a path.
std::vector<std::string> expand(const std::string& given) {
    const std::string pattern = fs::path(given).generic_string();  // Windows has two kinds of slashes
    if (pattern.find_first_of("*?") == std::string::npos) {
        return {given};
    }
    const bool here = pattern.find('/') == std::string::npos;
    std::vector<std::string> found;
    std::error_code failure;
    for (fs::recursive_directory_iterator entry(fixed_part(pattern), failure), end; entry != end;
         entry.increment(failure)) {
        const std::string path = entry->path().lexically_normal().generic_string();
        if (entry->is_regular_file(failure) && matches(here ? "./" + pattern : pattern, here ? "./" + path : path)) {
            found.push_back(path);
        }
    }
    if (failure && !found.empty()) {
        throw unchecked(fmt::format("cannot read all folders of '{}': {}", printable(pattern), failure.message()));
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::string> find_paths(const std::string& patterns) {
    std::vector<std::string> wheels;
    for (const std::string& pattern : lines_of(patterns)) {
        const std::vector<std::string> found = expand(pattern);
        if (found.empty()) {
            throw unchecked(
                fmt::format("no file matches '{}' of the input 'wheels'", printable(pattern)),
                "check the pattern, and that an earlier step has built the wheel; in a container job give it "
                "relative to the workspace");
        }
        wheels.insert(wheels.end(), found.begin(), found.end());
    }
    if (wheels.empty()) {
        throw bad_usage("the input 'wheels' is empty", "give paths or patterns, one a line, for example dist/*.whl");
    }
    return wheels;
}

// Outside of a matrix its context is `null`.
bool has_row(const std::string& matrix) {
    return !matrix.empty() && matrix != "null";
}

}  // namespace

std::string temporary_path(const std::string& stem) {
    const std::string given = environment("RUNNER_TEMP");
    const fs::path folder = given.empty() ? "." : given;
    fs::path file = folder / (stem + ".json");
    std::error_code ignored;
    for (int number = 2; !given.empty() && fs::exists(file, ignored); ++number) {
        file = folder / fmt::format("{}-{}.json", stem, number);
    }
    return file.string();
}

ActionLine::ActionLine(Inputs inputs, std::vector<std::string> command)
    : inputs_(std::move(inputs)), arguments_(std::move(command)) {
    const std::string& matrix = inputs_["matrix"];
    if (has_row(matrix)) {
        inside("the input 'matrix'", [&] { parse_matrix_row(matrix); });
        row_.emplace(environment("RUNNER_TEMP"));
        row_->append(ByteView(matrix));
    }
}

const std::string& ActionLine::take(const std::string& input) {
    taken_.insert(input);
    return inputs_[input];
}

// In `--name=value` form, so that no value can pass for an option.
void ActionLine::add(std::string_view name, const std::string& value) {
    if (!value.empty()) {
        arguments_.push_back(fmt::format("--{}={}", name, value));
    }
}

void ActionLine::option(const std::string& input, std::string_view name) {
    add(name, take(input));
}

void ActionLine::row() {
    take("matrix");
    add("cell", row_ ? row_->path().string() : "");
}

void ActionLine::required_row() {
    take("matrix");
    if (!row_) {
        throw bad_usage("the input 'matrix' is empty", "give the row that is asked about, as toJSON(matrix) prints it");
    }
    row();
}

void ActionLine::sources() {
    option("sources");
    if (inputs_["sources"].empty()) {
        arguments_.emplace_back("--fetch");
    }
}

void ActionLine::lint() {
    if (take("lint") == "true") {
        arguments_.emplace_back("--lint");
        sources();
    }
}

void ActionLine::matrix_output() {
    add("output", temporary_path("wheelarch-matrix"));
}

void ActionLine::wheels() {
    take("wheels");
    paths_ = true;
}

void ActionLine::wheels_or_releases() {
    paths_ = !lines_of(take("wheels")).empty();
    if (!paths_) {
        arguments_.emplace_back("--gh");
    }
}

// `true` and `false` are how YAML writes them, too.
void ActionLine::check_not_taken() {
    const std::string& command = inputs_["command"];
    if (!is_taken("shard") && !inputs_["shard"].empty()) {
        throw bad_usage(fmt::format("the input 'shard' has no meaning for the command '{}'", printable(command)),
                        "it is for audit and backfill: leave it out");
    }
    const std::string& lint = inputs_["lint"];
    if (!lint.empty() && lint != "true" && lint != "false") {
        throw bad_usage(fmt::format("the input 'lint' is '{}', true or false is expected", printable(lint)));
    }
    if (!is_taken("lint") && lint == "true") {
        throw bad_usage(fmt::format("the input 'lint' is for `command: matrix`, and this is {}", command),
                        "to lint alone, give `command: lint`");
    }
}

std::vector<std::string> ActionLine::finish(const std::string& report) {
    check_not_taken();
    add("farm", inputs_["farm"]);
    add("json", report);
    const std::vector<std::string> extra = extra_arguments(inputs_["extra-args"]);
    arguments_.insert(arguments_.end(), extra.begin(), extra.end());
    if (paths_) {
        arguments_.emplace_back("--");
        const std::vector<std::string> paths = find_paths(inputs_["wheels"]);
        arguments_.insert(arguments_.end(), paths.begin(), paths.end());
    }
    return arguments_;
}

}  // namespace wheelarch
