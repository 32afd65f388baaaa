#include "ledger/ledger.hpp"

#include <chrono>
#include <map>
#include <tuple>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/process.hpp"
#include "base/setting.hpp"
#include "ledger/git_repo.hpp"
#include "ledger/repository.hpp"
#include "ledger/writer_lock.hpp"
#include "support/damage.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

constexpr char kWheel[] = "pkg-1.0-cp312-cp312-linux_x86_64.whl";

Entry entry(const std::string& file_name = kWheel, char sha256 = 'a', const std::string& package = "pkg",
            const std::string& time = "2026-01-31T12:00:00Z") {
    return parse_entry(fmt::format(
        R"({{"schema": 1, "provenance": "recorded", "package": "{}", "version": "1.0", "arch_list": "9.0",
             "archs": {{"sass": ["sm_90"], "ptx": []}}, "build_epoch": 1, "members": [], "recorded_at": "{}",
             "wheel": {{"filename": "{}", "sha256": "{}", "size": 1}}}})",
        package, time, file_name, std::string(64, sha256)));
}

// A ledger in a bare repository without remotes.
struct Local {
    TemporaryFolder folder;
    Local() { make_repository(folder.path(), true); }

    Ledger open() const { return Ledger({.farm = folder.path()}); }
    Appended append(std::vector<Entry> entries, const AppendOptions& options = {}) const {
        return open().append(std::move(entries), options);
    }
    std::vector<std::string> paths() const {
        std::vector<std::string> list;
        open().each_text([&](const std::string& path, const Ledger::ReadText&) { list.push_back(path); });
        return list;
    }
    // Commits a tree of our own making.
    void commit(const std::map<std::string, std::map<std::string, std::string>>& folders) const {
        GitRepo repo(folder.path());
        std::vector<GitTreeChange> root;
        for (const auto& [name, files] : folders) {
            std::vector<GitTreeChange> changes;
            for (const auto& [file, text] : files) {
                changes.push_back({.name = file, .id = repo.write_blob(text)});
            }
            root.push_back({.name = name, .id = repo.write_tree({}, changes), .folder = true});
        }
        root.push_back({.name = "README.md", .id = repo.write_blob("a ledger\n")});
        const GitId commit =
            repo.write_commit(repo.write_tree({}, root), {}, {"example-org", "builds@example.org"}, "x");
        CHECK(repo.move_ref("refs/heads/wheel-ledger", {}, commit, "test") == RefMove::done);
    }
};

TEST_CASE("an entry that is recorded is found, by any spelling of its name") {
    const Local local;
    CHECK(local.open().tip() == std::nullopt);
    CHECK(local.open().find(kWheel) == std::nullopt);
    CHECK(local.open().name() == "wheel-ledger");
    CHECK_FALSE(local.open().has_remote());
    const std::string tags = "pkg-1.0+cu128-cp311.cp312-abi3-linux_x86_64.whl";
    const Appended appended = local.append({entry(), entry(tags)});
    CHECK(appended.added == 2);
    CHECK(appended.tries == 1);

    const Ledger ledger = local.open();
    CHECK(ledger.tip()->ref == "refs/heads/wheel-ledger");
    CHECK(ledger.tip()->commit == appended.commit);
    CHECK(canonical_text(ledger.find(kWheel)->json) == canonical_text(entry().json));
    CHECK(ledger.find("Pkg-1.0+CU128-cp312.cp311-abi3-linux_x86_64.whl")->file_name == tags);
    CHECK(ledger.find("pkg-1.1-cp312-cp312-linux_x86_64.whl") == std::nullopt);
    CHECK(error_text([&] { ledger.find("pkg.tar.gz"); }).starts_with("the file name does not end in .whl"));
    CHECK(local.paths() == std::vector<std::string>{"pkg/" + tags + ".json", std::string("pkg/") + kWheel + ".json"});
    std::size_t count = 0;
    ledger.each([&](const Entry& each) { count += each.package == "pkg" ? 1 : 0; });
    CHECK(count == 2);
}

TEST_CASE("a wheel in the folder of another package is found too") {
    const Local local;
    local.append({entry(kWheel, 'a', "another")});
    CHECK(local.open().find(kWheel)->package == "another");
}

TEST_CASE("recording the same again makes no commit") {
    const Local local;
    const std::string commit = local.append({entry()}).commit;
    const Appended again = local.append({entry(), entry(kWheel, 'a', "pkg", "2026-02-01T00:00:00Z")});
    CHECK(again.commit == commit);
    CHECK(again.unchanged == 2);
    CHECK(again.added == 0);
}

