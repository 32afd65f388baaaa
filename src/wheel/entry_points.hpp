// `entry_points.txt`, as "Entry points specification" on packaging.python.org has it. Installers write a script for
// each entry of console_scripts and gui_scripts.
#pragma once

#include <string>
#include <string_view>

namespace wheelarch {

// Why pip or uv refuse it, with its line; empty if they do not.
std::string entry_points_problem(std::string_view text);

}  // namespace wheelarch
