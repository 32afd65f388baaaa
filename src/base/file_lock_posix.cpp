#include "base/file_lock.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

bool is_same_file(const struct stat& one, const struct stat& other) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

// One descriptor for each file: the system's first limit is 1,024, and most allow more to whoever asks.
void allow_many_files() {
    struct rlimit limit = {};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

// False if another run holds it and goes on; one that was killed may take a moment to end. Where the file system has no
// locks there is nothing to wait for.
bool lock_soon(int file) {
    constexpr int kTries = 50;
    constexpr std::chrono::milliseconds kPause(20);
    for (int tried = 1; ::flock(file, LOCK_EX | LOCK_NB) != 0; ++tried) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return true;
        }
        if (tried == kTries) {
            return false;
        }
        std::this_thread::sleep_for(kPause);
    }
    return true;
}

// -1 if it cannot be opened.
int open_to_lock(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 && (errno == EMFILE || errno == ENFILE)) {
        throw unchecked(fmt::format("cannot lock so many files at once: {}", std::strerror(errno)),
                        "give fewer wheels at a time, or raise the limit of open files (ulimit -n)");
    }
    return file;
}

}  // namespace

struct FileLock::Held {
    explicit Held(int descriptor) : file(descriptor) {}
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() { ::close(file); }

    int file;
};

FileLock FileLock::of_new(NativeFile file) {
    FileLock lock;
    const int copy = ::fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (copy >= 0) {
        lock.held_ = std::make_shared<Held>(copy);
        ::flock(copy, LOCK_EX | LOCK_NB);  // nobody else knows the file yet
    }
    return lock;
}

std::vector<FileLock> lock_files(const std::vector<std::filesystem::path>& files) {
    std::vector<FileLock> locks;
    std::vector<struct stat> locked;
    allow_many_files();
    for (const std::filesystem::path& path : files) {
        inside(path.string(), [&] {
            struct stat opened = {};
            struct stat now = {};
            const int file = open_to_lock(path);
            if (file < 0) {
                return;
            }
            FileLock lock;
            lock.held_ = std::make_shared<FileLock::Held>(file);
            if (::fstat(file, &opened) != 0 || !S_ISREG(opened.st_mode)) {
                return;
            }
            const auto is_ours = [&](const struct stat& other) { return is_same_file(opened, other); };
            if (std::any_of(locked.begin(), locked.end(), is_ours)) {
                return;  // another name of it
            }
            // Who waited for another run to end finds the file that this one had replaced.
            if (!lock_soon(file) || (::stat(path.c_str(), &now) == 0 && !is_same_file(now, opened))) {
                throw unchecked("another run of wheelarch is writing this file",
                                "let it end; if both are meant, run one after the other");
            }
            locked.push_back(opened);
            locks.push_back(std::move(lock));
        });
    }
    return locks;
}

}  // namespace wheelarch
