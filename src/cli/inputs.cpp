#include "cli/inputs.hpp"

#include <algorithm>
#include <iostream>
#include <set>
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
    std::set<fs::path> seen;
    const auto add = [&](const fs::path& file) {
        std::error_code ignored;
        if (seen.insert(fs::weakly_canonical(file, ignored)).second) {
            inputs.push_back(file);
        }
    };
    for (const fs::path path : paths) {
        std::error_code ignored;
        if (fs::is_directory(path, ignored)) {
            const std::vector<fs::path> found = search(path, kind);
            std::for_each(found.begin(), found.end(), add);
        } else {
            add(path);
        }
    }
    return inputs;
}

void refuse_overwriting(const std::vector<fs::path>& inputs, const std::string& option, const std::string& output) {
    if (output.empty() || output == "-") {
        return;
    }
    std::error_code ignored;
    const fs::path target = fs::weakly_canonical(output, ignored);
    for (const fs::path& input : inputs) {
        const fs::path itself = fs::weakly_canonical(input, ignored);
        if (target == itself || target == entry_path(itself)) {
            throw bad_usage(fmt::format("{} would overwrite {}", option, output), "give it a file of its own");
        }
    }
}

std::string entry_path(const fs::path& wheel) {
    return wheel.string() + ".ledger.json";
}

std::string read_text(const std::string& path, std::uint64_t most) {
    std::string text;
    if (path == "-") {
        std::string piece(1 << 16, '\0');
        while (text.size() <= most &&
               std::cin.read(piece.data(), static_cast<std::streamsize>(piece.size())).gcount() > 0) {
            text.append(piece, 0, static_cast<std::size_t>(std::cin.gcount()));
        }
    } else {
        const MappedFile file(path);
        text = file.view().clipped(0, most + 1).text();
    }
    if (text.size() > most) {
        throw bad_usage(fmt::format("it has more than {} bytes", most), "check that this is the file that is meant");
    }
    return text;
}

std::string input_name(const std::string& path) {
    return path == "-" ? "standard input" : path;
}

}  // namespace wheelarch
