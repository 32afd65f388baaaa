#include "base/mapped_file.hpp"

#include <filesystem>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "support/damage.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

TEST_CASE("a mapped file shows its bytes") {
    const TemporaryFolder folder;
    const MappedFile file(folder.write("a.bin", "abc"));
    CHECK(file.view().text() == "abc");
    CHECK(file.view().origin() == 0);
}

TEST_CASE("an empty file is an empty view") {
    const TemporaryFolder folder;
    CHECK(MappedFile(folder.write("empty", "")).view().empty());
    CHECK(MappedFile().view().empty());
}

TEST_CASE("what cannot be mapped is an error that says why") {
    const TemporaryFolder folder;
    CHECK(error_text([&] { MappedFile(folder.path() / "absent"); }) ==
          "cannot open the file: No such file or directory\nfix: check the path and its permissions");
    CHECK(error_text([&] { MappedFile(folder.path()); }) == "not a regular file\nfix: give the path of a file");
#ifdef _WIN32
    CHECK(error_text([&] { MappedFile("NUL"); }) == "not a regular file\nfix: give the path of a file");
#else
    CHECK(error_text([&] { MappedFile("/dev/null"); }) == "not a regular file\nfix: give the path of a file");
#endif
}

TEST_CASE("moving a mapping keeps its bytes where they are") {
    const TemporaryFolder folder;
    MappedFile first(folder.write("a.bin", "abc"));
    const ByteView view = first.view();
    MappedFile second(std::move(first));
    CHECK(second.view().data() == view.data());
    MappedFile third;
    third = std::move(second);
    CHECK(third.view().text() == "abc");
}

TEST_CASE("a small file can be copied") {
    const TemporaryFolder folder;
    const auto path = folder.write("a.bin", "abc");
    MappedFile file(path, 4);
    folder.write("a.bin", "xyz");
    const ByteView view = file.view();
    CHECK(view.text() == "abc");
    CHECK(MappedFile(path, 3).view().text() == "xyz");
    const MappedFile moved(std::move(file));
    CHECK(moved.view().data() == view.data());
    CHECK(moved.view().text() == "abc");
    CHECK(MappedFile(folder.write("empty", ""), 4).view().empty());
    CHECK(error_text([&] { MappedFile(folder.path(), 4); }) == "not a regular file\nfix: give the path of a file");
}

TEST_CASE("released pages can be read again") {
    const TemporaryFolder folder;
    std::string content(100'000, 'x');
    content.back() = 'y';
    const MappedFile file(folder.write("a.bin", content));
    release_pages(file.view());
    CHECK(file.view().text() == content);
    release_pages(file.view().slice(10, 20, "a few bytes"));
    release_pages(ByteView());
    CHECK(file.view().text() == content);
}

}  // namespace
}  // namespace wheelarch
