// SHA-256, as it stands in JSON reports and in RECORD.
#pragma once

#include <filesystem>
#include <string>

namespace wheelarch {

// Of a file's content, in lowercase hex. Memory does not grow with the file.
std::string sha256_hex(const std::filesystem::path& path);

}  // namespace wheelarch
