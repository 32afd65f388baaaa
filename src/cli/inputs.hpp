// Inputs: the files that a command line names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wheelarch {

enum class InputKind { wheels, any };

// Folders are searched for wheels, or for all that can hold device code; other paths are taken as they are, in order.
// Throws an Error (exit 3) if a folder holds nothing to inspect.
std::vector<std::filesystem::path> expand_inputs(const std::vector<std::string>& paths, InputKind kind);

}  // namespace wheelarch
