#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "base/mapped_places.hpp"
#include "base/text.hpp"
#include "base/win32.hpp"

namespace wheelarch {

MappedFile::MappedFile(const std::filesystem::path& path, std::uint64_t copied_below) {
    const OwnedHandle file(open_to_read(path));
    if (file.get() == nullptr) {
        throw unchecked(fmt::format("cannot open the file: {}", failure_text()), "check the path and its permissions");
    }
    std::uint64_t size = 0;
    if (!is_disk_file(file.get(), size)) {
        throw unchecked("not a regular file", "give the path of a file");
    }
    if (size < copied_below) {
        read(file.get(), size);
    } else {
        map(file.get(), size);
        if (data_ != nullptr) {
            note_place(data_, size_, printable(path.string()));
        }
    }
}

MappedFile::MappedFile(NativeFile file, std::uint64_t size) {
    map(file, size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : copy_(std::move(other.copy_)), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(copy_, other.copy_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

MappedFile::~MappedFile() {
    if (data_ != nullptr && copy_ == nullptr) {
        forget_place(data_);
        ::UnmapViewOfFile(data_);
    }
}

void MappedFile::map(NativeFile file, std::uint64_t size) {
    if (size == 0) {
        return;  // an empty file cannot be mapped, and an empty view is just what it holds
    }
    // The view keeps the mapping.
    const OwnedHandle mapping(::CreateFileMappingW(file, nullptr, PAGE_READONLY, static_cast<DWORD>(size >> 32U),
                                                   static_cast<DWORD>(size), nullptr));
    void* data = mapping.get() == nullptr
                     ? nullptr
                     : ::MapViewOfFile(mapping.get(), FILE_MAP_READ, 0, 0, static_cast<std::size_t>(size));
    if (data == nullptr) {
        throw unchecked(fmt::format("cannot map the file into memory: {}", failure_text()));
    }
    data_ = data;
    size_ = size;
}

void MappedFile::read(NativeFile file, std::uint64_t size) {
    constexpr std::uint64_t kPiece = std::uint64_t{64} << 20U;
    copy_ = std::make_unique_for_overwrite<unsigned char[]>(static_cast<std::size_t>(size));
    data_ = copy_.get();
    while (size_ < size) {
        DWORD count = 0;
        if (::ReadFile(file, copy_.get() + size_, static_cast<DWORD>(std::min(size - size_, kPiece)), &count,
                       nullptr) == 0) {
            throw unchecked(fmt::format("cannot read the file: {}", failure_text()), "check its disk");
        }
        if (count == 0) {
            return;  // it became shorter
        }
        size_ += count;
    }
}

// To unlock pages that were never locked takes them out of the working set; that is what the function promises.
void release_pages(ByteView bytes) noexcept {
    if (!bytes.empty()) {
        ::VirtualUnlock(const_cast<unsigned char*>(bytes.data()), static_cast<std::size_t>(bytes.size()));
    }
}

}  // namespace wheelarch
