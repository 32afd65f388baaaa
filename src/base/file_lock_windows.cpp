#include <algorithm>
#include <cwctype>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "base/file_lock.hpp"
#include "base/sha256.hpp"
#include "base/win32.hpp"

namespace wheelarch {

// A mutex with a name that follows from the path: a file that is open cannot be replaced.
struct FileLock::Held {
    OwnedHandle mutex;
};

FileLock FileLock::of_new(NativeFile /*file*/) {
    return {};
}

std::vector<FileLock> lock_files(const std::vector<std::filesystem::path>& files) {
    std::vector<FileLock> locks;
    for (const std::filesystem::path& path : files) {
        inside(path.string(), [&] {
            std::error_code failure;
            std::wstring real = std::filesystem::weakly_canonical(path, failure).wstring();
            if (failure) {
                return;
            }
            std::transform(real.begin(), real.end(), real.begin(),
                           [](wchar_t c) { return static_cast<wchar_t>(std::towlower(static_cast<std::wint_t>(c))); });
            const std::string_view bytes(reinterpret_cast<const char*>(real.data()), real.size() * sizeof(wchar_t));
            FileLock lock;
            lock.held_ = std::make_shared<FileLock::Held>();
            lock.held_->mutex.reset(
                ::CreateMutexW(nullptr, FALSE, wide("wheelarch-" + to_hex(sha256_of(bytes))).c_str()));
            if (lock.held_->mutex.get() == nullptr) {
                return;
            }
            // The same thread gets it a second time, for another name of the file.
            if (::WaitForSingleObject(lock.held_->mutex.get(), 0) == WAIT_TIMEOUT) {
                throw unchecked("another run of wheelarch is writing this file",
                                "let it end; if both are meant, run one after the other");
            }
            locks.push_back(std::move(lock));
        });
    }
    return locks;
}

}  // namespace wheelarch
