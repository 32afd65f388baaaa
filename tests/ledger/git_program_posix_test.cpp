#include "ledger/git_program.hpp"

#include <doctest/doctest.h>

#include "base/setting.hpp"
#include "support/damage.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

constexpr std::chrono::seconds kMinute(60);

// A `git` that runs a script of ours, and what comes of it.
class FakeGit {
public:
    explicit FakeGit(std::string_view script) : path_("PATH", folder_.path().string() + ":/usr/bin:/bin") {
        folder_.script("git", script);
    }
    GitRun run(const std::string& token = {}, const std::vector<std::string>& urls = {},
               std::chrono::seconds limit = kMinute) const {
        GitAccess access = {.token = token};
        for (const std::string& url : urls) {
            access.routes.push_back({url, url});
        }
        return GitProgram("/repo/.git", access).run({"verb", "argument"}, limit);
    }

private:
    TemporaryFolder folder_;
    Setting path_;
};

TEST_CASE("git is given the repository by name, and no hooks, prompts or housekeeping") {
    const Setting elsewhere("GIT_DIR", "/elsewhere");
    const Setting window("SSH_ASKPASS", "/bin/window");
    const FakeGit git(R"(printf '%s\n' "$@"; echo "$GIT_TERMINAL_PROMPT $LC_ALL ${GIT_DIR-none} ${SSH_ASKPASS-none}")");
    CHECK(git.run().output ==
          "-C\n/repo\n--git-dir=/repo/.git\n-c\nsafe.directory=/repo/.git\n-c\ncore.hooksPath=/dev/"
          "null\n-c\ncore.fsmonitor=false\n-c\ngc.auto=0\n-c\n"
          "maintenance.auto=false\n-c\nfetch.writeCommitGraph=false\n-c\nprotocol.allow=never\n-c\n"
          "protocol.https.allow=always\n-c\nprotocol.http.allow=always\n-c\nprotocol.ssh.allow=always\n-c\n"
          "protocol.file.allow=user\nverb\nargument\n0 C none none\n");
}

constexpr char kPrintSettings[] = R"(i=0
while [ "$i" -lt "${GIT_CONFIG_COUNT:-0}" ]; do
  eval "echo \"\$GIT_CONFIG_KEY_$i=\$GIT_CONFIG_VALUE_$i\"" | tr a-z A-Z
  i=$((i + 1))
done)";

TEST_CASE("a token goes to HTTP remotes, after what the caller and the configuration set") {
    const Setting count("GIT_CONFIG_COUNT", "1");
    const Setting key("GIT_CONFIG_KEY_0", "a.b");
    const Setting value("GIT_CONFIG_VALUE_0", "c");
    const FakeGit git(kPrintSettings);
    CHECK(git.run("token\n", {"https://user@example.org/a", "https://example.org/a", "git@example.org:a", "/local"})
              .output ==
          "A.B=C\nHTTP.HTTPS://EXAMPLE.ORG/A.EXTRAHEADER=\n"
          "HTTP.HTTPS://EXAMPLE.ORG/A.EXTRAHEADER=AUTHORIZATION: BASIC EC1HY2NLC3MTDG9RZW46DG9RZW4=\n"
          "CREDENTIAL.HELPER=\n");
    CHECK(git.run("", {"https://example.org/a"}).output == "A.B=C\n");
}

TEST_CASE("a token that would be more than one word of a header is bad usage") {
    for (const char* token : {"a b", "a\nb", "a\x01", "\xc3\xa9"}) {
        std::string text;
        try {
            GitProgram("/repo/.git", {.token = token});
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::usage);
            text = error.what();
        }
        CHECK(text == "the token holds blanks or characters that are not ASCII");
    }
}

TEST_CASE("secrets are struck out of what git says") {
    const FakeGit git(
        R"(echo "got s3cret"; echo "sent eC1hY2Nlc3MtdG9rZW46czNjcmV0 to https://me:pass@example.org/x and back" >&2)");
    const GitRun run = git.run("s3cret", {});
    CHECK(run.output == "got ***\n");
    CHECK(run.error == "sent *** to https://***@example.org/x and back\n");
    CHECK(run.ok());
}

TEST_CASE("git's words are one line that cannot be taken for a command") {
    GitRun run = {.exit_code = 1, .error = "  fatal: no\r\n\nhint: try\n::error::x\n\x1b[31mred\xff\n"};
    CHECK(GitProgram::words(run) == "fatal: no | : :error::x | \\x1b[31mred\\xff");
    run.error.clear();
    CHECK(GitProgram::words(run) == "exit 1");
    for (int i = 0; i < 20; ++i) {
        run.error += "line\n";
    }
    CHECK(GitProgram::words(run) ==
          "line | line | line | line | line | line | line | line | line | line | line | line | and 8 "
          "more lines");
}

TEST_CASE("a git that is not there, or crashes, is an error; one that hangs is ended") {
    {
        const FakeGit git("echo dying >&2; kill -SEGV $$");
        CHECK(error_text([&] { git.run(); }) ==
              "`git verb` was ended by a signal: dying\nfix: run it again; see whether the machine has run out of "
              "memory");
    }
    {
        const FakeGit git("exec tail -f /dev/null");
        const GitRun run = git.run("", {}, std::chrono::seconds(0));
        CHECK(run.timed_out);
        CHECK_FALSE(run.ok());
    }
    const Setting path("PATH", "");
    CHECK(error_text([] { GitProgram("/repo/.git", {}).run({"verb"}, kMinute); }) ==
          "there is no `git` in the folders of PATH, which fetching and pushing need\nfix: install git; reading a "
          "ledger, writing one in a repository without remotes, and lint --sources go without");
}

}  // namespace
}  // namespace wheelarch
