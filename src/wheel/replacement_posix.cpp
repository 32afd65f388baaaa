#include "wheel/replacement.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kBufferSize = std::uint64_t{1} << 20U;
constexpr std::uint64_t kPiece = std::uint64_t{16} << 20U;  // what is mapped and not yet given back

Error failed(std::string_view what, const char* fix) {
    return unchecked(fmt::format("cannot {}: {}", what, std::strerror(errno)), fix);
}

constexpr char kCheckFolder[] = "check that its folder can be written and has space for the file once more";

struct stat status_of(int descriptor) {
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0) {
        throw failed("look at the file", "check the disk");
    }
    return status;
}

std::string random_name() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace

Replacement::Replacement(const std::filesystem::path& path) {
    std::error_code error;
    path_ = std::filesystem::canonical(path, error);
    if (error) {
        throw unchecked(fmt::format("cannot open the file: {}", error.message()), "check the path and its permissions");
    }
    try {
        open_old();
        make_temporary();
    } catch (const Error&) {
        remove();
        throw;
    }
    buffer_.reserve(kBufferSize);
}

Replacement::~Replacement() {
    remove();
}

void Replacement::open_old() {
    source_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (source_ < 0) {
        throw failed("open the file", "check the path and its permissions");
    }
    const struct stat status = status_of(source_);
    if (!S_ISREG(status.st_mode)) {
        throw unchecked("not a regular file", "give the path of a file");
    }
    old_ = MappedFile(source_, static_cast<std::uint64_t>(status.st_size));
}

void Replacement::make_temporary() {
    // Not `*.whl`, so that nobody takes it for one meanwhile.
    while (target_ < 0) {
        const std::filesystem::path name = path_.parent_path() / (".wheelarch-" + random_name());
        // First, so that there is no moment in which a signal would leave it behind.
        on_interrupt_.emplace([name] { ::unlink(name.c_str()); });
        target_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (target_ < 0 && errno != EEXIST) {
            throw failed("write beside the file", kCheckFolder);
        }
        temporary_ = name;
    }
    const struct stat status = status_of(source_);
    // A change of owner can take away bits of the mode, and only root may make one.
    [[maybe_unused]] const int ignored = ::fchown(target_, status.st_uid, status.st_gid);
    if (::fchmod(target_, status.st_mode & 07777U) != 0) {
        throw failed("set the mode of the new file", kCheckFolder);
    }
}

void Replacement::append(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > kBufferSize) {
        flush();
    }
    if (bytes.size() > kBufferSize) {
        write(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    } else {
        buffer_ += bytes;
    }
}

void Replacement::append_old(ByteView bytes) {
    if (bytes.size() < kBufferSize) {
        append(bytes.text());
        return;
    }
    flush();
    const auto offset = static_cast<std::uint64_t>(bytes.data() - old().data());
    if (copy_in_kernel(offset, bytes.size())) {
        return;
    }
    for (std::uint64_t at = 0; at < bytes.size(); at += kPiece) {
        const ByteView piece = bytes.clipped(at, kPiece);
        write(piece.data(), piece.size());
        release_pages(piece);
    }
}

// False if the two file systems or the kernel cannot do it; then nothing is written. Later failures are real ones.
bool Replacement::copy_in_kernel(std::uint64_t offset, std::uint64_t size) {
    auto from = static_cast<off_t>(offset);
    std::uint64_t left = size;
    while (left > 0) {
        const ssize_t count = ::copy_file_range(source_, &from, target_, nullptr, static_cast<std::size_t>(left), 0);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0 && left == size) {
            return false;
        }
        if (count < 0) {
            throw failed("write the new file", kCheckFolder);
        }
        if (count == 0) {
            throw unchecked("the file became shorter while it was copied", "run this again");
        }
        left -= static_cast<std::uint64_t>(count);
        size_ += static_cast<std::uint64_t>(count);
    }
    return true;
}

void Replacement::flush() {
    write(reinterpret_cast<const unsigned char*>(buffer_.data()), buffer_.size());
    buffer_.clear();
}

void Replacement::write(const unsigned char* data, std::uint64_t size) {
    std::uint64_t done = 0;
    while (done < size) {
        const ssize_t count = ::write(target_, data + done, static_cast<std::size_t>(size - done));
        if (count < 0 && errno != EINTR) {
            throw failed("write the new file", kCheckFolder);
        }
        done += static_cast<std::uint64_t>(std::max<ssize_t>(count, 0));
    }
    size_ += size;
}

MappedFile Replacement::written() {
    flush();
    // The disk can begin while the caller looks at it, so that commit() waits less.
    [[maybe_unused]] const int ignored = ::sync_file_range(target_, 0, 0, SYNC_FILE_RANGE_WRITE);
    return {target_, size_};
}

FileLock Replacement::commit() {
    flush();
    struct stat now = {};
    const struct stat opened = status_of(source_);
    if (::stat(path_.c_str(), &now) != 0 || now.st_dev != opened.st_dev || now.st_ino != opened.st_ino) {
        throw unchecked("the file has been replaced meanwhile", "let nothing else write to it, and run this again");
    }
    if (::fsync(target_) != 0) {
        throw failed("write the new file", kCheckFolder);
    }
    FileLock lock = FileLock::of_new(target_);
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
        throw failed("put the new file in place of the old one", kCheckFolder);
    }
    temporary_.clear();
    on_interrupt_.reset();
    // So that the rename outlives a power cut; some file systems cannot do it.
    if (const int folder = ::open(path_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
    return lock;
}

void Replacement::remove() noexcept {
    if (!temporary_.empty()) {
        ::unlink(temporary_.c_str());
    }
    for (const int descriptor : {source_, target_}) {
        if (descriptor >= 0) {
            ::close(descriptor);
        }
    }
}

}  // namespace wheelarch
