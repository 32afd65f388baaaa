#include "lint/sources.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "lint/build/named_sources.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;
using Language = SourceFile::Language;

// Folders of others' work, and of what is not built into the wheel.
constexpr std::string_view kVendored[] = {
    // others' work
    "3rdparty", "3rd_party", "cccl", "composable_kernel", "dependencies", "deps", "eigen", "extern", "external",
    "externals", "glm", "googletest", "libcudacxx", "node_modules", "pybind11", "site-packages", "submodules",
    "third-party", "third_party", "thirdparty", "vendor", "vendored", "venv",
    // no part of the wheel
    "skbuild", "bench", "benchmark", "benchmarks", "build", "dist", "doc", "docker", "docs", "example", "examples",
    "sample", "samples", "test", "testing", "tests", "tutorial", "tutorials", "unittest", "unittests"};
// Packages call folders of their own kernels so, too. What is the library itself has one of these in it.
struct Library {
    std::string_view name;
    std::string_view marks[2];  // of a checkout, of its headers alone
};
constexpr Library kLibraries[] = {{"cutlass", {"include/cutlass", "cutlass.h"}},
                                  {"cub", {"cub/cub.cuh", "cub.cuh"}},
                                  {"thrust", {"thrust/version.h", "version.h"}}};
constexpr std::string_view kVendoredReason = "vendored, or no part of the wheel";

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kMostFiles = 500'000;                       // of any kind
constexpr std::uint64_t kLargest = std::uint64_t{256} << 20;      // bytes of a file
constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;      // of all
constexpr std::uint64_t kLargestScript = std::uint64_t{4} << 20;  // of a build file: those are written by hand
constexpr std::size_t kMostNamed = 10'000;                        // sources that build files name
constexpr std::uint64_t kMapped = std::uint64_t{16} << 10;        // from here on a file is mapped, and not copied,
constexpr std::size_t kMostMapped = 20'000;                       // as a system has a limit of maps

bool ends_in(std::string_view name, std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_vendored(const std::string& name, const fs::path& folder) {
    // `_cccl` is others' work as `cccl` is.
    const std::string plain = lower_case(name.substr(std::min(name.find_first_not_of('_'), name.size())));
    const auto* const library = std::find_if(std::begin(kLibraries), std::end(kLibraries),
                                             [&](const Library& one) { return one.name == plain; });
    if (library != std::end(kLibraries)) {
        std::error_code failed;
        return fs::exists(folder / library->marks[0], failed) || fs::exists(folder / library->marks[1], failed);
    }
    return name.starts_with('.') ||
           std::find(std::begin(kVendored), std::end(kVendored), plain) != std::end(kVendored) ||
           ends_in(name, {".egg-info", ".dist-info"});
}

bool is_test(std::string_view name) {
    const std::string_view stem = name.substr(0, name.find('.'));
    return stem.starts_with("test_") || stem.ends_with("_test") || stem.ends_with("_tests") || name == "conftest.py";
}

bool is_device_or_host_code(Language language) {
    return language == Language::cuda || language == Language::cpp;
}

// `#!/bin/sh -e`, `#!/usr/bin/env bash`, of a file whose name has no ending.
Language language_of_script(const fs::path& file, const std::string& name) {
    if (name.find('.') != std::string::npos) {
        return Language::other;
    }
    std::string line(128, '\0');
    std::ifstream(file, std::ios::binary).read(line.data(), static_cast<std::streamsize>(line.size()));
    line = line.substr(0, line.find_first_of("\r\n"));
    line = line.substr(0, line.find(" -"));
    if (!line.starts_with("#!")) {
        return Language::other;
    }
    const std::string_view program = std::string_view(line).substr(line.find_last_of(" /") + 1);
    return program.ends_with("sh")         ? Language::shell
           : program.starts_with("python") ? Language::python
                                           : Language::other;
}

}  // namespace

Language language_of(std::string_view path) {
    const std::string_view written = path.substr(path.rfind('/') + 1);
    const std::string lower = lower_case(written);
    std::string_view name = lower;
    for (const std::string_view ending : {".in", ".jinja", ".jinja2", ".j2"}) {  // templates
        name.remove_suffix(name.ends_with(ending) ? ending.size() : 0);
    }
    if (ends_in(name, {".cu", ".cuh", ".cui", ".cuinc", ".ptx"})) {
        return Language::cuda;
    }
    if (ends_in(name, {".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tpp", ".txx", ".tcc",
                       ".inc", ".impl"})) {
        return Language::cpp;
    }
    if (ends_in(name, {"makefile", ".mk"})) {
        return Language::makefile;
    }
    if (name.starts_with("dockerfile") || name.ends_with(".dockerfile")) {
        return Language::dockerfile;
    }
    if (written == "CMakePresets.json" || written == "CMakeUserPresets.json") {
        return Language::yaml;  // JSON is YAML
    }
    if (name == "cmakelists.txt" || name.ends_with(".cmake")) {
        return Language::cmake;
    }
    if (name.ends_with(".py")) {
        return Language::python;
    }
    if (ends_in(name, {".sh", ".bash"})) {
        return Language::shell;
    }
    return name.ends_with(".toml")            ? Language::toml
           : ends_in(name, {".yml", ".yaml"}) ? Language::yaml
                                              : Language::other;
}

