// WriterLock: one writer at a time among the processes of this program that share a repository.
//
// The kernel lets go of it when its holder dies, however that happens. So a holder may tidy up after a writer that was
// killed: what it finds locked by a file is nobody's of ours.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "base/native_file.hpp"

namespace wheelarch {

using Deadline = std::chrono::steady_clock::time_point;

class WriterLock {
public:
    // Takes `<common_dir>/wheelarch.lock`, which is made if it is not there and stays. An Error (exit 3) if it cannot
    // be had until `deadline`.
    WriterLock(const std::filesystem::path& common_dir, Deadline deadline);
    WriterLock(const WriterLock&) = delete;
    WriterLock& operator=(const WriterLock&) = delete;
    ~WriterLock();

private:
    NativeFile file_ = kNoFile;
};

// Waits until no other program holds the lock file of a reference, or `deadline`. Programs hold it for the moment in
// which they write the reference; one that nothing has touched for ten seconds was left by a program that was killed,
// and is removed. The caller holds the WriterLock.
void await_reference(const std::filesystem::path& common_dir, const std::string& ref_name, Deadline deadline);

}  // namespace wheelarch
