// Replacement: a new version of a file, written beside it and put in its place by a rename. Until then the old one is
// what everybody sees; if it never comes to that, nothing is left behind, also not by a signal that ends the program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_view.hpp"
#include "base/file_lock.hpp"
#include "base/interrupt.hpp"
#include "base/mapped_file.hpp"
#include "base/native_file.hpp"

namespace wheelarch {

class Replacement {
public:
    // Symbolic links are followed, so that it is the real file that is replaced. Throws an Error (exit 3) if it is no
    // regular file, or if its folder cannot be written.
    explicit Replacement(const std::filesystem::path& path);
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;
    ~Replacement();

    // The old content.
    ByteView old() const noexcept { return old_.view(); }

    // What follows throws an Error when the disk is full or fails.
    void append(std::string_view bytes);
    // `bytes` must be part of old().
    void append_old(ByteView bytes);
    // What was written so far.
    MappedFile written();
    // Makes it the file, with the old one's mode and, as far as that is allowed, owner. Throws an Error if the file is
    // no longer the one that was opened. On Windows old() is empty from then on. The new file is locked before others
    // can see it, as long as the caller keeps what is returned.
    FileLock commit();

private:
    void open_old();
    void make_temporary();
    void flush();
    void write(const unsigned char* data, std::uint64_t size);
    bool copy_in_kernel(std::uint64_t offset, std::uint64_t size);
    void remove() noexcept;

    std::filesystem::path path_;
    std::filesystem::path temporary_;
    std::optional<OnInterrupt> on_interrupt_;  // removes it
    NativeFile source_ = kNoFile;
    NativeFile target_ = kNoFile;
    MappedFile old_;
    std::string buffer_;
    std::uint64_t size_ = 0;
};

}  // namespace wheelarch