PackageSources::PackageSources(const fs::path& root, bool everything, std::string build_folder)
    : everything_(everything), build_folder_(std::move(build_folder)) {
    std::error_code failed;
    const fs::path real = fs::canonical(root, failed);
    if (failed || !fs::is_directory(real, failed)) {
        throw unchecked(fmt::format("the sources {} are no folder", printable(root.string())),
                        "give a folder with one folder of sources for each package");
    }
    walk(real, "", 0);
    take_named(real);
    for (std::size_t i = 0; i < files_.size(); ++i) {
        by_path_.emplace(files_[i].path, i);
    }
}

const SourceFile* PackageSources::find(const std::string& path) const {
    const auto found = by_path_.find(path);
    return found == by_path_.end() ? nullptr : &files_[found->second];
}

PackageSources::Entries PackageSources::list(const fs::path& folder, const std::string& prefix) {
    // Each with the type that the listing told, so that nothing is asked about most files before they are opened.
    Entries entries;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
        entries.emplace_back(at->path().filename().string(), *at);
        if (++seen_ > kMostFiles) {
            throw unchecked(fmt::format("there are more than {} files", kMostFiles), "check that it is a source tree");
        }
    }
    if (failed) {
        throw unchecked(
            fmt::format("cannot list {}: {}", prefix.empty() ? "the folder" : printable(prefix), failed.message()),
            "check its permissions");
    }
    std::sort(entries.begin(), entries.end(),
              [](const auto& left, const auto& right) { return left.first < right.first; });
    return entries;
}

void PackageSources::walk(const fs::path& folder, const std::string& prefix, std::size_t depth) {
    if (depth > kDeepest) {
        skipped_.push_back({prefix, fmt::format("more than {} folders deep", kDeepest)});
        return;
    }
    std::error_code failed;
    for (const auto& [name, entry] : list(folder, prefix)) {
        const std::string path = prefix + name;
        if (entry.is_symlink(failed)) {
            if (language_of(name) != Language::other || entry.is_directory(failed)) {
                skipped_.push_back({path, "a link"});
            }
        } else if (!entry.is_directory(failed)) {
            consider(entry, name, path);
        } else if (everything_ || path + "/" == build_folder_ || !is_vendored(name, entry.path())) {
            walk(entry.path(), path + "/", depth + 1);
        } else if (build_folder_.starts_with(path + "/")) {
            walk_to_build(entry.path(), path + "/", depth + 1);
        } else {
            skipped_.push_back({path + "/", std::string(kVendoredReason)});
        }
    }
}

// Of a folder that is left out, the one in it that is built.
void PackageSources::walk_to_build(const fs::path& folder, const std::string& prefix, std::size_t depth) {
    std::error_code failed;
    for (const auto& [name, entry] : list(folder, prefix)) {
        const std::string path = prefix + name + "/";
        if (entry.is_symlink(failed) || !entry.is_directory(failed) || depth > kDeepest) {
            continue;
        }
        if (path == build_folder_) {
            walk(entry.path(), path, depth + 1);
        } else if (build_folder_.starts_with(path)) {
            walk_to_build(entry.path(), path, depth + 1);
        } else {
            skipped_.push_back({path, std::string(kVendoredReason)});
        }
    }
}

void PackageSources::consider(const fs::directory_entry& entry, const std::string& name, const std::string& path) {
    std::error_code failed;
    const bool regular = entry.is_regular_file(failed);
    Language language = language_of(name);
    if (language == Language::other && regular) {
        language = language_of_script(entry.path(), name);
    }
    if (language == Language::other) {
        return;
    }
    if (!regular) {
        skipped_.push_back({path, "no regular file"});
    } else if (!everything_ && is_test(name)) {
        skipped_.push_back({path, "a test"});
    } else {
        take(entry.path(), path, language);
    }
}

void PackageSources::take(const fs::path& file, const std::string& path, Language language) {
    MappedFile map;
    try {
        map = MappedFile(file, texts_.size() < kMostMapped ? kMapped : kLargest);
    } catch (Error& error) {
        error.inside(printable(path));
        throw;
    }
    const std::string_view text = map.view().text();
    if (text.size() > (is_device_or_host_code(language) ? kLargest : kLargestScript)) {
        skipped_.push_back({path, "too large"});
        return;
    }
    if (text.starts_with("version https://git-lfs.")) {
        skipped_.push_back({path, "a pointer of Git LFS"});
        return;
    }
    bytes_ += text.size();
    if (bytes_ > kMostBytes) {
        throw unchecked(fmt::format("with {} there are more than {} bytes of source", printable(path), kMostBytes),
                        "check that it is a source tree");
    }
    files_.push_back({path, text, language});
    texts_.push_back(std::move(map));
}

void PackageSources::take_named(const fs::path& root) {
    std::set<std::string> named;
    for (const SourceFile& file : files_) {
        for (std::string& path : named_sources(file)) {
            if (named.size() < kMostNamed) {
                named.insert(std::move(path));
            }
        }
    }
    for (const SourceFile& file : files_) {
        named.erase(file.path);
    }
    const std::size_t count = files_.size();
    for (const std::string& path : named) {
        // Not through a link, nor out of the tree.
        std::error_code failed;
        const fs::path file = root / path;
        const bool inside = fs::canonical(file, failed) == file && !failed && fs::is_regular_file(file, failed);
        if (inside) {
            std::erase_if(skipped_, [&](const SkippedPath& one) { return one.path == path; });
            take(file, path, language_of(path));
        }
    }
    if (files_.size() != count) {
        std::sort(files_.begin(), files_.end(),
                  [](const SourceFile& left, const SourceFile& right) { return left.path < right.path; });
    }
}

}  // namespace wheelarch
