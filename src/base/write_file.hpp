// Writing files so that a reader sees the old content or the new, never a part.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string_view>

namespace wheelarch {

// Writes a temporary file beside `path` and renames it. Throws an Error (exit 3) and leaves `path` as it was.
void write_file(const std::filesystem::path& path, std::string_view content);

// The same of what `produce` writes, which need not be in memory at once.
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& produce);

// Appends in one write; for the files by which a GitHub runner takes outputs and summaries.
void append_file(const std::filesystem::path& path, std::string_view content);

}  // namespace wheelarch
