// FileLock: one run at a time among those of this program that write files anew. It is advisory: nobody else is kept
// from the file. The system lets go of it when its holder ends, however that happens, and nothing is left behind.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/native_file.hpp"

namespace wheelarch {

class FileLock {
public:
    // Locks nothing.
    FileLock() = default;

    // Of a new file that is about to be renamed over a locked one: who opens the path later finds it locked too. On
    // Windows, where the lock is on the path, it locks nothing more.
    static FileLock of_new(NativeFile file);

private:
    friend std::vector<FileLock> lock_files(const std::vector<std::filesystem::path>& files);
    struct Held;

    std::shared_ptr<Held> held_;
};

// Locks them all, each once. Symbolic links are followed; what cannot be opened, or lies where the system has no locks,
// is left out. Throws an Error (exit 3) that names the file if another run has one, or if they are too many.
std::vector<FileLock> lock_files(const std::vector<std::filesystem::path>& files);

}  // namespace wheelarch
