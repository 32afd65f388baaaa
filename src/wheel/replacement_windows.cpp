#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/win32.hpp"
#include "wheel/replacement.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kBufferSize = std::uint64_t{1} << 20U;
constexpr std::uint64_t kPiece = std::uint64_t{16} << 20U;  // what is mapped and not yet given back
constexpr char kCheckFolder[] = "check that its folder can be written and has space for the file once more";

Error failed(std::string_view what, const char* fix) {
    return unchecked(fmt::format("cannot {}: {}", what, failure_text()), fix);
}

BY_HANDLE_FILE_INFORMATION information_of(HANDLE file) {
    BY_HANDLE_FILE_INFORMATION found = {};
    if (::GetFileInformationByHandle(file, &found) == 0) {
        throw failed("look at the file", "check the disk");
    }
    return found;
}

bool is_same_file(const BY_HANDLE_FILE_INFORMATION& one, const BY_HANDLE_FILE_INFORMATION& other) {
    return one.dwVolumeSerialNumber == other.dwVolumeSerialNumber && one.nFileIndexHigh == other.nFileIndexHigh &&
           one.nFileIndexLow == other.nFileIndexLow;
}

// Where links lead; or, if the system cannot tell, as Wine cannot for long paths, the path that was given.
std::filesystem::path real_path(HANDLE file, const std::filesystem::path& given) {
    std::wstring text(std::size_t{1} << 15U, L'\0');
    const DWORD size = ::GetFinalPathNameByHandleW(file, text.data(), static_cast<DWORD>(text.size()), 0);
    if (size == 0 || size >= text.size()) {
        return system_path(given);
    }
    text.resize(size);
    return text;
}

// Scanners of viruses open each new file for a moment, in which it cannot be renamed.
bool rename_over(const std::filesystem::path& from, const std::filesystem::path& to) {
    constexpr int kTries = 40;
    constexpr std::chrono::milliseconds kPause(25);
    for (int tried = 1;; ++tried) {
        if (::MoveFileExW(system_path(from).c_str(), system_path(to).c_str(),
                          MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0) {
            return true;
        }
        const DWORD reason = ::GetLastError();
        if (tried == kTries || (reason != ERROR_ACCESS_DENIED && reason != ERROR_SHARING_VIOLATION)) {
            ::SetLastError(reason);
            return false;
        }
        std::this_thread::sleep_for(kPause);
    }
}

}  // namespace

Replacement::Replacement(const std::filesystem::path& path) {
    path_ = path;
    try {
        open_old();
        path_ = real_path(source_, path);
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
    source_ = open_to_read(path_);
    if (source_ == kNoFile) {
        throw failed("open the file", "check the path and its permissions");
    }
    std::uint64_t size = 0;
    if (!is_disk_file(source_, size)) {
        throw unchecked("not a regular file", "give the path of a file");
    }
    if ((information_of(source_).dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0) {
        throw unchecked("the file is read-only", "allow writing to it (`attrib -R`), and run this again");
    }
    old_ = MappedFile(source_, size);
}

void Replacement::make_temporary() {
    // Not `*.whl`, so that nobody takes it for one meanwhile.
    target_ = make_file(path_.parent_path(), ".wheelarch-", temporary_);
    if (target_ == kNoFile) {
        throw failed("write beside the file", kCheckFolder);
    }
    on_interrupt_.emplace([name = temporary_] { ::DeleteFileW(system_path(name).c_str()); });
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
    for (std::uint64_t at = 0; at < bytes.size(); at += kPiece) {
        const ByteView piece = bytes.clipped(at, kPiece);
        write(piece.data(), piece.size());
        release_pages(piece);
    }
}

void Replacement::flush() {
    write(reinterpret_cast<const unsigned char*>(buffer_.data()), buffer_.size());
    buffer_.clear();
}

void Replacement::write(const unsigned char* data, std::uint64_t size) {
    if (!write_all(target_, data, size)) {
        throw failed("write the new file", kCheckFolder);
    }
    size_ += size;
}

MappedFile Replacement::written() {
    flush();
    return {target_, size_};
}

FileLock Replacement::commit() {
    flush();
    {
        const OwnedHandle now(open_to_read(path_));
        if (now.get() == nullptr || !is_same_file(information_of(now.get()), information_of(source_))) {
            throw unchecked("the file has been replaced meanwhile", "let nothing else write to it, and run this again");
        }
    }
    if (::FlushFileBuffers(target_) == 0) {
        throw failed("write the new file", kCheckFolder);
    }
    // Windows replaces no file that is mapped, or that somebody has open.
    old_ = MappedFile();
    ::CloseHandle(std::exchange(source_, kNoFile));
    ::CloseHandle(std::exchange(target_, kNoFile));
    if (!rename_over(temporary_, path_)) {
        throw failed("put the new file in place of the old one",
                     "close whatever has it open, check that its folder can be written, and run this again");
    }
    temporary_.clear();
    on_interrupt_.reset();
    return FileLock::of_new(target_);
}

void Replacement::remove() noexcept {
    for (const NativeFile file : {source_, target_}) {
        if (file != kNoFile) {
            ::CloseHandle(file);
        }
    }
    if (!temporary_.empty()) {
        ::DeleteFileW(system_path(temporary_).c_str());
    }
}

}  // namespace wheelarch
