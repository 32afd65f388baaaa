// Shell scripts as commands with their words: POSIX sh and what bash adds to it, as far as words go. Comments and
// here-documents are left out. Any bytes give commands; nothing is expanded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wheelarch {

struct ShellWord {
    std::string text;   // without quotes and backslashes; expansions as they are written
    unsigned line = 0;  // from 1, as is the column, which counts bytes
    unsigned column = 0;
};

struct ShellCommand {
    enum class Joined : std::uint8_t { plain, by_and, by_or };

    Joined joined = Joined::plain;  // to the one before it: `&&`, `||`, or none of them
    std::vector<ShellWord> words;  // at least one; keywords such as `if` and `then` are words of a command of their own
};

std::vector<ShellCommand> lex_shell(std::string_view text);

// `echo`, `printf` and their like: it sets nothing, whatever its words are.
bool only_says(const ShellCommand& command);

}  // namespace wheelarch
