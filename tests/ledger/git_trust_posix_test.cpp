#include "ledger/git_trust.hpp"

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/process.hpp"
#include "base/setting.hpp"
#include "support/damage.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

constexpr char kUuid[] = "0123abcd-0123-4567-89ab-0123456789ab";

class Checkout {
public:
    Checkout()
        : temporary_("RUNNER_TEMP", (folder_.path() / "temp").generic_string()), server_("GITHUB_SERVER_URL", "") {}

    // What is said of a configuration with this text; empty if it passes.
    std::string verdict(const std::string& text, const std::string& name = "git/config") {
        folder_.write(name, text);
        try {
            require_trustworthy(folder_.path() / "git");
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::unchecked);
            CHECK(std::string(error.what()).starts_with((folder_.path()).string()));
            const std::string problem = error.problem();
            return problem.substr(0, problem.find(". Git would"));
        }
        return {};
    }
    bool passes(const std::string& text) { return verdict(text).empty(); }
    TemporaryFolder& folder() { return folder_; }

private:
    TemporaryFolder folder_;
    Setting temporary_;
    Setting server_;
};

constexpr char kPlain[] =
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n"
    "[remote \"origin\"]\n\turl = https://github.com/example-org/farm\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
    "[gc]\n\tauto = 0\n[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = x\n";

TEST_CASE("what git itself and actions/checkout write passes") {
    Checkout checkout;
    CHECK(checkout.passes(kPlain));
    CHECK(checkout.passes("[http \"https://github.com/\"]\n\textraheader = AUTHORIZATION: basic eDo=\n"));
    CHECK(checkout.passes("[http \"https://ghes.example.org:8443/\"]\n\textraheader = AUTHORIZATION: basic ***\n"));
    CHECK(
        checkout.passes("[url \"https://github.com/\"]\n\tinsteadOf = git@github.com:\n"
                        "\tinsteadOf = org-123@github.com:\n"));
    CHECK(
        checkout.passes("[filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n"
                        "\tprocess = git-lfs filter-process\n\trequired = true\n[lfs]\n"
                        "\trepositoryformatversion = 0\n"));
    CHECK(
        checkout.passes("[remote \"origin\"]\n\turl = https://github.com/o/n\n\tpromisor = true\n"
                        "\tpartialclonefilter = blob:none\n[extensions]\n\tpartialClone = origin\n"
                        "\tworktreeConfig = true\n"));
    CHECK(checkout.passes(
        "[submodule]\n\tactive = .\n[submodule \"a\"]\n\turl = https://github.com/o/a\n\tupdate = merge\n"));
    CHECK(checkout.passes("[remote \"o\"]\n\turl = https://github.com/o/n\n\tpushurl = git@github.com:o/n\n"));
}

TEST_CASE("the include of checkout passes if it is of the runner's temporary folder and has a header alone") {
    Checkout checkout;
    const std::string base = checkout.folder().path().generic_string();
    const auto include = [&](const std::string& file) {
        return fmt::format("[includeIf \"gitdir:{}/git\"]\n\tpath = {}\n", base, file);
    };
    const std::string name = fmt::format("git-credentials-{}.config", kUuid);
    CHECK(checkout.passes(include("/github/runner_temp/" + name)));  // not there
    CHECK(checkout.passes(include(base + "/temp/" + name)));         // removed
    checkout.folder().write("temp/" + name,
                            "[http \"https://github.com/\"]\n\textraheader = AUTHORIZATION: basic eDo=\n");
    CHECK(checkout.passes(include(base + "/temp/" + name)));
    checkout.folder().write("elsewhere/" + name,
                            "[http \"https://github.com/\"]\n\textraheader = AUTHORIZATION: basic eDo=\n");
    CHECK_FALSE(checkout.passes(include(base + "/elsewhere/" + name)));
    CHECK_FALSE(checkout.passes(include(base + "/temp/../elsewhere/" + name)));
    CHECK_FALSE(checkout.passes(include(base + "/temp/other.config")));
    CHECK_FALSE(checkout.passes(include("temp/" + name)));
    CHECK_FALSE(checkout.passes(fmt::format("[includeIf \"onbranch:main\"]\n\tpath = {}/temp/{}\n", base, name)));
    CHECK_FALSE(checkout.passes(fmt::format("[include]\n\tpath = {}/temp/{}\n", base, name)));
    checkout.folder().write("temp/" + name, "[core]\n\tsshCommand = x\n");
    CHECK(checkout.verdict(include(base + "/temp/" + name)) ==
          "line 2: core.sshCommand is not as actions/checkout writes it");
    checkout.folder().write("temp/" + name, fmt::format("[include]\n\tpath = {}/temp/{}\n", base, name));
    CHECK_FALSE(checkout.passes(include(base + "/temp/" + name)));
    checkout.folder().write("temp/" + name, "[core]\n\tbare = true\n");
    CHECK_FALSE(checkout.passes(include(base + "/temp/" + name)));
}

