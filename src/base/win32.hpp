// What the Windows side of several parts needs. Only *_windows.cpp include it, so that windows.h stays out of the rest.
#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace wheelarch {

// Closes a handle of the system; nullptr stands for none.
class OwnedHandle {
public:
    OwnedHandle() = default;
    explicit OwnedHandle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
    OwnedHandle(const OwnedHandle&) = delete;
    OwnedHandle& operator=(const OwnedHandle&) = delete;
    ~OwnedHandle() { reset(); }

    HANDLE get() const noexcept { return handle_; }
    void reset(HANDLE handle = nullptr) noexcept;

private:
    HANDLE handle_ = nullptr;
};

// Why the last call failed, in the words of the C library where it has some.
std::string failure_text(DWORD code = ::GetLastError());

// UTF-8 to the system's own encoding.
std::wstring wide(std::string_view text);

// For the functions whose names end in W: absolute, and of any length.
std::wstring system_path(const std::filesystem::path& path);

// Opens an existing file to read it; others may write, rename or delete it meanwhile. nullptr and GetLastError() if it
// cannot be. A folder opens too.
HANDLE open_to_read(const std::filesystem::path& path) noexcept;
// Makes a file that was not there, named `folder`/`prefix` and six random characters. nullptr and GetLastError() if it
// cannot be made.
HANDLE make_file(const std::filesystem::path& folder, std::string_view prefix, std::filesystem::path& made);
// Six random characters.
std::string random_suffix();
// False and GetLastError() if not all could be written.
bool write_all(HANDLE file, const void* data, std::uint64_t size) noexcept;
// Is it a file on a disk, and no folder, pipe or device?
bool is_disk_file(HANDLE file, std::uint64_t& size) noexcept;

}  // namespace wheelarch
