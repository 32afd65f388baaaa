#include "base/scratch.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

std::vector<std::string> candidates(const std::filesystem::path& beside) {
    std::vector<std::string> folders;
    for (const char* variable : {"TMPDIR", "RUNNER_TEMP"}) {
        if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') {
            folders.emplace_back(value);
        }
    }
    folders.insert(folders.end(), {"/var/tmp", "/tmp", beside.empty() ? "." : beside.string()});
    return folders;
}

Error no_scratch_space(const std::filesystem::path& beside) {
    return unchecked(fmt::format("no folder for temporary files (tried {})", fmt::join(candidates(beside), ", ")),
                     "set TMPDIR to a folder that can be written");
}

int open_nameless(const std::string& folder) {
    const int direct = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (direct >= 0) {
        return direct;
    }
    // File systems without O_TMPFILE (overlayfs of older kernels, NFS).
    std::string name = folder + "/wheelarch-XXXXXX";
    const int named = ::mkostemp(name.data(), O_CLOEXEC);
    if (named >= 0) {
        ::unlink(name.c_str());
    }
    return named;
}

void remove_folder(const std::filesystem::path& folder) {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
}

}  // namespace

ScratchFile::ScratchFile(const std::filesystem::path& beside) {
    for (const std::string& folder : candidates(beside)) {
        file_ = open_nameless(folder);
        if (file_ >= 0) {
            return;
        }
    }
    throw no_scratch_space(beside);
}

ScratchFile::~ScratchFile() {
    ::close(file_);
}

void ScratchFile::append(ByteView bytes) {
    std::uint64_t written = 0;
    while (written < bytes.size()) {
        const ssize_t count = ::write(file_, bytes.data() + written, static_cast<std::size_t>(bytes.size() - written));
        if (count < 0 && errno != EINTR) {
            throw unchecked(fmt::format("cannot write a temporary file: {}", std::strerror(errno)),
                            "free some space, or set TMPDIR to a folder on a larger disk");
        }
        written += static_cast<std::uint64_t>(std::max<ssize_t>(count, 0));
    }
    size_ += bytes.size();
}

std::filesystem::path ScratchFile::path() const {
    return fmt::format("/proc/{}/fd/{}", ::getpid(), file_);
}

ScratchFolder::ScratchFolder(const std::filesystem::path& beside) {
    for (const std::string& folder : candidates(beside)) {
        std::string name = folder + "/wheelarch-XXXXXX";
        if (::mkdtemp(name.data()) != nullptr) {
            path_ = std::filesystem::absolute(name);
            on_interrupt_.emplace([path = path_] { remove_folder(path); });
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