TEST_CASE("a wheel that is recorded differently is refused, and what came with it is recorded") {
    const Local local;
    local.append({entry()});
    const Appended refused = local.append({entry("pkg-2.0-cp312-cp312-linux_x86_64.whl"), entry(kWheel, 'b')});
    CHECK(refused.added == 1);
    CHECK(refused.commit == local.open().tip()->commit);
    REQUIRE(refused.refused.size() == 1);
    CHECK(refused.refused[0].rule == "already-recorded");
    CHECK(refused.refused[0].place == kWheel);
    CHECK(refused.refused[0].message == "the ledger holds another record of this wheel, pkg/" + std::string(kWheel) +
                                            ".json, which differs in wheel (that has sha256 " + std::string(64, 'a') +
                                            ", this one " + std::string(64, 'b') + ")");
    CHECK(refused.refused[0].fix ==
          "if this wheel takes the place of the recorded one (a rebuild), record it with --replace; if not, find out "
          "which of "
          "the two was published");
    const Appended none =
        local.append({entry("pkg-3.0-cp312-cp312-linux_x86_64.whl"), entry(kWheel, 'b')}, {.all_or_none = true});
    CHECK(none.commit.empty());
    CHECK(none.refused.size() == 1);
    CHECK(local.paths().size() == 2);
}

TEST_CASE("a replaced entry keeps what it replaced, and the old spelling goes away") {
    const Local local;
    local.append({entry("pkg-1.0-cp311.cp312-abi3-linux_x86_64.whl")});
    const std::string other = "pkg-1.0-cp312.cp311-abi3-linux_x86_64.whl";
    CHECK(local.append({entry(other, 'b')}).refused.size() == 1);
    const Appended replaced = local.append({entry(other, 'b')}, {.replace = true});
    CHECK(replaced.replaced == 1);
    CHECK(local.paths() == std::vector<std::string>{"pkg/" + other + ".json"});
    CHECK(local.open().find(other)->json.at("history").as_array().size() == 1);

    // To another package's folder: the old one is empty and goes too.
    CHECK(local.append({entry(other, 'b', "renamed")}, {.replace = true}).replaced == 1);
    CHECK(local.paths() == std::vector<std::string>{"renamed/" + other + ".json"});
    const GitRepo repo(local.folder.path());
    CHECK(repo.tree(repo.commit(*repo.ref("refs/heads/wheel-ledger")).tree).size() == 1);
}

Entry of_epochs(std::int64_t farm, std::int64_t package, const std::string& at, char sha256) {
    Entry one = entry(kWheel, sha256);
    one.json["schema"] = 2;
    one.json["build_epoch"] = farm;
    one.json["package_epoch"] = package;
    one.json["recorded_at"] = at;
    return one;
}

TEST_CASE("an older run does not take the place of a newer one") {
    const Local local;
    local.append({of_epochs(2, 1, "2026-02-01T00:00:00Z", 'a')});
    for (const auto& [farm, package, at] : {std::tuple(1, 1, "2026-03-01T00:00:00Z"),
                                            {2, 0, "2026-03-01T00:00:00Z"},
                                            {3, 0, "2026-03-01T00:00:00Z"},
                                            {2, 1, "2026-01-31T23:59:59Z"}}) {
        const Appended refused = local.append({of_epochs(farm, package, at, 'b')}, {.replace = true});
        REQUIRE(refused.refused.size() == 1);
        CHECK(refused.refused[0].rule == "older-than-recorded");
    }
    CHECK(local.append({of_epochs(2, 2, "2026-02-01T00:00:00Z", 'b')}, {.replace = true}).replaced == 1);
    CHECK(local.append({of_epochs(3, 2, "2026-02-02T00:00:00Z", 'c')}, {.replace = true}).replaced == 1);
}

TEST_CASE("records are retired under any spelling, and others stay") {
    const Local local;
    const std::string other = "pkg-2.0-cp312-cp312-linux_x86_64.whl";
    local.append({entry(), entry(other)});
    Ledger ledger = local.open();
    CHECK(ledger.retire({"Pkg-2.0-cp312-cp312-linux_x86_64.whl", "gone-1.0-py3-none-any.whl"}).names ==
          std::vector<std::string>{other});
    CHECK(local.paths() == std::vector<std::string>{"pkg/" + std::string(kWheel) + ".json"});
    const std::string commit = ledger.tip()->commit;
    CHECK(ledger.retire({other}).names.empty());
    CHECK(ledger.tip()->commit == commit);
    CHECK_THROWS_AS(ledger.init(), Error);
}

TEST_CASE("a ledger begins without entries") {
    const Local local;
    Ledger ledger = local.open();
    CHECK(ledger.init() == ledger.tip()->commit);
    CHECK(local.append({entry()}).added == 1);
    CHECK(local.paths().size() == 1);
}

