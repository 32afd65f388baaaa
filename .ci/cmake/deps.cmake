# The libraries of .ci/deps.txt as static targets, compiled from the same pinned sources in every preset.
set(WHEELARCH_DEPS "${CMAKE_SOURCE_DIR}/build/deps" CACHE PATH "Where .ci/setup put the libraries")
set(headers "${WHEELARCH_DEPS}/debs/root/usr/include")
set(crates "${WHEELARCH_DEPS}/crates")
if(NOT EXISTS "${headers}/boost/json/src.hpp" OR NOT EXISTS "${crates}/zstd-sys")
  message(FATAL_ERROR "The libraries are not in ${WHEELARCH_DEPS}. Run .ci/setup first.")
endif()
# The same name whether or not the folder lies in the source tree.
add_compile_options("-ffile-prefix-map=${WHEELARCH_DEPS}=./build/deps")

# One folder per library: the headers of one never reach a target that does not name it.
function(header_library name)
  add_library(${name} INTERFACE)
  foreach(folder IN LISTS ARGN)
    file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/include/${name}")
    file(CREATE_LINK "${headers}/${folder}" "${CMAKE_BINARY_DIR}/include/${name}/${folder}" SYMBOLIC)
  endforeach()
  target_include_directories(${name} SYSTEM INTERFACE "${CMAKE_BINARY_DIR}/include/${name}")
endfunction()

header_library(boost boost)
header_library(cli11 CLI)
header_library(doctest doctest)
header_library(fmt_headers fmt)

# Boost.Process needs the compiled Boost.Filesystem unless it is told to use the standard one.
target_compile_definitions(boost INTERFACE BOOST_PROCESS_USE_STD_FS BOOST_ASIO_NO_DEPRECATED)

add_library(boost_json STATIC "${CMAKE_CURRENT_LIST_DIR}/boost_json.cpp")
target_link_libraries(boost_json PUBLIC boost)

add_library(fmt STATIC "${CMAKE_CURRENT_LIST_DIR}/fmt.cpp")
target_link_libraries(fmt PUBLIC fmt_headers)

# zlib-ng under zlib's own names.
set(BUILD_TESTING OFF)
set(BUILD_SHARED_LIBS OFF)
set(ZLIB_COMPAT ON)
set(WITH_GTEST OFF)
set(WITH_GZFILEOP OFF)
set(SKIP_INSTALL_ALL ON)
add_subdirectory("${crates}/libz-ng-sys/src/zlib-ng" "${CMAKE_BINARY_DIR}/zlib-ng" EXCLUDE_FROM_ALL SYSTEM)

file(GLOB zstd_sources "${crates}/zstd-sys/zstd/lib/common/*.c" "${crates}/zstd-sys/zstd/lib/compress/*.c"
  "${crates}/zstd-sys/zstd/lib/decompress/*.c" "${crates}/zstd-sys/zstd/lib/decompress/*.S")
add_library(zstd STATIC ${zstd_sources})
target_include_directories(zstd SYSTEM PUBLIC "${crates}/zstd-sys/zstd/lib")

add_library(lz4 STATIC "${crates}/lz4-sys/liblz4/lib/lz4.c")
target_include_directories(lz4 SYSTEM PUBLIC "${crates}/lz4-sys/liblz4/lib")

# SHA-256 only, with the processor's own instructions where it has them: the few files of AWS-LC that make it up.
# Windows has the same built in (src/base/sha256_windows.cpp).
if(NOT WIN32)
  set(aws_lc "${crates}/aws-lc-sys/aws-lc")
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    set_source_files_properties("${aws_lc}/crypto/fipsmodule/cpucap/cpu_aarch64.c" PROPERTIES COMPILE_OPTIONS
      "-includecrypto/fipsmodule/cpucap/internal.h;-includecrypto/fipsmodule/delocate.h")
    set(sha256_sources "${aws_lc}/crypto/fipsmodule/cpucap/cpu_aarch64.c"
      "${aws_lc}/crypto/fipsmodule/cpucap/cpu_aarch64_linux.c"
      "${aws_lc}/generated-src/linux-aarch64/crypto/fipsmodule/sha256-armv8.S")
  else()
    set(sha256_sources "${aws_lc}/crypto/fipsmodule/cpucap/cpu_intel.c"
      "${aws_lc}/generated-src/linux-x86_64/crypto/fipsmodule/sha256-x86_64.S")
  endif()
  add_library(sha256 STATIC "${aws_lc}/crypto/crypto.c" "${aws_lc}/crypto/mem.c" "${aws_lc}/crypto/thread_pthread.c"
    "${aws_lc}/crypto/fipsmodule/cpucap/cpucap.c" "${aws_lc}/crypto/fipsmodule/sha/sha256.c" ${sha256_sources})
  # sha256.c relies on headers that AWS-LC's own build, which joins its sources into one file, has included before it.
  target_compile_options(sha256 PRIVATE "$<$<COMPILE_LANGUAGE:C>:SHELL:-include stdbool.h -include openssl/evp.h -include crypto/fipsmodule/service_indicator/internal.h>"
    -ffunction-sections -fdata-sections)
  target_include_directories(sha256 PRIVATE "${aws_lc}")
  target_include_directories(sha256 SYSTEM PUBLIC "${aws_lc}/include")
  # The rest of those files, which asks for more of AWS-LC, is dropped by the linker.
  target_link_options(sha256 INTERFACE -Wl,--gc-sections)
endif()

