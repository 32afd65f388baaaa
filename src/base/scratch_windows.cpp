#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/scratch.hpp"
#include "base/win32.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "wheelarch-";

std::vector<std::string> candidates(const fs::path& beside) {
    std::vector<std::string> folders;
    for (const char* variable : {"TMPDIR", "RUNNER_TEMP", "TEMP", "TMP"}) {
        if (const std::string value = environment(variable); !value.empty()) {
            folders.push_back(value);
        }
    }
    folders.push_back(beside.empty() ? "." : beside.string());
    return folders;
}

Error no_scratch_space(const fs::path& beside) {
    return unchecked(fmt::format("no folder for temporary files (tried {})", fmt::join(candidates(beside), ", ")),
                     "set TMPDIR to a folder that can be written");
}

// git makes its objects read-only, and such a file is not deleted.
void remove_folder(const fs::path& folder) {
    std::error_code ignored;
    for (fs::recursive_directory_iterator at(folder, ignored), end; at != end; at.increment(ignored)) {
        fs::permissions(at->path(), fs::perms::owner_write, fs::perm_options::add, ignored);
    }
    fs::remove_all(folder, ignored);
}

}  // namespace

// Deleted by us and not by the system at the last close: then only programs that allow it could open it meanwhile.
ScratchFile::ScratchFile(const fs::path& beside) {
    for (const std::string& folder : candidates(beside)) {
        file_ = make_file(fs::absolute(folder), kPrefix, path_);
        if (file_ != kNoFile) {
            on_interrupt_.emplace([path = path_] { ::DeleteFileW(system_path(path).c_str()); });
            return;
        }
    }
    throw no_scratch_space(beside);
}

ScratchFile::~ScratchFile() {
    on_interrupt_.reset();
    ::CloseHandle(file_);
    ::DeleteFileW(system_path(path_).c_str());
}

void ScratchFile::append(ByteView bytes) {
    if (!write_all(file_, bytes.data(), bytes.size())) {
        throw unchecked(fmt::format("cannot write a temporary file: {}", failure_text()),
                        "free some space, or set TMPDIR to a folder on a larger disk");
    }
    size_ += bytes.size();
}

fs::path ScratchFile::path() const {
    return path_;
}

ScratchFolder::ScratchFolder(const fs::path& beside) {
    for (const std::string& folder : candidates(beside)) {
        const fs::path made = fs::absolute(folder) / (std::string(kPrefix) + random_suffix());
        std::error_code failure;
        if (fs::create_directory(made, failure)) {
            path_ = made;
            on_interrupt_.emplace([made] { remove_folder(made); });
            return;
        }
    }
    throw no_scratch_space(beside);
}

ScratchFolder::~ScratchFolder() {
    on_interrupt_.reset();
    remove_folder(path_);
}

}  // namespace wheelarch