TEST_CASE("two different entries for one wheel are refused whatever is recorded") {
    const Local local;
    CHECK(local.append({entry(), entry(kWheel, 'b'), entry("pkg-2.0-cp312-cp312-linux_x86_64.whl")}).added == 1);
    CHECK(local.paths() == std::vector<std::string>{"pkg/pkg-2.0-cp312-cp312-linux_x86_64.whl.json"});
}

TEST_CASE("two different entries for one wheel are refused even with replace") {
    const Local local;
    const Appended refused = local.append({entry(), entry(kWheel, 'b')}, {.replace = true});
    REQUIRE(refused.refused.size() == 1);
    CHECK(refused.refused[0].rule == "recorded-twice");
    CHECK(refused.refused[0].message ==
          "two of the entries are about this wheel, and differ in wheel (the first has sha256 " + std::string(64, 'a') +
              ", this one " + std::string(64, 'b') + ")");
    CHECK(local.open().tip() == std::nullopt);
}

// The same of a wheel that was only looked at.
Entry inferred(char sha256 = 'a', const std::string& reader = "0.1.0", const std::string& package = "pkg") {
    Entry looked_at = entry(kWheel, sha256, package);
    looked_at.json["provenance"] = "inferred";
    looked_at.json["arch_list"] = nullptr;
    looked_at.json["toolchain"] = {{"wheelarch", reader}};
    return looked_at;
}

std::string provenance_in(const Local& local) {
    return std::string(local.open().find(kWheel)->json.at("provenance").as_string());
}

TEST_CASE("what the build recorded takes the place of what was inferred, whatever the two say") {
    for (const char sha256 : {'a', 'b'}) {
        const Local local;
        local.append({inferred()});
        const Appended appended = local.append({entry(kWheel, sha256)});
        CHECK(appended.refused.empty());
        CHECK(appended.replaced == 1);
        const Entry now = *local.open().find(kWheel);
        CHECK(now.json.at("provenance") == "recorded");
        REQUIRE(now.json.at("history").as_array().size() == 1);
        CHECK(now.json.at("history").at(0).at("provenance") == "inferred");
    }
}

TEST_CASE("what was inferred takes another folder with it when it is recorded") {
    const Local local;
    local.append({inferred('a', "0.1.0", "pkg_by_name")});
    local.append({entry()});
    CHECK(local.paths() == std::vector<std::string>{std::string("pkg/") + kWheel + ".json"});
}

TEST_CASE("what is inferred never takes the place of what the build recorded") {
    for (const bool replace : {false, true}) {
        const Local local;
        const std::string commit = local.append({entry()}).commit;
        const Appended appended = local.append({inferred('b', "0.1.0", "another")}, {.replace = replace});
        CHECK(appended.kept == 1);
        CHECK(appended.refused.empty());
        CHECK(appended.replaced == 0);
        CHECK(local.open().tip()->commit == commit);
    }
}

TEST_CASE("what was inferred of the same file stays, unless it is to be replaced") {
    const Local local;
    const std::string commit = local.append({inferred()}).commit;
    CHECK(local.append({inferred()}).unchanged == 1);
    CHECK(local.append({inferred('a', "0.2.0")}).unchanged == 1);
    CHECK(local.open().tip()->commit == commit);
    CHECK(local.append({inferred('a', "0.2.0")}, {.replace = true}).replaced == 1);
    CHECK(local.open().find(kWheel)->json.at("toolchain").at("wheelarch") == "0.2.0");
}

TEST_CASE("what is inferred of another file is refused, unless it is to be replaced") {
    const Local local;
    local.append({inferred()});
    const Appended refused = local.append({inferred('b')});
    REQUIRE(refused.refused.size() == 1);
    CHECK(refused.refused[0].rule == "already-recorded");
    CHECK(local.append({inferred('b')}, {.replace = true}).replaced == 1);
    CHECK(local.open().find(kWheel)->json.at("history").as_array().size() == 1);
}

TEST_CASE("of what is recorded and inferred of one wheel at the same time, the record counts") {
    const std::vector<std::vector<Entry>> orders = {{inferred('b'), entry()}, {entry(), inferred('b')}};
    for (const std::vector<Entry>& both : orders) {
        const Local local;
        const Appended appended = local.append(both);
        CHECK(appended.added == 1);
        CHECK(appended.refused.empty());
        CHECK(provenance_in(local) == "recorded");
    }
}

TEST_CASE("nothing to record is an error") {
    CHECK(error_text([] { Local().append({}); }) ==
          "there are no entries to record\nfix: give entry files, or a folder that holds some");
}

