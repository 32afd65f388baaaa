// ActionLine: the command line that the action's inputs make. A command asks it for the inputs that it takes; those
// that nobody asked for are not taken.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/scratch.hpp"
#include "cli/action_inputs.hpp"

namespace wheelarch {

// A new file in the runner's folder for temporary ones: `stem`.json for the first step of a job, `stem`-2.json for the
// next. Steps run one after the other, and the runner empties the folder between jobs.
std::string temporary_path(const std::string& stem);

class ActionLine {
public:
    // Throws an Error (exit 2) if the input `matrix` is no row.
    ActionLine(Inputs inputs, std::vector<std::string> command);

    // `--name=value`, if the input is not empty.
    void option(const std::string& input) { option(input, input); }
    void option(const std::string& input, std::string_view name);
    // The matrix row, by a file: it may be longer than an argument.
    void row();
    // The same; throws an Error (exit 2) if there is none.
    void required_row();
    // `--sources`; what is not there is fetched.
    void sources();
    // The input `lint`: `--lint` and the sources.
    void lint();
    // `--output`, in the runner's folder for temporary files.
    void matrix_output();
    // Paths of the input `wheels`, at the end of the line.
    void wheels();
    // The same, or without any what the farm's releases have.
    void wheels_or_releases();

    // The whole line, with the options that all commands have. Throws an Error: exit 2 for an input that the command
    // cannot have, exit 3 if a pattern of `wheels` matches nothing.
    std::vector<std::string> finish(const std::string& report);

    // The inputs that were asked for.
    const std::set<std::string>& taken() const noexcept { return taken_; }

private:
    const std::string& take(const std::string& input);
    bool is_taken(const std::string& input) const { return taken_.contains(input); }
    void add(std::string_view name, const std::string& value);
    void check_not_taken();

    Inputs inputs_;
    std::vector<std::string> arguments_;
    std::set<std::string> taken_;
    std::optional<ScratchFile> row_;
    bool paths_ = false;
};

}  // namespace wheelarch
