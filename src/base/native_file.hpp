// NativeFile: what the operating system calls an open file.
#pragma once

namespace wheelarch {

#ifdef _WIN32
using NativeFile = void*;  // a HANDLE
inline constexpr NativeFile kNoFile = nullptr;
#else
using NativeFile = int;  // a descriptor
inline constexpr NativeFile kNoFile = -1;
#endif

}  // namespace wheelarch
