// CMake scripts as commands with their arguments (cmake-language(7)). Comments are left out. Any bytes give commands;
// what fits no command is passed over.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

struct CMakeArgument {
    std::string_view text;  // without its quotes or brackets; escapes and ${references} as they are written
    bool quoted = false;    // in quotes or brackets: a `;` in it does not separate
    unsigned line = 0;      // from 1, as is the column, which counts bytes
    unsigned column = 0;
};

struct CMakeCommand {
    std::string name;  // in lower case
    unsigned line = 0;
    unsigned column = 0;
    std::vector<CMakeArgument> arguments;  // parentheses between them are arguments too
};

// `text` must outlive the commands.
std::vector<CMakeCommand> lex_cmake(std::string_view text);

}  // namespace wheelarch
