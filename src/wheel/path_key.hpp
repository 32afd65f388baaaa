// Names that some file system takes for one.
#pragma once

#include <string>
#include <string_view>

namespace wheelarch {

// Equal for paths that are one file on Windows, and on macOS but for trailing dots: without regard to case (of Latin,
// Greek and Cyrillic letters), without the dots and blanks at the end of each part, and without `:stream`. `path` is
// UTF-8 with slashes.
std::string windows_key(std::string_view path);

// Why Windows does not write a file of this very path, in words that follow "on Windows,"; empty if it does. Device
// names and forbidden characters are those of "Naming Files, Paths, and Namespaces" on learn.microsoft.com.
std::string windows_problem(std::string_view path);

// Does uv refuse it as an unacceptable name: control characters, and marks that hide or turn text?
bool has_hidden_characters(std::string_view path);

}  // namespace wheelarch
