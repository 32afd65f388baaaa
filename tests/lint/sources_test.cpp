#include "lint/sources.hpp"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

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
    for (const char* name :
         {"setup.py", "csrc/b.cu", "csrc/a.cuh", "csrc/notes.txt", "csrc/Cutlass/x.h", "third_party/y.cu", "tests/z.cu",
          "pkg/test_a.py", "pkg/ops.py", ".ci/build.sh", "CMakeLists.txt", "pyproject.toml", "csrc/k.cu.in"}) {
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

TEST_CASE("sources: links, pipes and binaries are named and not opened") {
    const TemporaryFolder folder;
    folder.write("a.cu", "x");
    folder.write("binary.cu", std::string("x\0y", 3));
    std::filesystem::create_directory_symlink("..", folder.path() / "loop");
    std::filesystem::create_symlink("/etc/passwd", folder.path() / "out.cu");
    REQUIRE(::mkfifo((folder.path() / "pipe.cu").c_str(), 0600) == 0);
    const PackageSources sources(folder.path(), false);
    CHECK(files_of(sources) == "a.cu ");
    CHECK(skipped_of(sources) == "binary.cu (no text) loop (a link) out.cu (a link) pipe.cu (no regular file) ");
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