# libgit2 without its network side: fetch and push are git's (src/ledger/git_program). The settings are those that its own build
# finds on Linux and on Windows; stated here, they are the same for every compiler.
set(libgit2 "${crates}/libgit2-sys/libgit2")
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/include/libgit2/git2_features.h" CONTENT [[
#pragma once
#define GIT_THREADS 1
#define GIT_ARCH_64 1
#define GIT_USE_NSEC 1
#ifdef _WIN32
#define GIT_IO_WSAPOLL 1
#define GIT_REGEX_BUILTIN 1
#else
#define GIT_USE_STAT_MTIM 1
#define GIT_USE_FUTIMENS 1
#define GIT_IO_POLL 1
#define GIT_REGEX_REGCOMP 1
#endif
#define GIT_HTTPPARSER_BUILTIN 1
#define GIT_SHA1_COLLISIONDETECT 1
#define GIT_SHA256_BUILTIN 1
]])
set(libgit2_system unix)
if(WIN32)
  set(libgit2_system win32)
  # The regular expressions that Windows' C library lacks.
  file(GLOB pcre2_sources "${libgit2}/deps/pcre2/pcre2_*.c")
  list(FILTER pcre2_sources EXCLUDE REGEX "fuzzsupport")
  add_library(pcre2 STATIC ${pcre2_sources})
  target_compile_options(pcre2 PRIVATE -w)
  target_compile_definitions(pcre2 PUBLIC PCRE2_STATIC PCRE2_EXPORT= PCRE2_CODE_UNIT_WIDTH=8 PRIVATE SUPPORT_PCRE2_8=1 SUPPORT_UNICODE=1
    LINK_SIZE=2 HEAP_LIMIT=20000000 MATCH_LIMIT=10000000 MATCH_LIMIT_DEPTH=MATCH_LIMIT MAX_VARLOOKBEHIND=255
    NEWLINE_DEFAULT=2 PARENS_NEST_LIMIT=250 MAX_NAME_SIZE=128 MAX_NAME_COUNT=10000)
  target_include_directories(pcre2 SYSTEM PUBLIC "${libgit2}/deps/pcre2")
endif()
file(GLOB libgit2_sources "${libgit2}/src/libgit2/*.c" "${libgit2}/src/libgit2/streams/*.c"
  "${libgit2}/src/libgit2/transports/*.c" "${libgit2}/src/util/*.c" "${libgit2}/src/util/${libgit2_system}/*.c"
  "${libgit2}/src/util/allocators/failalloc.c" "${libgit2}/src/util/allocators/stdalloc.c"
  "${libgit2}/src/util/hash/collisiondetect.c" "${libgit2}/src/util/hash/sha1dc/*.c"
  "${libgit2}/src/util/hash/builtin.c" "${libgit2}/src/util/hash/rfc6234/*.c" "${libgit2}/deps/llhttp/*.c"
  "${libgit2}/deps/xdiff/*.c")
add_library(libgit2 STATIC ${libgit2_sources})
target_compile_definitions(libgit2 PRIVATE _GNU_SOURCE SHA1DC_NO_STANDARD_INCLUDES=1
  "SHA1DC_CUSTOM_INCLUDE_SHA1_C=\"common.h\"" "SHA1DC_CUSTOM_INCLUDE_UBC_CHECK_C=\"common.h\"")
target_compile_options(libgit2 PRIVATE -w)
target_include_directories(libgit2 PRIVATE "${CMAKE_BINARY_DIR}/include/libgit2" "${libgit2}/src/libgit2"
  "${libgit2}/src/util" "${libgit2}/deps/llhttp" "${libgit2}/deps/xdiff")
target_include_directories(libgit2 SYSTEM PUBLIC "${libgit2}/include")
target_link_libraries(libgit2 PRIVATE zlib)
if(WIN32)
  target_compile_definitions(libgit2 PRIVATE WIN32 STRSAFE_NO_DEPRECATE __USE_MINGW_ANSI_STDIO=1)
  target_link_libraries(libgit2 PRIVATE pcre2 ws2_32 secur32)
endif()

set(yaml_cpp "${WHEELARCH_DEPS}/src/yaml-cpp")
file(GLOB yaml_cpp_sources "${yaml_cpp}/src/*.cpp")
add_library(yaml_cpp STATIC ${yaml_cpp_sources})
target_compile_options(yaml_cpp PRIVATE -w)
target_compile_definitions(yaml_cpp PUBLIC YAML_CPP_STATIC_DEFINE)
target_include_directories(yaml_cpp SYSTEM PUBLIC "${yaml_cpp}/include")

# malloc of the release program: musl's own asks the kernel anew for each block of zlib's size, which took half the time
# of writing a ledger. As an object, since the linker takes nothing from an archive to replace what libc has.
set(mimalloc_source "${crates}/libmimalloc-sys/c_src/mimalloc/v2")
add_library(mimalloc OBJECT EXCLUDE_FROM_ALL "${mimalloc_source}/src/static.c")
# It prints when it was compiled; the same sources are to give the same bytes.
target_compile_options(mimalloc PRIVATE -w -fno-builtin-malloc -Wno-builtin-macro-redefined "-D__DATE__=\"\"" "-D__TIME__=\"\"")
target_compile_definitions(mimalloc PRIVATE MI_MALLOC_OVERRIDE=1 MI_LIBC_MUSL=1 MI_STATIC_LIB=1)
target_include_directories(mimalloc PRIVATE "${mimalloc_source}/include")
