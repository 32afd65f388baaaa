// Files of a farm: reading them without leaving it. A farm may be a checkout of a pull request, so a symbolic link in
// it can point anywhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/sha256.hpp"

namespace wheelarch {

struct FarmFile {
    std::string path;                         // in the farm: `packages/x.yml`
    std::shared_ptr<const std::string> name;  // for messages: with the farm's own path, safe to show
    std::string bytes;                        // with LF at the ends of lines
};

class FarmFolder {
public:
    // Throws an Error (exit 2) if `root` is no folder.
    explicit FarmFolder(const std::filesystem::path& root);

    const std::filesystem::path& root() const noexcept { return root_; }
    bool has(const std::string& path) const;
    bool is_folder(const std::string& path) const;
    // Throws an Error: exit 2 if a link leads out of the farm or what was read so far is too much, exit 3 if the file
    // cannot be read.
    FarmFile read(const std::string& path);
    // None if there is no such file.
    std::optional<FarmFile> read_if_there(const std::string& path);
    // The names in a folder, sorted. Throws an Error (exit 2) if there are too many.
    std::vector<std::string> names_in(const std::string& path) const;
    // `path` for messages.
    std::string shown(const std::string& path) const;
    // SHA-256 in hex of all that was read so far, paths and contents.
    std::string take_sha256() { return to_hex(hash_.finish()); }

private:
    std::filesystem::path root_;
    std::filesystem::path real_root_;  // without links
    std::uint64_t read_ = 0;           // bytes, so far
    Sha256 hash_;
};

}  // namespace wheelarch
