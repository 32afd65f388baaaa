// Scratch space on disk for what is too big for memory or must be handed to another program by name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/byte_view.hpp"
#include "base/interrupt.hpp"
#include "base/mapped_file.hpp"
#include "base/native_file.hpp"

namespace wheelarch {

// A file that is gone when the object is; elsewhere than on Windows it has no name, and is gone too when the process is
// killed. What map() gave must be gone before the object.
class ScratchFile {
public:
    // Made in the first of $TMPDIR, $RUNNER_TEMP, /var/tmp, /tmp (on Windows %TEMP%, %TMP%) and `beside` that can hold
    // files. Throws an Error (exit 3) that lists them, if none can.
    explicit ScratchFile(const std::filesystem::path& beside);
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    ~ScratchFile();

    // Throws an Error when the disk is full.
    void append(ByteView bytes);
    MappedFile map() const { return {file_, size_}; }
    // A path under which programs of the same machine can open it while this object lives.
    std::filesystem::path path() const;

private:
    NativeFile file_ = kNoFile;
    std::uint64_t size_ = 0;
#ifdef _WIN32
    std::filesystem::path path_;
    std::optional<OnInterrupt> on_interrupt_;
#endif
};

// A folder of our own, removed with all that is in it, also if the program is interrupted.
class ScratchFolder {
public:
    explicit ScratchFolder(const std::filesystem::path& beside);
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder();

    const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
    std::optional<OnInterrupt> on_interrupt_;
};

}  // namespace wheelarch
