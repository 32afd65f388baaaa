#include "ledger/git_repo.hpp"

#include <doctest/doctest.h>

#include "ledger/repository.hpp"
#include "support/damage.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

const GitIdentity kSomeone = {.name = "example-org", .email = "builds@example.org"};

GitId commit_of(GitRepo& repo, const std::string& text, const GitId& parent = {}) {
    const GitId tree = repo.write_tree({}, {{.name = "file", .id = repo.write_blob(text)}});
    return repo.write_commit(tree, parent, kSomeone, "message\n");
}

TEST_CASE("what is written can be read by another") {
    const TemporaryFolder folder;
    make_repository(folder.path());
    GitRepo repo(folder.path());
    const GitId commit = commit_of(repo, "text");
    CHECK(repo.move_ref("refs/heads/b", {}, commit, "test") == RefMove::done);

    const GitRepo other(folder.path());
    CHECK(other.ref("refs/heads/b") == commit);
    CHECK(other.ref("refs/heads/c") == std::nullopt);
    const std::vector<GitTreeItem> items = other.tree(other.commit(commit).tree);
    REQUIRE(items.size() == 1);
    CHECK(items[0].name == "file");
    CHECK(items[0].kind == GitTreeItem::Kind::file);
    CHECK(other.blob(items[0].id) == "text");
    CHECK(GitRepo::blob_id("text") == items[0].id);
}

TEST_CASE("objects that are packed are known to others after store()") {
    const TemporaryFolder folder;
    make_repository(folder.path());
    GitRepo repo(folder.path());
    repo.write_packed();
    std::vector<GitTreeChange> files;
    for (int i = 0; i < 300; ++i) {
        files.push_back({.name = std::to_string(i), .id = repo.write_blob(std::to_string(i))});
    }
    const GitId tree = repo.write_tree({}, files);
    CHECK(error_text([&] {
              GitRepo(folder.path()).tree(tree);
          }).starts_with("object " + tree + " is not in this repository"));
    repo.store();
    repo.store();  // nothing new
    const GitRepo other(folder.path());
    CHECK(other.tree(tree).size() == 300);
    CHECK(other.blob(other.tree(tree)[7].id) == other.tree(tree)[7].name);
    CHECK(repo.tree(tree).size() == 300);
}

TEST_CASE("a folder is changed item by item") {
    const TemporaryFolder folder;
    make_repository(folder.path());
    GitRepo repo(folder.path());
    const GitId blob = repo.write_blob("x");
    const GitId sub = repo.write_tree({}, {{.name = "y", .id = blob}});
    const GitId before = repo.write_tree({}, {{.name = "a", .id = blob}, {.name = "b", .id = blob}});
    const GitId after = repo.write_tree(before, {{.name = "a", .id = {}}, {.name = "c", .id = sub, .folder = true}});
    const std::vector<GitTreeItem> items = repo.tree(after);
    REQUIRE(items.size() == 2);
    CHECK(items[0].name == "b");
    CHECK(items[1].name == "c");
    CHECK(items[1].kind == GitTreeItem::Kind::folder);
}

TEST_CASE("a name that is no part of a path is never written") {
    const TemporaryFolder folder;
    make_repository(folder.path());
    GitRepo repo(folder.path());
    const GitId blob = repo.write_blob("x");
    for (const std::string& name :
         {std::string(), std::string("."), std::string(".."), std::string(".git"), std::string(".GIT"),
          std::string("a/b"), std::string("a\\b"), std::string("a\0b", 3)}) {
        CAPTURE(name);
        const std::string text = error_text([&] { repo.write_tree({}, {{.name = name, .id = blob}}); });
        CHECK(text.find(
                  "cannot be the name of a file in the ledger\nfix: correct the entry's package and wheel file name") !=
              std::string::npos);
    }
}

TEST_CASE("a reference moves only from where it is expected") {
    const TemporaryFolder folder;
    make_repository(folder.path());
    GitRepo repo(folder.path());
    const std::string ref = "refs/heads/b";
    const GitId one = commit_of(repo, "1");
    const GitId two = commit_of(repo, "2", one);
    const GitId three = commit_of(repo, "3", two);
    CHECK(repo.move_ref(ref, one, two, "test") == RefMove::lost);  // it does not exist
    CHECK(repo.move_ref(ref, {}, one, "test") == RefMove::done);
    CHECK(repo.move_ref(ref, {}, two, "test") == RefMove::lost);
    CHECK(repo.move_ref(ref, one, two, "test") == RefMove::done);
    CHECK(repo.move_ref(ref, one, three, "test") == RefMove::lost);
    CHECK(repo.ref(ref) == two);
    folder.write(".git/refs/heads/b.lock", "");
    CHECK(repo.move_ref(ref, two, three, "test") == RefMove::locked);
    CHECK(repo.ref(ref) == two);
}