TEST_CASE("the ssh command of checkout passes as it is, and no other does") {
    Checkout checkout;
    checkout.folder().script("ssh", "exit 1");
    const Setting path("PATH", checkout.folder().path().string());
    const std::string ssh = find_on_path("ssh").generic_string();
    const auto verdict = [&](const std::string& command) {
        std::string quoted;
        for (const char c : command) {
            quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
        }
        return checkout.passes(fmt::format("[core]\n\tsshCommand = \"{}\"\n", quoted));
    };
    const std::string id = kUuid;
    const std::string strict = " -o StrictHostKeyChecking=yes -o CheckHostIP=no";
    const std::string hosts = fmt::format(" -o \"UserKnownHostsFile=$RUNNER_TEMP/{}_known_hosts\"", id);
    const std::string start = fmt::format("\"{}\" -i \"$RUNNER_TEMP/{}\"", ssh, id);
    CHECK(verdict(start + strict + hosts));
    CHECK(verdict(start + hosts));
    CHECK_FALSE(verdict(start + strict));
    CHECK_FALSE(verdict(start + strict + hosts + " "));
    CHECK_FALSE(verdict(start + strict + hosts + " -o ProxyCommand=x"));
    CHECK_FALSE(verdict(start + " -o ProxyCommand=x" + hosts));
    CHECK_FALSE(verdict(fmt::format("\"{}x\" -i \"$RUNNER_TEMP/{}\"", ssh, id) + hosts));
    CHECK_FALSE(verdict(fmt::format("\"ssh\" -i \"$RUNNER_TEMP/{}\"", id) + hosts));
    CHECK_FALSE(verdict(fmt::format("\"{}\" -i \"$RUNNER_TEMP/$(x)\"", ssh) + hosts));
    CHECK_FALSE(verdict(ssh));
    CHECK_FALSE(verdict(""));
}

TEST_CASE("all else that has power is refused by name") {
    Checkout checkout;
    CHECK(checkout.verdict("[core]\n\tbare = true\n\tSSHCommand = x\n") ==
          "line 3: core.SSHCommand is not as actions/checkout writes it");
    CHECK(checkout.verdict("[core]\n\tgitProxy = x\n") == "line 2: core.gitProxy can start a program");
    CHECK(checkout.verdict("[http]\n\tproxy = x\n") ==
          "line 2: http.proxy can lead a request elsewhere or weaken its protection");
    CHECK(checkout.verdict("[include]\n\tpath = x\n") == "line 2: include.path makes git read or write other files");
    CHECK(checkout.verdict("[core]\n\tnew = x\n") == "line 2: core.new is a key that wheelarch does not know");
    for (const char* text :
         {"[remote \"o\"]url=ext::sh -c x",
          "[remote \"o\"]url=git://example.org/x",
          "[remote \"o\"]url",
          "[remote \"o\"]url=https://github.com/a\nurl=https://example.org/a",
          "[remote \"o\"]url=https://github.com/a\npushurl=https://example.org/a",
          "[remote \"o\"]pushurl=https://github.com/a",
          "[remote \"origin\"]url=https://github.com/a\n[remote \"o\"]url=https://example.org/\npromisor",
          "[extensions]partialClone=o",
          "[core]fsmonitor",
          "[core]fsmonitor=x",
          "[submodule \"a\"]update=!x",
          "[url \"https://example.org/\"]insteadOf=https://github.com/",
          "[url \"https://example.org/\"]insteadOf=git@github.com:",
          "[url \"http://github.com/\"]insteadOf=git@github.com:",
          "[url \"https://github.com/\"]pushInsteadOf=git@github.com:",
          "[url \"https://github.com/x/\"]insteadOf=git@github.com:",
          "[filter \"lfs\"]clean=x",
          "[filter \"x\"]clean=git-lfs clean -- %f",
          "[http]extraheader=AUTHORIZATION: basic eDo=",
          "[http \"https://github.com\"]extraheader=AUTHORIZATION: basic eDo=",
          "[http \"https://github.com/\"]extraheader=X: y",
          "[http \"https://github.com/\"]extraheader=AUTHORIZATION: basic a\\nX: y",
          "[http \"https://github.com/\"]extraheader"}) {
        CHECK_MESSAGE(!checkout.passes(text), text);
    }
    CHECK(checkout.passes("[core]fsmonitor=false\n[remote \"o\"]url=.."));
}

TEST_CASE("the configuration of a worktree counts, its own and the common one") {
    Checkout checkout;
    checkout.folder().write("git/commondir", "../common\n");
    checkout.folder().write("common/config", kPlain);
    CHECK(common_folder(checkout.folder().path() / "git") == checkout.folder().path() / "common");
    CHECK(checkout.verdict("[core]\n\tsparseCheckout = true\n", "git/config.worktree").empty());
    CHECK_FALSE(checkout.verdict("[core]\n\tpager = x\n", "git/config.worktree").empty());
    CHECK(checkout.verdict("", "git/config.worktree").empty());
    CHECK_FALSE(checkout.verdict("[core]\n\tpager = x\n", "common/config").empty());
}

}  // namespace
}  // namespace wheelarch
