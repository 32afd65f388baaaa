#include "lint/sources.hpp"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;
using Language = SourceFile::Language;

// Folders of others' work, and of what is not built into the wheel.
constexpr std::string_view kVendored[] = {
    // others' work
    "3rdparty", "3rd_party", "cccl", "composable_kernel", "cub", "cutlass", "dependencies", "deps", "eigen", "extern",
    "external", "externals", "glm", "googletest", "libcudacxx", "node_modules", "pybind11", "site-packages",
    "submodules", "third-party", "third_party", "thirdparty", "thrust", "vendor", "vendored", "venv",
    // no part of the wheel
    "skbuild", "bench", "benchmark", "benchmarks", "build", "dist", "doc", "docker", "docs", "example", "examples",
    "sample", "samples", "test", "testing", "tests", "tutorial", "tutorials", "unittest", "unittests"};
constexpr std::string_view kVendoredReason = "vendored, or no part of the wheel";

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kMostFiles = 500'000;                   // of any kind
constexpr std::uint64_t kLargest = std::uint64_t{256} << 20;  // bytes of a file
constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;  // of all
constexpr std::uint64_t kMapped = std::uint64_t{256} << 10;   // from here on a file is mapped, and not copied

bool ends_in(std::string_view name, std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_vendored(const std::string& name) {
    // `_cccl` is others' work as `cccl` is.
    const std::string plain = lower_case(name.substr(std::min(name.find_first_not_of('_'), name.size())));
    return name.starts_with('.') ||
           std::find(std::begin(kVendored), std::end(kVendored), plain) != std::end(kVendored) ||
           ends_in(name, {".egg-info", ".dist-info"});
}

bool is_test(std::string_view name) {
    const std::string_view stem = name.substr(0, name.find('.'));
    return stem.starts_with("test_") || stem.ends_with("_test") || stem.ends_with("_tests") || stem == "conftest";
}

bool is_binary(std::string_view text) {
    constexpr std::size_t kLooked = 8192;
    return text.substr(0, kLooked).find('\0') != std::string_view::npos;
}

}  // namespace

Language language_of(std::string_view path) {
    std::string_view name = path.substr(path.rfind('/') + 1);
    if (name.ends_with(".in")) {  // a template
        name.remove_suffix(3);
    }
    if (ends_in(name, {".cu", ".cuh", ".ptx"})) {
        return Language::cuda;
    }
    if (ends_in(name, {".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tpp", ".inc"})) {
        return Language::cpp;
    }
    if (name == "CMakeLists.txt" || name.ends_with(".cmake")) {
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

PackageSources::PackageSources(const fs::path& root, bool everything) : everything_(everything) {
    std::error_code failed;
    const fs::path real = fs::canonical(root, failed);
    if (failed || !fs::is_directory(real, failed)) {
        throw unchecked(fmt::format("the sources {} are no folder", printable(root.string())),
                        "give a folder with one folder of sources for each package");
    }
    walk(real, "", 0);
    for (std::size_t i = 0; i < files_.size(); ++i) {
        by_path_.emplace(files_[i].path, i);
    }
}

const SourceFile* PackageSources::find(const std::string& path) const {
    const auto found = by_path_.find(path);
    return found == by_path_.end() ? nullptr : &files_[found->second];
}

void PackageSources::walk(const fs::path& folder, const std::string& prefix, std::size_t depth) {
    if (depth > kDeepest) {
        skipped_.push_back({prefix, fmt::format("more than {} folders deep", kDeepest)});
        return;
    }
    // Each with the type that the listing told, so that nothing is asked about most files before they are opened.
    std::vector<std::pair<std::string, fs::directory_entry>> entries;
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
    for (const auto& [name, entry] : entries) {
        const std::string path = prefix + name;
        const Language language = language_of(name);
        if (entry.is_symlink(failed)) {
            if (language != Language::other || entry.is_directory(failed)) {
                skipped_.push_back({path, "a link"});
            }
        } else if (entry.is_directory(failed)) {
            if (!everything_ && is_vendored(name)) {
                skipped_.push_back({path + "/", std::string(kVendoredReason)});
            } else {
                walk(entry.path(), path + "/", depth + 1);
            }
        } else if (language == Language::other) {
            continue;
        } else if (!entry.is_regular_file(failed)) {
            skipped_.push_back({path, "no regular file"});
        } else if (!everything_ && is_test(name)) {
            skipped_.push_back({path, "a test"});
        } else {
            take(entry.path(), path, language);
        }
    }
}

void PackageSources::take(const fs::path& file, const std::string& path, Language language) {
    MappedFile map;
    try {
        map = MappedFile(file, kMapped);
    } catch (Error& error) {
        error.inside(printable(path));
        throw;
    }
    const std::string_view text = map.view().text();
    if (text.size() > kLargest || is_binary(text)) {
        skipped_.push_back({path, text.size() > kLargest ? "too large" : "no text"});
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

}  // namespace wheelarch
