#include "base/win32.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include <boost/system/error_code.hpp>

namespace wheelarch {

void OwnedHandle::reset(HANDLE handle) noexcept {
    if (handle_ != nullptr) {
        ::CloseHandle(handle_);
    }
    handle_ = handle == INVALID_HANDLE_VALUE ? nullptr : handle;
}

std::string failure_text(DWORD code) {
    if (code == ERROR_SHARING_VIOLATION || code == ERROR_USER_MAPPED_FILE || code == ERROR_LOCK_VIOLATION) {
        return "another program has it open";
    }
    const boost::system::error_code error(static_cast<int>(code), boost::system::system_category());
    const boost::system::error_condition condition = error.default_error_condition();
    return condition.category() == boost::system::generic_category() ? std::strerror(condition.value())
                                                                     : error.message();
}

std::wstring wide(std::string_view text) {
    const auto size = static_cast<int>(text.size());
    std::wstring result(static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0)),
                        L'\0');
    ::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, result.data(), static_cast<int>(result.size()));
    return result;
}

std::wstring system_path(const std::filesystem::path& path) {
    if (path.native().starts_with(LR"(\\?\)")) {
        return path.native();  // as the system itself gives them
    }
    constexpr std::size_t kShortEnough = 240;  // the limit of 260 counts what the system adds too
    std::error_code failure;
    const std::filesystem::path absolute = std::filesystem::absolute(path, failure).lexically_normal().make_preferred();
    const std::wstring& text = absolute.native();
    if (failure || text.size() < kShortEnough || text.starts_with(LR"(\\.\)")) {
        return failure ? path.native() : text;
    }
    return text.starts_with(LR"(\\)") ? LR"(\\?\UNC)" + text.substr(1) : LR"(\\?\)" + text;
}

HANDLE open_to_read(const std::filesystem::path& path) noexcept {
    const HANDLE file =
        ::CreateFileW(system_path(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                      nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    return file == INVALID_HANDLE_VALUE ? nullptr : file;
}

HANDLE make_file(const std::filesystem::path& folder, std::string_view prefix, std::filesystem::path& made) {
    constexpr int kTries = 100;
    for (int tried = 0; tried < kTries; ++tried) {
        made = folder / (std::string(prefix) + random_suffix());
        const HANDLE file = ::CreateFileW(system_path(made).c_str(), GENERIC_READ | GENERIC_WRITE,
                                          FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, CREATE_NEW,
                                          FILE_ATTRIBUTE_NORMAL, nullptr);
        if (file != INVALID_HANDLE_VALUE) {
            return file;
        }
        if (::GetLastError() != ERROR_FILE_EXISTS) {
            break;
        }
    }
    made.clear();
    return nullptr;
}

std::string random_suffix() {
    constexpr std::string_view kCharacters = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::random_device random;
    std::string text(6, ' ');
    std::generate(text.begin(), text.end(), [&] { return kCharacters[random() % kCharacters.size()]; });
    return text;
}

bool write_all(HANDLE file, const void* data, std::uint64_t size) noexcept {
    constexpr std::uint64_t kPiece = std::uint64_t{64} << 20U;
    const auto* at = static_cast<const unsigned char*>(data);
    while (size > 0) {
        DWORD count = 0;
        if (::WriteFile(file, at, static_cast<DWORD>(std::min(size, kPiece)), &count, nullptr) == 0) {
            return false;
        }
        at += count;
        size -= count;
    }
    return true;
}

bool is_disk_file(HANDLE file, std::uint64_t& size) noexcept {
    BY_HANDLE_FILE_INFORMATION found = {};
    if (::GetFileType(file) != FILE_TYPE_DISK || ::GetFileInformationByHandle(file, &found) == 0 ||
        (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        return false;
    }
    size = std::uint64_t{found.nFileSizeHigh} << 32U | found.nFileSizeLow;
    return true;
}

}  // namespace wheelarch
