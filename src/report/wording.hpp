// Wording: messages are written for the command line, and name its options. In a step of the action, a reader has
// inputs.
#pragma once

#include <string>
#include <string_view>

namespace wheelarch {

// From now on for_reader() names inputs. Called before anything is printed.
void speak_of_inputs();

// The text as its reader can follow it: as it is; or with `arch-list` for --arch-list, `matrix` for --cell and so on,
// and `extra-args: --per-member` for an option that no input stands for. Whole commands in backticks stay as they are.
std::string for_reader(std::string_view text);

// What for_reader() does once the action speaks.
std::string as_inputs(std::string_view text);

}  // namespace wheelarch
