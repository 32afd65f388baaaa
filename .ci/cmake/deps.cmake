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
set(aws_lc "${crates}/aws-lc-sys/aws-lc")
add_library(sha256 STATIC "${aws_lc}/crypto/crypto.c" "${aws_lc}/crypto/mem.c" "${aws_lc}/crypto/thread_pthread.c"
  "${aws_lc}/crypto/fipsmodule/cpucap/cpucap.c" "${aws_lc}/crypto/fipsmodule/cpucap/cpu_intel.c"
  "${aws_lc}/crypto/fipsmodule/sha/sha256.c" "${aws_lc}/generated-src/linux-x86_64/crypto/fipsmodule/sha256-x86_64.S")
# sha256.c relies on headers that AWS-LC's own build, which joins its sources into one file, has included before it.
target_compile_options(sha256 PRIVATE "$<$<COMPILE_LANGUAGE:C>:SHELL:-include stdbool.h -include openssl/evp.h -include crypto/fipsmodule/service_indicator/internal.h>"
  -ffunction-sections -fdata-sections)
target_include_directories(sha256 PRIVATE "${aws_lc}")
target_include_directories(sha256 SYSTEM PUBLIC "${aws_lc}/include")
# The rest of those files, which asks for more of AWS-LC, is dropped by the linker.
target_link_options(sha256 INTERFACE -Wl,--gc-sections)
