#include "base/mapped_file.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/mapped_places.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

class Descriptor {
public:
    explicit Descriptor(const std::filesystem::path& path)
        : value_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        if (value_ < 0) {
            const bool too_many = errno == EMFILE || errno == ENFILE;
            throw unchecked(fmt::format("cannot open the file: {}", std::strerror(errno)),
                            too_many ? "raise the limit of open files (`ulimit -n`), or read fewer at once (--jobs)"
                                     : "check the path and its permissions");
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { ::close(value_); }
    int get() const noexcept { return value_; }

private:
    int value_;
};

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path, std::uint64_t copied_below) {
    const Descriptor file(path);
    struct stat status = {};
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
        throw unchecked("not a regular file", "give the path of a file");
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size < copied_below) {
        read(file.get(), size);
    } else {
        map(file.get(), size);
        if (data_ != nullptr) {
            note_place(data_, size_, printable(path.string()));
        }
    }
}

MappedFile::MappedFile(int descriptor, std::uint64_t size) {
    map(descriptor, size);
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
        ::munmap(data_, static_cast<std::size_t>(size_));
    }
}

void MappedFile::map(int descriptor, std::uint64_t size) {
    if (size == 0) {
        return;  // an empty file cannot be mapped, and an empty view is just what it holds
    }
    void* data = ::mmap(nullptr, static_cast<std::size_t>(size), PROT_READ, MAP_SHARED, descriptor, 0);
    if (data == MAP_FAILED) {
        throw unchecked(fmt::format("cannot map the file into memory: {}", std::strerror(errno)));
    }
    data_ = data;
    size_ = size;
}

void MappedFile::read(int descriptor, std::uint64_t size) {
    copy_ = std::make_unique_for_overwrite<unsigned char[]>(static_cast<std::size_t>(size));
    data_ = copy_.get();
    while (size_ < size) {
        const ssize_t count = ::read(descriptor, copy_.get() + size_, static_cast<std::size_t>(size - size_));
        if (count == 0) {
            return;  // it became shorter
        }
        if (count > 0) {
            size_ += static_cast<std::uint64_t>(count);
        } else if (errno != EINTR) {
            throw unchecked(fmt::format("cannot read the file: {}", std::strerror(errno)), "check its disk");
        }
    }
}

void release_pages(ByteView bytes) noexcept {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
    const std::uintptr_t skipped = (page - address % page) % page;  // before the first whole page
    if (bytes.size() < skipped + page) {
        return;
    }
    const std::uintptr_t whole = (bytes.size() - skipped) / page * page;
    ::madvise(const_cast<unsigned char*>(bytes.data()) + skipped, whole, MADV_DONTNEED);
}

}  // namespace wheelarch