TEST_CASE("what cannot be read is an error that names the object") {
    const TemporaryFolder folder;
    make_repository(folder.path());
    GitRepo repo(folder.path());
    const std::string absent(40, 'a');
    CHECK(error_text([&] { repo.blob(absent); }) ==
          "object " + absent +
              " is not in this repository\nfix: in a partial clone (`--filter`, or a sparse checkout), bring the "
              "ledger here "
              "whole: `git fetch --refetch --no-filter REMOTE BRANCH`; in any other, see what `git fsck` says");
    const GitId blob = repo.write_blob("x");
    CHECK(error_text([&] { repo.tree(blob); }) == "object " + blob +
                                                      " is a blob of 1 bytes: expected a tree of at most "
                                                      "67108864\nfix: the branch holds something that is no ledger: "
                                                      "see its history");
    CHECK(error_text([&] { repo.commit("xyz"); }) ==
          "'xyz' is no object id of git: expected 40 hex digits\nfix: see what `git fsck` says of the repository");
}

TEST_CASE("a damaged object is an error") {
    const TemporaryFolder folder;
    make_repository(folder.path());
    const GitId blob = GitRepo(folder.path()).write_blob("some text that is long enough to be damaged");
    const std::string name = ".git/objects/" + blob.substr(0, 2) + "/" + blob.substr(2);
    std::filesystem::permissions(folder.path() / name, std::filesystem::perms::owner_all);  // else Windows keeps it
    std::filesystem::remove(folder.path() / name);
    folder.write(name, "no object");
    const std::string text = error_text([&] { GitRepo(folder.path()).blob(blob); });
    CHECK(text.starts_with("cannot read object " + blob + ": "));
    CHECK(text.ends_with("\nfix: see what `git fsck` says of the repository"));
}

TEST_CASE("the branch of a work tree is told from others") {
    const TemporaryFolder folder;
    make_repository(folder.path());
    GitRepo repo(folder.path());
    CHECK_FALSE(repo.checked_out("refs/heads/main"));  // not yet born
    const GitId commit = commit_of(repo, "1");
    for (const char* name : {"refs/heads/main", "refs/heads/b"}) {
        CHECK(repo.move_ref(name, {}, commit, "test") == RefMove::done);
    }
    CHECK(repo.checked_out("refs/heads/main"));
    CHECK_FALSE(repo.checked_out("refs/heads/b"));
    make_repository(folder.path() / "bare", true);
    GitRepo bare(folder.path() / "bare");
    CHECK(bare.move_ref("refs/heads/main", {}, commit_of(bare, "1"), "test") == RefMove::done);
    CHECK_FALSE(bare.checked_out("refs/heads/main"));
}

TEST_CASE("remotes and the author come from the configuration") {
    const TemporaryFolder folder;
    make_repository(folder.path());
    CHECK(GitRepo(folder.path()).remotes().empty());
    configure(folder.path(),
              "[remote \"up\"]\n\turl = https://example.org/a.git\n\tpushurl = https://example.org/b.git\n"
              "[user]\n\tname = example-org\n\temail = builds@example.org\n");
    const GitRepo repo(folder.path());
    CHECK(repo.remotes() == std::vector<std::string>{"up"});
    CHECK(repo.remote("up").url == "https://example.org/a.git");
    CHECK(repo.remote("up").push_url == "https://example.org/b.git");
    CHECK(repo.identity()->name == "example-org");
    CHECK(repo.identity()->email == "builds@example.org");
}

TEST_CASE("an identity can be no more than a name and an address in a commit") {
    const TemporaryFolder folder;
    make_repository(folder.path());
    configure(folder.path(), "[user]\n\tname = \" a\\nparent 0123 \"\n\temail = <builds@example.org>\n");
    CHECK(GitRepo(folder.path()).identity()->name == "aparent 0123");
    CHECK(GitRepo(folder.path()).identity()->email == "builds@example.org");
    configure(folder.path(), "[user]\n\tname = \"<>\"\n\temail = x\n");
    CHECK_FALSE(GitRepo(folder.path()).identity());
}

TEST_CASE("no repository, or one that is not understood, is an error that names the folder") {
    const TemporaryFolder folder;
    const std::string path = folder.path().string();
    CHECK(error_text([&] { GitRepo{folder.path()}; }).starts_with(path + ": not in a git repository\nfix: "));
    CHECK(error_text([&] { GitRepo{folder.path() / "absent"}; }) ==
          (folder.path() / "absent").string() +
              ": no such folder\nfix: give a folder of the repository that holds the ledger");
    make_repository(folder.path());
    configure(folder.path(), "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefstorage = reftable\n");
    CHECK(
        error_text([&] { GitRepo{folder.path()}; }) ==
        path +
            ": cannot open the git repository: unsupported extension name extensions.refstorage\nfix: a ledger needs a "
            "repository with SHA-1 objects and references as files (git's defaults: `git init --object-format=sha1 "
            "--ref-format=files`)");
}

}  // namespace
}  // namespace wheelarch
