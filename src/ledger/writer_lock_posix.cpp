#include "ledger/writer_lock.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {

namespace fs = std::filesystem;

WriterLock::WriterLock(const fs::path& common_dir, Deadline deadline) {
    const fs::path file = common_dir / "wheelarch.lock";
    file_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file_ < 0 && errno == EACCES) {
        // Another user's, say that of an earlier container job. Most file systems lock it all the same.
        file_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    }
    if (file_ < 0) {
        throw unchecked(fmt::format("cannot open {}: {}", file.string(), std::strerror(errno)),
                        "writing the ledger needs a repository that this user can write");
    }
    std::chrono::milliseconds pause(2);
    while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        const bool held = reason == EWOULDBLOCK || reason == EINTR;
        if (!held || std::chrono::steady_clock::now() >= deadline) {
            ::close(file_);
            throw unchecked(held ? fmt::format("{} is still held by another wheelarch at the time limit", file.string())
                                 : fmt::format("cannot lock {}: {}", file.string(), std::strerror(reason)),
                            held ? "run it again when the other is done (`fuser` on that file shows which it is)"
                                 : "the file system must support flock()");
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(50));
    }
}

WriterLock::~WriterLock() {
    ::close(file_);
}

}  // namespace wheelarch
