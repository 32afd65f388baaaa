#include "lint/sources.hpp"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#ifndef _WIN32
#include <sys/stat.h>
#endif

#include "base/error.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

std::string files_of(const PackageSources& sources) {
    std::string all;
    for (const SourceFile& file : sources.files()) {
        all += file.path + " ";
    }
    return all;
}

std::string skipped_of(const PackageSources& sources) {
    std::string all;
    for (const SkippedPath& path : sources.skipped()) {
        all += fmt::format("{} ({}) ", path.path, path.reason);
    }
    return all;
}

}  // namespace

TEST_CASE("sources: files that rules read, in order; vendored trees and tests are named") {
    const TemporaryFolder folder;
    for (const char* name : {"setup.py", "csrc/b.cu", "csrc/a.cuh", "csrc/notes.txt", "csrc/Cutlass/cutlass.h",
                             "third_party/y.cu", "tests/z.cu", "pkg/test_a.py", "pkg/ops.py", ".ci/build.sh",
                             "CMakeLists.txt", "pyproject.toml", "csrc/k.cu.in"}) {
        folder.write(name, "x");
    }
    const PackageSources sources(folder.path(), false);
    CHECK(files_of(sources) == "CMakeLists.txt csrc/a.cuh csrc/b.cu csrc/k.cu.in pkg/ops.py pyproject.toml setup.py ");
    CHECK(skipped_of(sources) ==
          ".ci/ (vendored, or no part of the wheel) csrc/Cutlass/ (vendored, or no part of the wheel) pkg/test_a.py (a "
          "test) tests/ (vendored, or no part of the wheel) third_party/ (vendored, or no part of the wheel) ");
    CHECK(sources.find("csrc/b.cu") != nullptr);
    CHECK(sources.find("csrc/notes.txt") == nullptr);
    CHECK(PackageSources(folder.path(), true).files().size() == 12);
}

#ifndef _WIN32  // few users of Windows may make links
TEST_CASE("sources: links and pipes are named and not opened") {
    const TemporaryFolder folder;
    folder.write("a.cu", "x");
    std::filesystem::create_directory_symlink("..", folder.path() / "loop");
    std::filesystem::create_symlink("/etc/passwd", folder.path() / "out.cu");
    REQUIRE(::mkfifo((folder.path() / "pipe.cu").c_str(), 0600) == 0);
    REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
    const PackageSources sources(folder.path(), false);
    CHECK(files_of(sources) == "a.cu ");
    CHECK(skipped_of(sources) == "loop (a link) out.cu (a link) pipe.cu (no regular file) ");
}
#endif

TEST_CASE("sources: a file with a source's name is read, whatever bytes are in it") {
    const TemporaryFolder folder;
    folder.write("a.cu", std::string("/* \0 */", 7));
    const PackageSources sources(folder.path(), false);
    CHECK(files_of(sources) == "a.cu ");
    CHECK(sources.find("a.cu")->text.size() == 7);
}

TEST_CASE("sources: a package's own kernels may lie in a folder that is called as a library is") {
    const TemporaryFolder folder;
    folder.write("csrc/cutlass/scaled_mm.cu", "x");
    folder.write("csrc/moe/cub/sort.cu", "x");
    folder.write("csrc/lib/cutlass/include/cutlass/cutlass.h", "x");
    folder.write("csrc/lib/cub/cub.cuh", "x");
    const PackageSources sources(folder.path(), false);
    CHECK(files_of(sources) == "csrc/cutlass/scaled_mm.cu csrc/moe/cub/sort.cu ");
    CHECK(skipped_of(sources) ==
          "csrc/lib/cub/ (vendored, or no part of the wheel) csrc/lib/cutlass/ (vendored, or no part of the wheel) ");
}

TEST_CASE("sources: the folder that is built is read, and of what lies beside it nothing") {
    const TemporaryFolder folder;
    for (const char* name : {"submodules/raster/k.cu", "submodules/raster/third_party/glm.h", "submodules/other/k.cu",
                             "submodules/setup.py", "setup.py"}) {
        folder.write(name, "x");
    }
    CHECK(files_of(PackageSources(folder.path(), false)) == "setup.py ");
    const PackageSources sources(folder.path(), false, "submodules/raster/");
    CHECK(files_of(sources) == "setup.py submodules/raster/k.cu ");
    CHECK(skipped_of(sources) ==
          "submodules/other/ (vendored, or no part of the wheel) submodules/raster/third_party/ (vendored, or no part "
          "of the wheel) ");
}

