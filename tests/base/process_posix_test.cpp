#include "base/process.hpp"

#include <cstdlib>

#include <doctest/doctest.h>

#include "base/mapped_file.hpp"
#include "base/setting.hpp"
#include "support/damage.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

ProcessResult shell(const std::string& script, const ProcessLimits& limits = {}) {
    return run_program("/bin/sh", {"-c", script}, limits);
}

std::string content(const std::filesystem::path& file) {
    return std::string(MappedFile(file).view().text());
}

TEST_CASE("both streams and the exit code come back") {
    const ProcessResult result = shell("echo out; echo err >&2; exit 7");
    CHECK(result.output == "out\n");
    CHECK(result.error == "err\n");
    CHECK(result.exit_code == 7);
    CHECK_FALSE(result.crashed);
    CHECK_FALSE(result.timed_out);
    CHECK_FALSE(result.cut);
}

TEST_CASE("arguments reach the program as they are") {
    const ProcessResult result =
        run_program("/bin/sh", {"-c", "printf '<%s>' \"$@\"", "sh", "a b", "", "$HOME", "*", "'\"\\"}, {});
    CHECK(result.output == "<a b><><$HOME><*><'\"\\>");
}

TEST_CASE("standard input is empty") {
    CHECK(shell("cat; echo done").output == "done\n");
}

TEST_CASE("a program that dies of a signal has crashed") {
    const ProcessResult result = shell("kill -SEGV $$");
    CHECK(result.crashed);
    CHECK_FALSE(result.timed_out);
}

TEST_CASE("a program past its time limit is ended, and its children with it") {
    const ProcessResult result = shell("cat /dev/zero > /dev/null & wait", {.time = std::chrono::seconds(0)});
    CHECK(result.timed_out);
}

TEST_CASE("output past the limit is dropped, and the program runs to its end") {
    const ProcessResult result = shell("head -c 300000 /dev/zero | tr '\\0' x; echo end >&2", {.output = 1000});
    CHECK(result.output == std::string(1000, 'x'));
    CHECK(result.error == "end\n");
    CHECK(result.cut);
    CHECK(result.exit_code == 0);
}

TEST_CASE("standard output goes to a file, up to the limit") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.write("file", "what was there before");
    const ProcessResult result = shell("printf 0123456789; echo err >&2", {.into = file});
    CHECK(content(file) == "0123456789");
    CHECK(result.output.empty());
    CHECK(result.error == "err\n");
    CHECK_FALSE(result.cut);
    CHECK(shell("printf 0123456789", {.output = 4, .into = file}).cut);
    CHECK(content(file) == "0123");
}

TEST_CASE("a file for standard output that cannot be written is an error") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "absent" / "file";
    CHECK(error_text([&] { shell("echo x", {.into = file}); }) ==
          file.string() +
              ": cannot write the file\nfix: check that the folder can be written and the disk is not full");
}

TEST_CASE("much output on both streams does not block") {
    const ProcessResult result = shell("head -c 200000 /dev/zero; head -c 200000 /dev/zero >&2");
    CHECK(result.output.size() == 200000);
    CHECK(result.error.size() == 200000);
}

TEST_CASE("a program that closes its streams early is waited for") {
    const ProcessResult result = shell("echo out; exec >&- 2>&-; expr 1 + 1; exit 5");
    CHECK(result.output == "out\n");
    CHECK(result.exit_code == 5);
    CHECK_FALSE(result.timed_out);
}

TEST_CASE("a program that cannot be started is an error") {
    const TemporaryFolder folder;
    const std::string absent = (folder.path() / "absent").string();
    CHECK(error_text([&] { run_program(absent, {}, {}); }) ==
          "cannot start " + absent +
              ": No such file or directory\nfix: check that the file is there and can be executed");
    const std::string text = folder.write("text", "no program").string();
    CHECK(error_text([&] { run_program(text, {}, {}); }) ==
          "cannot start " + text + ": Permission denied\nfix: check that the file is there and can be executed");
}

TEST_CASE("variables are set and taken away for the program alone") {
    const Setting kept("WHEELARCH_TEST_KEPT", "kept");
    const Setting taken("WHEELARCH_TEST_TAKEN", "here");
    const ProcessResult result =
        run_program("/bin/sh", {"-c", "echo \"$WHEELARCH_TEST_KEPT ${WHEELARCH_TEST_TAKEN-gone} $WHEELARCH_TEST_NEW\""},
                    {}, {{"WHEELARCH_TEST_TAKEN", std::nullopt}, {"WHEELARCH_TEST_NEW", "a=b c"}});
    CHECK(result.output == "kept gone a=b c\n");
    CHECK(std::getenv("WHEELARCH_TEST_NEW") == nullptr);
    CHECK(std::string(std::getenv("WHEELARCH_TEST_TAKEN")) == "here");
}

TEST_CASE("the first executable file on the path is found") {
    const TemporaryFolder folder;
    folder.write("a/tool", "not executable");
    std::filesystem::create_directories(folder.path() / "b/tool");
    const auto program = folder.script("c/tool", "exit 0");
    folder.script("d/tool", "exit 0");
    const std::string root = folder.path().string();
    {
        const Setting path("PATH", "::" + root + "/none:" + root + "/a:" + root + "/b:" + root + "/c:" + root + "/d:");
        CHECK(find_on_path("tool") == program);
        CHECK(find_on_path("other").empty());
    }
    {
        const Setting path("PATH", "");
        CHECK(find_on_path("tool").empty());
    }
}

TEST_CASE("programs are looked for in whole paths only, and get no other") {
    const TemporaryFolder folder;
    const auto program = folder.script("tool", "echo \"$PATH\"");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    for (const char* path : {"", ".", ":", "./", "::.:bin"}) {
        const Setting search("PATH", path);
        CHECK(find_on_path("tool").empty());
    }
    {
        const Setting search("PATH", ".::" + folder.path().string() + ":bin:/usr/bin:/bin");
        CHECK(find_on_path("tool") == program);
        CHECK(run_program(program, {}, {}).output == folder.path().string() + ":/usr/bin:/bin\n");
    }
    std::filesystem::current_path(before);
}

TEST_CASE("a program gets no secret that it was not meant to have") {
    const Setting token("GH_TOKEN", "a");
    const Setting password("MY_password", "b");
    const Setting key("GIT_CONFIG_VALUE_0", "c");
    const Setting plain("WHEELARCH_TEST_PLAIN", "d");
    const auto seen = [](PassOn secrets) {
        return run_program("/bin/sh",
                           {"-c", "echo \"${GH_TOKEN-}.${MY_password-}.${GIT_CONFIG_VALUE_0-}.$WHEELARCH_TEST_PLAIN\""},
                           {.secrets = secrets})
            .output;
    };
    CHECK(seen(PassOn::nothing) == "...d\n");
    CHECK(seen(PassOn::settings) == "..c.d\n");
    CHECK(seen(PassOn::all) == "a.b.c.d\n");
    CHECK(is_kept_back("wheelarch_token", PassOn::all));
}

}  // namespace
}  // namespace wheelarch