TEST_CASE("many entries go into one commit") {
    const Local local;
    std::vector<Entry> entries;
    for (int i = 0; i < 500; ++i) {
        const std::string package = fmt::format("pkg{}", i % 7);
        entries.push_back(entry(fmt::format("{}-{}.0-cp312-cp312-linux_x86_64.whl", package, i), 'a', package));
    }
    CHECK(local.append(entries).added == 500);
    CHECK(local.paths().size() == 500);
    CHECK(local.append(entries).unchanged == 500);
    CHECK(local.append({entry()}).added == 1);
    CHECK(local.paths().size() == 501);
}

TEST_CASE("what is no entry on the branch is let be") {
    const Local local;
    local.commit({{"pkg", {{"notes.txt", "x"}, {"odd.json", "x"}}}, {".github", {{"x.whl.json", "x"}}}});
    CHECK(local.paths().empty());
    local.append({entry()});
    CHECK(local.paths().size() == 1);
    const GitRepo repo(local.folder.path());
    CHECK(repo.tree(repo.commit(*repo.ref("refs/heads/wheel-ledger")).tree).size() == 3);
}

TEST_CASE("an entry that cannot be read is an error that names it") {
    const Local local;
    const std::string file = std::string(kWheel) + ".json";
    local.commit({{"pkg", {{file, "{\"schema\": 1"}}}});
    CHECK(error_text([&] { local.open().find(kWheel); }).starts_with("wheel-ledger:pkg/" + file + ": "));
    CHECK(error_text([&] { local.append({entry()}, {.replace = true}); }).starts_with("pkg/" + file + ": "));
}

TEST_CASE("a file in the place of a package's folder is an error") {
    const Local local;
    local.commit({});
    CHECK(error_text([&] { local.append({entry(kWheel, 'a', "README.md")}); }) ==
          "'README.md' on the branch is no folder, so no entry can go into it\nfix: remove it from the branch, or keep "
          "the ledger "
          "on a branch of its own (--branch)");
}

TEST_CASE("the lock file of a killed program is removed, a fresh one is waited for") {
    const Local local;
    local.append({entry()});
    const auto lock = local.folder.write("refs/heads/wheel-ledger.lock", "");
    const Entry other = entry("pkg-2.0-cp312-cp312-linux_x86_64.whl");
    CHECK(error_text(
              [&] { Ledger({.farm = local.folder.path(), .time_limit = std::chrono::seconds(0)}).append({other}); })
              .find("wheel-ledger could not be moved: gave up after 1 try; the last said: refs/heads/wheel-ledger.lock "
                    "is there: "
                    "another program is moving the branch") == 0);
    CHECK(std::filesystem::exists(lock));
    std::filesystem::last_write_time(lock, std::filesystem::file_time_type::clock::now() - std::chrono::seconds(11));
    CHECK(local.append({other}).added == 1);
    CHECK_FALSE(std::filesystem::exists(lock));
}

#ifdef _WIN32
constexpr char kHowToSee[] = "";
#else
constexpr char kHowToSee[] = " (`fuser` on that file shows which it is)";
#endif

TEST_CASE("one writer at a time; a writer that waits in vain says for what") {
    const Local local;
    {
        const WriterLock held(local.folder.path(), Deadline::max());
        CHECK(error_text([&] { WriterLock(local.folder.path(), Deadline::min()); }) ==
              (local.folder.path() / "wheelarch.lock").string() +
                  " is still held by another wheelarch at the time limit\nfix: run it again when the other is done" +
                  kHowToSee);
    }
    CHECK(error_text([&] { WriterLock(local.folder.path(), Deadline::min()); }) == "no error");
    const auto absent = local.folder.path() / "absent";
    CHECK(error_text([&] { WriterLock(absent, Deadline::min()); }) ==
          "cannot open " + (absent / "wheelarch.lock").string() +
              ": No such file or directory\nfix: writing the ledger needs a repository that this user can write");
}

#ifndef _WIN32
TEST_CASE("a remote that hangs is an error at the time limit") {
    if (find_on_path("git").empty()) {
        MESSAGE("skipped: no git");
        return;
    }
    const TemporaryFolder folder;
    make_repository(folder.path());
    const std::string program = folder.script("hang", "exec tail -f /dev/null").string();
    configure(folder.path(),
              "[core]\n\tsshCommand = " + program + "\n[remote \"origin\"]\n\turl = ssh://example.invalid/x\n");
    const Setting ssh("GIT_SSH_COMMAND", std::nullopt);
    Ledger ledger({.farm = folder.path(), .trust_config = true, .time_limit = std::chrono::seconds(0)});
    CHECK(ledger.name() == "wheel-ledger of origin");
    CHECK(error_text([&] { ledger.fetch(); }) ==
          "cannot fetch wheel-ledger of origin: git fetch did not end within the time limit\nfix: check that the "
          "remote can be "
          "reached and that this user or token may read it");
    CHECK(ledger.tip() == std::nullopt);
}
#endif

}  // namespace
}  // namespace wheelarch
