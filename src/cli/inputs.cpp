#include "cli/inputs.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

// In whatever case: a name that pip does not take is not passed over, but named when it is read.
bool has_wheel_suffix(const fs::path& path) {
    std::string suffix = path.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return suffix == ".whl";
}

bool is_input(const fs::path& path, InputKind kind) {
    if (has_wheel_suffix(path)) {
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

fs::path canonical_or_same(const fs::path& path) {
    std::error_code failure;
    fs::path canonical = fs::weakly_canonical(fs::absolute(path, failure), failure);
    return failure ? path : canonical;
}

std::vector<fs::path> search(const fs::path& folder, InputKind kind) {
    std::vector<fs::path> found;
    std::vector<fs::path> links;
    std::error_code failure;
    for (fs::recursive_directory_iterator entry(folder, failure), end; entry != end; entry.increment(failure)) {
        // Of links, those that are called wheels are followed, and one that leads nowhere fails when it is read. A
        // library has several names by links, and is one.
        std::error_code ignored;
        const bool is_candidate = entry->is_symlink(ignored)
                                      ? has_wheel_suffix(entry->path()) && !entry->is_directory(ignored)
                                      : entry->is_regular_file(ignored);
        if (is_candidate && is_input(entry->path(), kind)) {
            (entry->is_symlink(ignored) ? links : found).push_back(entry->path());
        }
    }
    if (failure) {
        throw unchecked(fmt::format("cannot read the folder: {}", failure.message())).inside(folder.string());
    }
    std::set<fs::path> files;
    std::transform(found.begin(), found.end(), std::inserter(files, files.end()),
                   [](const fs::path& file) { return canonical_or_same(file); });
    std::copy_if(links.begin(), links.end(), std::back_inserter(found),
                 [&](const fs::path& link) { return files.insert(canonical_or_same(link)).second; });
    if (found.empty()) {
        throw unchecked(kind == InputKind::wheels ? "no wheel in this folder" : "nothing to inspect in this folder",
                        "check the path, and that the build has run")
            .inside(folder.string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

// A shell hands on a pattern as it is if no file matches it.
void refuse_pattern(const fs::path& path) {
    std::error_code ignored;
    const std::string text = path.string();
    if (fs::exists(path, ignored)) {
        return;
    }
    const std::size_t scheme = text.find("://");
    if (scheme != std::string::npos && scheme > 1 && text.find_first_of("/\\") > scheme) {
        throw unchecked("a URL, and this program downloads nothing", "download the file, and give its path")
            .inside(text);
    }
    if (text.find_first_of("*?[") != std::string::npos) {
        throw unchecked("no file matches this pattern", "check that the build has run, and that the folder is right")
            .inside(text);
    }
}

}  // namespace

std::vector<fs::path> expand_inputs(const std::vector<std::string>& paths, InputKind kind) {
    std::vector<fs::path> inputs;
    std::set<fs::path> seen;
    const auto add = [&](const fs::path& file) {
        if (seen.insert(canonical_or_same(file)).second) {
            inputs.push_back(file);
        }
    };
    for (const fs::path path : paths) {
        std::error_code ignored;
        if (fs::is_directory(path, ignored)) {
            const std::vector<fs::path> found = search(path, kind);
            std::for_each(found.begin(), found.end(), add);
        } else {
            refuse_pattern(path);
            add(path);
        }
    }
    return inputs;
}

void refuse_overwriting(const std::vector<fs::path>& inputs, const std::string& option, const std::string& output) {
    if (output.empty() || output == "-") {
        return;
    }
    const fs::path target = canonical_or_same(output);
    for (const fs::path& input : inputs) {
        const fs::path itself = canonical_or_same(input);
        if (target == itself || target == entry_path(itself)) {
            throw bad_usage(fmt::format("{} would overwrite {}", option, output), "give it a file of its own");
        }
    }
}

void refuse_overwriting(const std::vector<fs::path>& inputs, const Outputs& outputs) {
    for (const Outputs::File& file : outputs.files()) {
        refuse_overwriting(inputs, file.format->option, file.path);
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
    } else if (path != "/dev/null") {  // it is as empty as a file can be
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

void refuse_two_readers(const std::vector<std::pair<std::string, std::string>>& options) {
    std::string first;
    for (const auto& [option, path] : options) {
        if (path == "-" && !first.empty()) {
            throw bad_usage(fmt::format("{} and {} cannot both read standard input", first, option),
                            "give one of them a file");
        }
        first = path == "-" ? option : first;
    }
}

}  // namespace wheelarch
