#include "lint/fetch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "base/process.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

std::string git(const fs::path& folder, std::vector<std::string> arguments) {
    std::vector<std::string> all = {
        "-C", folder.string(), "-c", "user.name=nobody", "-c", "user.email=nobody@localhost"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const ProcessResult result = run_program(find_on_path("git"), all, {std::chrono::seconds(60)});
    REQUIRE_MESSAGE(result.exit_code == 0, result.error);
    return result.output.substr(0, result.output.find('\n'));
}

std::string content(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// A repository with two commits; the first is `v1`, an annotated tag.
struct Repository {
    TemporaryFolder folder;
    fs::path path = folder.path() / "up";
    std::string first;

    Repository() {
        fs::create_directory(path);
        git(path, {"init", "--quiet", "--initial-branch=main"});
        git(path, {"config", "uploadpack.allowAnySHA1InWant", "true"});
        folder.write("up/setup.py", "one");
        fs::create_symlink("/etc/passwd", path / "link.cu");
        git(path, {"add", "."});
        git(path, {"commit", "--quiet", "-m", "one"});
        git(path, {"tag", "-a", "-m", "first", "v1"});
        first = git(path, {"rev-parse", "HEAD"});
        folder.write("up/setup.py", "two");
        git(path, {"commit", "--quiet", "-a", "-m", "two"});
    }

    std::string url() const { return "file://" + path.string(); }
    SourceCache cache() const { return {folder.path() / "cache", ""}; }
};

std::string error_of(const SourceCache& cache, const SourceRef& source) {
    try {
        static_cast<void>(cache.get(source));
    } catch (const Error& error) {
        return std::to_string(static_cast<int>(error.code())) + " " + error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("fetch: a tag, a branch, a hash; links are small files") {
    const Repository up;
    const FetchedSources tag = up.cache().get({up.url(), "v1"});
    CHECK(tag.commit == up.first);
    CHECK(content(tag.folder / "setup.py") == "one");
    CHECK_FALSE(fs::is_symlink(tag.folder / "link.cu"));
    CHECK(content(tag.folder / "link.cu") == "/etc/passwd");
    CHECK_FALSE(fs::exists(tag.folder / ".git"));
    CHECK(content(up.cache().get({up.url(), "main"}).folder / "setup.py") == "two");
    CHECK(up.cache().get({up.url(), up.first}).folder == tag.folder);
}

TEST_CASE("fetch: a commit that is kept is not fetched again") {
    const Repository up;
    const FetchedSources first = up.cache().get({up.url(), up.first});
    fs::remove_all(up.path);
    CHECK(up.cache().get({up.url(), up.first}).folder == first.folder);
    // Nothing else is left beside it.
    CHECK(std::distance(fs::directory_iterator(first.folder.parent_path()), fs::directory_iterator()) == 1);
}

TEST_CASE("fetch: submodules, where the package asks for them") {
    const Repository up;
    const Repository sub;
    git(up.path, {"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.url(), "deps"});
    git(up.path, {"commit", "--quiet", "-m", "with a submodule"});
    CHECK_FALSE(fs::exists(up.cache().get({up.url(), "main", false}).folder / "deps/setup.py"));
    // git refuses submodules on this machine's own disk; that it is asked is seen by its answer.
    const std::string error = error_of(up.cache(), {up.url(), "main", true});
    CHECK(error.find("transport 'file' not allowed") != std::string::npos);
}

TEST_CASE("fetch: what cannot be fetched") {
    const Repository up;
    const SourceCache cache = up.cache();
    CHECK(error_of(cache, {up.url(), "v2"}) == "3 " + up.url() + " at v2: there is no tag or branch 'v2'");
    CHECK(error_of(cache, {up.url(), "--upload-pack=x"}) ==
          "2 " + up.url() + " at --upload-pack=x: the ref is no name of a tag, branch or commit");
    CHECK(error_of(cache, {"ext::sh -c x", "v1"}) ==
          "2 ext::sh -c x at v1: source_repo is 'ext::sh -c x', OWNER/NAME or a URL is expected");
    CHECK(error_of(cache, {"-x/y", "v1"}) == "2 -x/y at v1: source_repo is '-x/y', OWNER/NAME or a URL is expected");
    CHECK(error_of(cache, {"", "v1"}) == "2  at v1: source_repo is '', OWNER/NAME or a URL is expected");
    const std::string gone = "file://" + (up.folder.path() / "gone").string();
    CHECK(error_of(cache, {gone, "v1"}).starts_with("3 " + gone + " at v1: git refused: fatal: '"));
}

}  // namespace wheelarch
