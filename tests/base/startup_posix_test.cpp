#include "base/startup.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/mapped_file.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

TEST_CASE("a file that becomes shorter while it is read ends the program with its name") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.write("a\n.whl", std::string(100'000, 'x'));
    std::array<int, 2> ends = {};
    REQUIRE(::pipe(ends.data()) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::dup2(ends[1], STDERR_FILENO);
        start_up();
        const MappedFile other(folder.write("other.whl", "abc"));
        const MappedFile file(path);
        std::filesystem::resize_file(path, 0);
        ::_exit(file.view().text().find('y') == std::string_view::npos ? 0 : 1);
    }
    ::close(ends[1]);
    std::string said;
    std::array<char, 2000> piece = {};
    for (ssize_t count = 1; count > 0;) {
        count = ::read(ends[0], piece.data(), piece.size());
        said.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(ends[0]);
    CHECK(WEXITSTATUS(status) == 3);
    CHECK(said == "error: " + (folder.path() / "a\\n.whl").string() +
                      ": an input file became shorter, or its disk failed, while it was read\n");
}

}  // namespace
}  // namespace wheelarch
