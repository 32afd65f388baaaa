#include "cli/inputs.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

bool is_input(const fs::path& path, InputKind kind) {
    if (path.extension() == ".whl") {
        return true;
    }
    if (kind == InputKind::wheels) {
        return false;
    }
    try {
        const MappedFile file(path);
        return recognize(file.view().clipped(0, kHeadSize), path.string()) != FileFormat::other;
    } catch (const Error&) {
        return true;  // reading it will say why it cannot be read
    }
}

std::vector<fs::path> search(const fs::path& folder, InputKind kind) {
    std::vector<fs::path> found;
    std::error_code failure;
    for (fs::recursive_directory_iterator entry(folder, failure), end; entry != end; entry.increment(failure)) {
        if (!entry->is_symlink() && entry->is_regular_file() && is_input(entry->path(), kind)) {
            found.push_back(entry->path());
        }
    }
    if (failure) {
        throw unchecked(fmt::format("cannot read the folder: {}", failure.message())).inside(folder.string());
    }
    if (found.empty()) {
        throw unchecked(kind == InputKind::wheels ? "no wheel in this folder" : "nothing to inspect in this folder",
                        "check the path, and that the build has run")
            .inside(folder.string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

std::vector<fs::path> expand_inputs(const std::vector<std::string>& paths, InputKind kind) {
    std::vector<fs::path> inputs;
    for (const fs::path path : paths) {
        std::error_code ignored;
        if (fs::is_directory(path, ignored)) {
            const std::vector<fs::path> found = search(path, kind);
            inputs.insert(inputs.end(), found.begin(), found.end());
        } else {
            inputs.push_back(path);
        }
    }
    return inputs;
}

}  // namespace wheelarch
