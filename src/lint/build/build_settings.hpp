// What build files say of archs: who sets the arch list, and who names targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "lint/source_file.hpp"

namespace wheelarch {

struct BuildSetting {
    enum class Kind : std::uint8_t {
        overrides,  // sets the arch list, whatever it was
        targets,    // names targets, so that the list does not choose them
        number,     // makes a number of an item of the list
    };

    Kind kind = Kind::overrides;
    unsigned line = 0;
    unsigned column = 0;
    // Arch list in any notation (policy/arch_list.hpp) that the build then has; empty if it is not written out. With a
    // `+` before it: what it has besides the list; with a `-`: what it has not, though the list does.
    std::string list;
    std::string what;                     // as in LintHit
    Severity severity = Severity::error;  // as far as the file's kind tells
};

// Everything in a file of any language; in order of place.
std::vector<BuildSetting> build_settings(const SourceFile& file);
// Those of a kind.
std::vector<BuildSetting> of_kind(const std::vector<BuildSetting>& all, BuildSetting::Kind kind);

// The same for each language. `text` is all of the file.
std::vector<BuildSetting> python_settings(std::string_view path, std::string_view text);
std::vector<BuildSetting> cmake_settings(std::string_view text);
std::vector<BuildSetting> shell_settings(std::string_view text);
std::vector<BuildSetting> makefile_settings(std::string_view text);
std::vector<BuildSetting> dockerfile_settings(std::string_view text);
std::vector<BuildSetting> toml_settings(std::string_view text);
std::vector<BuildSetting> yaml_settings(std::string_view text);

// The lines of a file as LintHit::what has them.
class LineTexts {
public:
    explicit LineTexts(std::string_view text);
    // `line` counts from 1.
    std::string at(unsigned line) const;

private:
    std::string_view text_;
    std::vector<std::size_t> starts_;
};

// The variables by which builds are given their list.
bool is_list_variable(std::string_view name);
// Does one of them stand anywhere in the text?
bool names_list_variable(std::string_view text);
// The next three: the list as in BuildSetting; empty if the text sets none, or one that is not written out.
// `-DCMAKE_CUDA_ARCHITECTURES=80;90`.
std::string list_in_define(std::string_view word);
// The same, and `TORCH_CUDA_ARCH_LIST=8.0`, as shells and environments have it.
std::string assigned_list(std::string_view word);
// Of the first such word of a shell's command line that does not only say it.
std::string list_in_command(std::string_view command_line);
// `${CMAKE_CUDA_ARCHITECTURES};90a`: `+90a`; empty if it is not the list and something that is written out.
std::string added_to_list(std::string_view value);

}  // namespace wheelarch