TEST_CASE("sources: what a build file builds a library of is read, wherever it lies") {
    const TemporaryFolder folder;
    folder.write("setup.py", "CUDAExtension('a', ['third_party/mine/k.cu', 'third_party/none.cu', '../x.cu'])\n");
    folder.write("CMakeLists.txt",
                 "add_library(a SHARED ${CMAKE_CURRENT_SOURCE_DIR}/src/test_k.cu)\n"
                 "add_executable(b tests/run.cu)\nadd_library(test_lib tests/lib.cu)\n");
    for (const char* name :
         {"third_party/mine/k.cu", "third_party/mine/b.cu", "src/test_k.cu", "tests/run.cu", "tests/lib.cu"}) {
        folder.write(name, "x");
    }
    const PackageSources sources(folder.path(), false);
    CHECK(files_of(sources) == "CMakeLists.txt setup.py src/test_k.cu third_party/mine/k.cu ");
    CHECK(skipped_of(sources) ==
          "tests/ (vendored, or no part of the wheel) third_party/ (vendored, or no part of the wheel) ");
}

#ifndef _WIN32  // few users of Windows may make links
TEST_CASE("sources: what a build file names is not followed out of the sources") {
    const TemporaryFolder folder;
    folder.write("in/setup.py", "CUDAExtension('a', ['third_party/k.cu', 'tests/link.cu'])\n");
    folder.write("out/k.cu", "x");
    folder.write("in/tests/x.cu", "x");
    std::filesystem::create_directory_symlink("../out", folder.path() / "in" / "third_party");
    std::filesystem::create_symlink("../../out/k.cu", folder.path() / "in" / "tests" / "link.cu");
    CHECK(files_of(PackageSources(folder.path() / "in", false)) == "setup.py ");
}
#endif

TEST_CASE("sources: scripts without an ending are told by their first line") {
    const TemporaryFolder folder;
    folder.write("build", "#!/bin/sh -e\n");
    folder.write("make-wheel", "#!/usr/bin/env bash\n");
    folder.write("run", "#!/usr/bin/env python3\n");
    folder.write("README", "x");
    folder.write("awk", "#!/usr/bin/awk -f\n");
    const PackageSources sources(folder.path(), false);
    CHECK(files_of(sources) == "build make-wheel run ");
    CHECK(sources.find("build")->language == SourceFile::Language::shell);
    CHECK(sources.find("make-wheel")->language == SourceFile::Language::shell);
    CHECK(sources.find("run")->language == SourceFile::Language::python);
}

TEST_CASE("sources: endings in any case, and of templates") {
    const TemporaryFolder folder;
    for (const char* name : {"a.CU", "b.H", "c.cu.jinja", "d.cuh.j2", "e.cu.in", "f.cuinc", "g.cu.txt"}) {
        folder.write(name, "x");
    }
    CHECK(files_of(PackageSources(folder.path(), false)) == "a.CU b.H c.cu.jinja d.cuh.j2 e.cu.in f.cuinc ");
}

TEST_CASE("sources: what Git LFS left in place of a source is named") {
    const TemporaryFolder folder;
    folder.write("a.cu", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n");
    folder.write("b.cu", "x");
    CHECK(skipped_of(PackageSources(folder.path(), false)) == "a.cu (a pointer of Git LFS) ");
}

TEST_CASE("sources: a build file of more than 4 MiB is named") {
    const TemporaryFolder folder;
    folder.write("setup.py", std::string((std::size_t{4} << 20) + 1, '\n'));
    folder.write("a.cu", "x");
    CHECK(skipped_of(PackageSources(folder.path(), false)) == "setup.py (too large) ");
}

TEST_CASE("sources: large files are kept too, and folders that are too deep are named") {
    const TemporaryFolder folder;
    folder.write("big.cu", std::string(std::size_t{1} << 20, 'x'));
    std::string deep;
    for (int i = 0; i < 70; ++i) {
        deep += "d/";
    }
    folder.write(deep + "x.cu", "x");
    const PackageSources sources(folder.path(), false);
    CHECK(files_of(sources) == "big.cu ");
    CHECK(sources.find("big.cu")->text.size() == std::size_t{1} << 20);
    REQUIRE(sources.skipped().size() == 1);
    CHECK(sources.skipped()[0].reason == "more than 64 folders deep");
}

TEST_CASE("sources: no folder") {
    const TemporaryFolder folder;
    const std::string file = folder.write("x", "").string();
    try {
        const PackageSources sources(file, false);
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::unchecked);
        CHECK(std::string(error.what()) == "the sources " + file + " are no folder");
    }
}

}  // namespace wheelarch
