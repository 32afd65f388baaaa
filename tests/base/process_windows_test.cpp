// The programs that these cases start are this one, which then runs one of the cases that are skipped otherwise.
#include "base/process.hpp"

#include <cstdio>
#include <cstdlib>

#include <doctest/doctest.h>

#include "base/setting.hpp"
#include "base/win32.hpp"
#include "support/damage.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

std::filesystem::path this_program() {
    std::wstring path(32768, L'\0');
    path.resize(::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
    return path;
}

ProcessResult run_case(const std::string& name, const std::vector<std::string>& arguments = {},
                       const ProcessLimits& limits = {}, const EnvironmentChanges& environment = {}) {
    std::vector<std::string> all = {"--no-skip", "--no-version", "--test-case=started: " + name, "--"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_program(this_program(), all, limits, environment);
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_CASE("started: prints its arguments" * doctest::skip()) {
    for (int i = 5; i < __argc; ++i) {
        std::printf("<%s>", __argv[i]);
    }
}
TEST_CASE("started: prints variables" * doctest::skip()) {
    for (const char* name : {"WHEELARCH_TEST_KEPT", "WHEELARCH_TEST_TAKEN", "WHEELARCH_TEST_NEW"}) {
        const char* value = std::getenv(name);
        std::printf("<%s>", value == nullptr ? "gone" : value);
    }
}
TEST_CASE("started: ends with 7" * doctest::skip()) {
    std::fputs("to error", stderr);
    std::fflush(stderr);
    std::_Exit(7);
}
TEST_CASE("started: crashes" * doctest::skip()) {
    ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(STATUS_ACCESS_VIOLATION));
}
TEST_CASE("started: hangs" * doctest::skip()) {
    ::Sleep(INFINITE);
}
TEST_CASE("started: prints much" * doctest::skip()) {
    const std::string text(300'000, 'x');
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

TEST_CASE("Windows: arguments reach the program as they are") {
    const ProcessResult result = run_case(
        "prints its arguments", {"a b", "", "%PATH%", "*", "a\"b", R"(C:\dir with space\)", R"(\\)", R"(\")", "ü世"});
    CHECK(has(result.output, R"(<a b><><%PATH%><*><a"b><C:\dir with space\><\\><\"><ü世>)"));
}

TEST_CASE("Windows: exit code, crash and time limit") {
    const ProcessResult seven = run_case("ends with 7");
    CHECK(seven.exit_code == 7);
    CHECK(seven.error == "to error");
    CHECK_FALSE(seven.crashed);
    CHECK(run_case("crashes").crashed);
    const ProcessResult hung = run_case("hangs", {}, {.time = std::chrono::seconds(0)});
    CHECK(hung.timed_out);
}

TEST_CASE("Windows: output past the limit is dropped, and both streams are read") {
    const ProcessResult result = run_case("prints much", {}, {.output = 1000});
    CHECK(result.output.size() == 1000);
    CHECK(result.error.size() == 1000);
    CHECK(result.cut);
    CHECK(result.exit_code == 0);
}

TEST_CASE("Windows: standard output goes to a file") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "file";
    CHECK(run_case("prints its arguments", {"x"}, {.into = file}).output.empty());
    CHECK(std::filesystem::file_size(file) > 3);
}

TEST_CASE("Windows: variables are set and taken away for the program alone") {
    const Setting kept("WHEELARCH_TEST_KEPT", "kept");
    const Setting taken("WHEELARCH_TEST_TAKEN", "here");
    const ProcessResult result =
        run_case("prints variables", {}, {}, {{"wheelarch_test_taken", std::nullopt}, {"WHEELARCH_TEST_NEW", "a=b c"}});
    CHECK(has(result.output, "<kept><gone><a=b c>"));
    CHECK(std::getenv("WHEELARCH_TEST_NEW") == nullptr);
}

TEST_CASE("Windows: batch files and what is no program are not started") {
    const TemporaryFolder folder;
    const std::string batch = folder.write("tool.CMD", "@echo off").string();
    CHECK(error_text([&] { run_program(batch, {}, {}); }) ==
          "cannot start " + batch +
              ": a batch file needs a shell, which is never used\nfix: name the program itself (.exe)");
    const std::string absent = (folder.path() / "absent.exe").string();
    CHECK(error_text([&] { run_program(absent, {}, {}); }) ==
          "cannot start " + absent +
              ": No such file or directory\nfix: check that the file is there and can be executed");
}

TEST_CASE("Windows: a program is found in the folders of PATH alone") {
    const TemporaryFolder folder;
    folder.write("a/tool.bat", "@echo off");
    folder.write("b/tool", "no program");
    const auto program = folder.write("c c/tool.exe", "a program");
    const std::string root = folder.path().string();
    const Setting path("PATH", ";.;" + root + "\\none;" + root + "\\a;" + root + "\\b;\"" + root + "\\c c\"");
    CHECK(find_on_path("tool") == program);
    CHECK(find_on_path("other").empty());
}

}  // namespace
}  // namespace wheelarch
