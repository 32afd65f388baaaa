// MappedFile: a file as read-only memory. The bytes live as long as the object, and stay where they are if it is moved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/byte_view.hpp"
#include "base/native_file.hpp"

namespace wheelarch {

class MappedFile {
public:
    MappedFile() = default;
    // Throws an Error (exit 3) that says why, if `path` is no readable regular file. One of fewer bytes than
    // `copied_below` is read instead, for who opens many: maps are few, and dearer than a small file.
    explicit MappedFile(const std::filesystem::path& path, std::uint64_t copied_below = 0);
    // Maps the `size` bytes of an open file, which stays the caller's.
    MappedFile(NativeFile file, std::uint64_t size);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    ByteView view() const noexcept { return {data_, size_}; }

private:
    void map(NativeFile file, std::uint64_t size);
    void read(NativeFile file, std::uint64_t size);

    std::unique_ptr<unsigned char[]> copy_;
    void* data_ = nullptr;  // the map, or what `copy_` owns
    std::uint64_t size_ = 0;
};

// Tells the system that these mapped bytes were read and need not stay in memory; they can still be read. Readers of
// big files call it as they go, so that memory does not grow with the file. `bytes` must be part of a MappedFile that
// was not copied.
void release_pages(ByteView bytes) noexcept;

}  // namespace wheelarch
