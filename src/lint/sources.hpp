// PackageSources: the files of one package's source tree that rules look at, in memory.
//
// Links are not followed, and what is no regular file is not opened. Trees that are others' work, or no part of the
// wheel (kVendored in sources.cpp: third_party, tests, docs, …), are left out and named; but of them, too, what the
// build names is read: the folder that is built, and sources that a build file gives to a library (named_sources.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mapped_file.hpp"
#include "lint/source_file.hpp"

namespace wheelarch {

struct SkippedPath {
    std::string path;    // as in SourceFile; a folder ends in `/`
    std::string reason;  // `vendored or no part of the wheel`
};

class PackageSources {
public:
    // `everything`: vendored trees too. `build_folder` is where the build runs, relative to `root` and with a `/` at
    // its end; empty for `root` itself. Throws an Error (exit 3) if `root` is no folder, something in it cannot be
    // read, or there is too much.
    PackageSources(const std::filesystem::path& root, bool everything, std::string build_folder = {});

    // In order of path.
    const std::vector<SourceFile>& files() const noexcept { return files_; }
    // Null if there is none.
    const SourceFile* find(const std::string& path) const;
    const std::vector<SkippedPath>& skipped() const noexcept { return skipped_; }
    std::uint64_t bytes() const noexcept { return bytes_; }

private:
    using Entries = std::vector<std::pair<std::string, std::filesystem::directory_entry>>;

    Entries list(const std::filesystem::path& folder, const std::string& prefix);
    void walk(const std::filesystem::path& folder, const std::string& prefix, std::size_t depth);
    void walk_to_build(const std::filesystem::path& folder, const std::string& prefix, std::size_t depth);
    void consider(const std::filesystem::directory_entry& entry, const std::string& name, const std::string& path);
    void take(const std::filesystem::path& file, const std::string& path, SourceFile::Language language);
    void take_named(const std::filesystem::path& root);

    bool everything_;
    std::string build_folder_;
    std::vector<SourceFile> files_;
    std::vector<MappedFile> texts_;
    std::unordered_map<std::string_view, std::size_t> by_path_;  // the keys are in files_
    std::vector<SkippedPath> skipped_;
    std::uint64_t bytes_ = 0;
    std::size_t seen_ = 0;
};

// By the file's name; `other` for one that no rule reads. Scripts without an ending are told by their first line, and
// not here.
SourceFile::Language language_of(std::string_view path);

}  // namespace wheelarch
