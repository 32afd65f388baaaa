# The pinned compiler of the release binaries, for the platform that the preset names in WHEELARCH_PLATFORM. It brings
# the C library (musl; MinGW's imports on Windows) and libc++, so the result owes nothing to the machine that builds it.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WHEELARCH_PLATFORM)

# Any processor of its kind runs it; the compression libraries and SHA-256 choose faster code at run time.
if(WHEELARCH_PLATFORM STREQUAL "linux-x64")
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR x86_64)
  set(target "-target x86_64-linux-musl -mcpu=x86_64")
elseif(WHEELARCH_PLATFORM STREQUAL "linux-arm64")
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR aarch64)
  set(target "-target aarch64-linux-musl -mcpu=generic")
elseif(WHEELARCH_PLATFORM STREQUAL "windows-x64")
  set(CMAKE_SYSTEM_NAME Windows)
  set(CMAKE_SYSTEM_PROCESSOR AMD64)
  set(target "-target x86_64-windows-gnu -mcpu=x86_64")
else()
  message(FATAL_ERROR "WHEELARCH_PLATFORM is '${WHEELARCH_PLATFORM}': expected linux-x64, linux-arm64 or windows-x64")
endif()

get_filename_component(tools "${CMAKE_CURRENT_LIST_DIR}/../../build/tools" ABSOLUTE)
set(CMAKE_C_COMPILER "${tools}/zig-cc")
set(CMAKE_CXX_COMPILER "${tools}/zig-c++")
set(CMAKE_ASM_COMPILER "${tools}/zig-cc")
set(CMAKE_AR "${tools}/zig-ar" CACHE FILEPATH "")
set(CMAKE_RANLIB "${tools}/zig-ranlib" CACHE FILEPATH "")

# Nothing of where it was built: the libraries' assertions carry __FILE__. (deps.cmake does the same for its folder.)
file(REAL_PATH "${tools}/ziglang" zig_dir)
set(paths "-ffile-prefix-map=${zig_dir}=zig -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.")
set(common "${target} ${paths} -ffunction-sections -fdata-sections -fno-sanitize=undefined")
set(CMAKE_C_FLAGS_INIT "${common}")
set(CMAKE_CXX_FLAGS_INIT "${common}")
set(CMAKE_ASM_FLAGS_INIT "${target} ${paths}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${target} -static -s -Wl,--gc-sections")
if(WHEELARCH_PLATFORM STREQUAL "windows-x64")
  string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,/Brepro")  # a hash of the content where the time would be
else()
  string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,--build-id=none")
endif()

# Feature checks that link take seconds each with this compiler, and every check here is about the compiler.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
