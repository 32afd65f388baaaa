#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/win32.hpp"
#include "ledger/writer_lock.hpp"

namespace wheelarch {

WriterLock::WriterLock(const std::filesystem::path& common_dir, Deadline deadline) {
    const std::filesystem::path path = common_dir / "wheelarch.lock";
    file_ = ::CreateFileW(system_path(path).c_str(), GENERIC_READ | GENERIC_WRITE,
                          FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_ALWAYS,
                          FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
    if (file_ == INVALID_HANDLE_VALUE) {
        throw unchecked(fmt::format("cannot open {}: {}", path.string(), failure_text()),
                        "writing the ledger needs a repository that this user can write");
    }
    std::chrono::milliseconds pause(2);
    OVERLAPPED first_byte = {};
    while (::LockFileEx(file_, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &first_byte) == 0) {
        const DWORD reason = ::GetLastError();
        const bool held = reason == ERROR_LOCK_VIOLATION || reason == ERROR_IO_PENDING;
        if (!held || std::chrono::steady_clock::now() >= deadline) {
            ::CloseHandle(file_);
            throw unchecked(held ? fmt::format("{} is still held by another wheelarch at the time limit", path.string())
                                 : fmt::format("cannot lock {}: {}", path.string(), failure_text(reason)),
                            held ? "run it again when the other is done" : "the file system must support LockFileEx()");
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(50));
    }
}

WriterLock::~WriterLock() {
    ::CloseHandle(file_);
}

}  // namespace wheelarch
