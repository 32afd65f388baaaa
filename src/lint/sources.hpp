// PackageSources: the files of one package's source tree that rules look at, in memory.
//
// Links are not followed, and what is no regular file is not opened. Trees that are others' work, or no part of the
// wheel (kVendored in sources.cpp: third_party, cutlass, tests, docs, …), are left out and named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mapped_file.hpp"
#include "lint/rule.hpp"

namespace wheelarch {

struct SkippedPath {
    std::string path;    // as in SourceFile; a folder ends in `/`
    std::string reason;  // `vendored or no part of the wheel`
};

class PackageSources {
public:
    // `everything`: vendored trees too. Throws an Error (exit 3) if `root` is no folder, something in it cannot be
    // read, or there is too much.
    PackageSources(const std::filesystem::path& root, bool everything);

    // In order of path.
    const std::vector<SourceFile>& files() const noexcept { return files_; }
    // Null if there is none.
    const SourceFile* find(const std::string& path) const;
    const std::vector<SkippedPath>& skipped() const noexcept { return skipped_; }
    std::uint64_t bytes() const noexcept { return bytes_; }

private:
    void walk(const std::filesystem::path& folder, const std::string& prefix, std::size_t depth);
    void take(const std::filesystem::path& file, const std::string& path, SourceFile::Language language);

    bool everything_;
    std::vector<SourceFile> files_;
    std::vector<MappedFile> texts_;
    std::unordered_map<std::string_view, std::size_t> by_path_;  // the keys are in files_
    std::vector<SkippedPath> skipped_;
    std::uint64_t bytes_ = 0;
    std::size_t seen_ = 0;
};

// By the file's name; `other` for one that no rule reads.
SourceFile::Language language_of(std::string_view path);

}  // namespace wheelarch
