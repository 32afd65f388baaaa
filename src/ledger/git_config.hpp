// Git's configuration files, read as git reads them, and nothing besides: no file that they include.
//
// libgit2 has a reader of its own, which differs from git's in corners (continued lines, old section names). Here a
// setting that git sees and we do not would be a way around git_trust.hpp, so this follows git's character by character
// (git's config.c at v2.55); tests/cli/git_config_read.sh compares the two on made files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

struct GitSetting {
    std::string key;                        // `remote.Origin.url`: the first part and the last in lower case
    std::string written;                    // as it stands in the file
    std::optional<std::string> value = {};  // none: the name alone, which is `true`
    std::size_t line = 0;                   // of the name, from 1

    // Between the first dot and the last; empty if there is nothing.
    std::string_view subsection() const;
    std::string text() const { return value.value_or("true"); }
};

// An Error (exit 3) at what git cannot read, or at a byte 0.
std::vector<GitSetting> parse_git_config(std::string_view text);

// An Error (exit 3) inside `file` if it is no plain file, cannot be read, or is larger than 1 MiB. None if nothing is
// there.
std::vector<GitSetting> read_git_config(const std::filesystem::path& file);

}  // namespace wheelarch
