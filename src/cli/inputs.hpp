// Inputs: the files that a command line names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "report/format.hpp"

namespace wheelarch {

enum class InputKind { wheels, any };

// Folders are searched for wheels, or for all that can hold device code. In them links to wheels are followed unless
// their wheel is there itself, and links to folders are not. Other paths are taken as they are, in order; a
// file that is named twice is taken once.
// Throws an Error (exit 3) if a folder holds nothing to inspect.
std::vector<std::filesystem::path> expand_inputs(const std::vector<std::string>& paths, InputKind kind);

// Throws an Error (exit 2) if `output`, which `option` names, is one of the inputs or the ledger entry of one.
void refuse_overwriting(const std::vector<std::filesystem::path>& inputs, const std::string& option,
                        const std::string& output);

// The same for every file that a result goes to.
void refuse_overwriting(const std::vector<std::filesystem::path>& inputs, const Outputs& outputs);

// The ledger entry that belongs to a wheel: `WHEEL.ledger.json` beside it.
std::string entry_path(const std::filesystem::path& wheel);

// The content of a small file that the command line names, `-` for standard input. Throws an Error: exit 2 if it has
// more than `most` bytes, exit 3 if it cannot be read.
std::string read_text(const std::string& path, std::uint64_t most);
// How messages name it.
std::string input_name(const std::string& path);

// Throws an Error (exit 2) if two of the options, each with its path, name standard input.
void refuse_two_readers(const std::vector<std::pair<std::string, std::string>>& options);

}  // namespace wheelarch
