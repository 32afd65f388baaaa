#include "wheel/replacement.hpp"

#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include "support/damage.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::ptrdiff_t files_in(const TemporaryFolder& folder) {
    return std::distance(std::filesystem::directory_iterator(folder.path()), {});
}

// Bytes that differ from place to place.
std::string long_text(std::size_t size) {
    std::string text;
    for (std::uint32_t state = 1; text.size() < size; state = state * 1664525 + 1013904223) {
        text += static_cast<char>(state >> 24U);
    }
    return text;
}

TEST_CASE("new and old bytes, short and long, in their order") {
    const TemporaryFolder folder;
    const std::string old = long_text(std::size_t{5} << 20U);
    const std::string made = long_text(std::size_t{3} << 20U);
    const auto path = folder.write("file", old);
    {
        Replacement replacement(path);
        CHECK(replacement.old().text() == old);
        replacement.append("start");
        replacement.append_old(replacement.old().clipped(3, 10));
        replacement.append_old(replacement.old().clipped(1000, std::uint64_t{4} << 20U));
        replacement.append(made);
        replacement.append_old(replacement.old().clipped(0, 0));
        const std::string expected = "start" + old.substr(3, 10) + old.substr(1000, std::size_t{4} << 20U) + made;
        CHECK(replacement.written().view().text() == expected);
        CHECK(content_of(path) == old);
        replacement.append("end");
        replacement.commit();
        CHECK(content_of(path) == expected + "end");
    }
    CHECK(files_in(folder) == 1);
}

TEST_CASE("what is not committed leaves nothing behind") {
    const TemporaryFolder folder;
    const auto path = folder.write("file", "old");
    {
        Replacement replacement(path);
        replacement.append("new");
        CHECK(files_in(folder) == 2);
    }
    CHECK(content_of(path) == "old");
    CHECK(files_in(folder) == 1);
}

#ifndef _WIN32  // which replaces no file that is mapped
TEST_CASE("a file that another program has replaced is left alone") {
    const TemporaryFolder folder;
    const auto path = folder.write("file", "old");
    {
        Replacement replacement(path);
        replacement.append("ours");
        std::filesystem::rename(folder.write("other", "theirs"), path);
        CHECK(error_text([&] { replacement.commit(); }) ==
              "the file has been replaced meanwhile\nfix: let nothing else write to it, and run this again");
    }
    CHECK(content_of(path) == "theirs");
    CHECK(files_in(folder) == 1);
}
#endif

TEST_CASE("what cannot be replaced") {
    const TemporaryFolder folder;
    CHECK(error_text([&] { Replacement replacement(folder.path() / "none"); }) ==
          "cannot open the file: No such file or directory\nfix: check the path and its permissions");
    CHECK(error_text([&] { Replacement replacement(folder.path()); }) ==
          "not a regular file\nfix: give the path of a file");
    CHECK(files_in(folder) == 0);
}

}  // namespace
}  // namespace wheelarch
