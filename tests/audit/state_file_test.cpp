#include "audit/state_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/error.hpp"
#include "support/temporary_folder.hpp"

using namespace wheelarch;

namespace {

AuditResult result_of(const std::string& file) {
    AuditResult result;
    result.file = file;
    result.package = "pkg";
    result.verdict = AuditVerdict::config_moved;
    result.sha256 = std::string(64, 'a');
    result.size = 12;
    result.observed = {{Arch{80}, Arch{90, 'a'}}, {Arch{90}}};
    result.recorded = {{{Arch{80}}, {}}, "8.0", {2, 1}, true, "2026-01-31T12:00:00Z"};
    result.policy = {"8.0;9.0", "arch_list in x.yml:3", {3, 1}};
    result.findings = {{"config-moved", Severity::notice, "x", "moved", "do"}};
    result.more_findings = 4;
    return result;
}

std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

constexpr FileMark kMark = {12, 99};

}  // namespace

TEST_CASE("state file: what was added is found by the next run, once, if the file is the same") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "state";
    {
        StateFile state(path, "d1");
        CHECK_FALSE(state.was_of_another());
        CHECK(state.found() == 0);
        state.add(kMark, result_of("a.whl"));
        state.add(kMark, result_of("b.whl"));
    }
    StateFile state(path, "d1");
    CHECK(state.found() == 2);
    CHECK_FALSE(state.take("a.whl", {13, 99}).has_value());
    CHECK_FALSE(state.take("a.whl", {12, 98}).has_value());
    CHECK_FALSE(state.take("c.whl", kMark).has_value());
    const auto result = state.take("a.whl", kMark);
    REQUIRE(result.has_value());
    CHECK(to_json(*result) == to_json(result_of("a.whl")));
    CHECK_FALSE(state.take("a.whl", kMark).has_value());
}

TEST_CASE("state file: what was unreadable is tried again, also if an older program kept it") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "state";
    AuditResult unreadable = result_of("b.whl");
    unreadable.verdict = AuditVerdict::unreadable;
    unreadable.findings[0].severity = Severity::error;
    {
        StateFile state(path, "d1");
        state.add(kMark, result_of("a.whl"));
        state.add(kMark, unreadable);
    }
    CHECK(StateFile(path, "d1").found() == 1);
    std::string line = content(path);
    line = line.substr(line.find('\n') + 1);
    line.replace(line.find("config-moved"), 12, "unreadable");
    line.replace(line.find("\"notice\""), 8, "\"error\"");
    line.replace(line.find("a.whl"), 5, "c.whl");
    write(path, content(path) + line);
    CHECK(StateFile(path, "d1").found() == 1);
}

TEST_CASE("state file: cut short at any byte, whole lines count and the torn one goes") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "state";
    {
        StateFile state(path, "d1");
        state.add(kMark, result_of("a.whl"));
        state.add(kMark, result_of("b.whl"));
    }
    const std::string whole = content(path);
    const std::size_t header = whole.find('\n') + 1;
    const std::size_t first = whole.find('\n', header) + 1;
    for (std::size_t size = header; size <= whole.size(); ++size) {
        write(path, whole.substr(0, size));
        const std::size_t lines = (size >= first ? 1 : 0) + (size == whole.size() ? 1 : 0);
        StateFile state(path, "d1");
        CHECK(state.found() == lines);
        state.add(kMark, result_of("c.whl"));
        CHECK(StateFile(path, "d1").found() == lines + 1);
    }
}

TEST_CASE("state file: lines that are no results are as if they were not there") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "state";
    {
        StateFile state(path, "d1");
        state.add(kMark, result_of("a.whl"));
    }
    const std::string whole = content(path);
    const std::string header = whole.substr(0, whole.find('\n') + 1);
    write(path, header + "\n{}\nnot json\n{\"size\":1,\"modified\":1,\"result\":{}}\n" + std::string(3 << 20, '[') +
                    "\n" + whole.substr(header.size()));
    CHECK(StateFile(path, "d1").found() == 1);
}

TEST_CASE("state file: of another sweep it begins anew, and what is none is left as it is") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "state";
    {
        StateFile state(path, "d1");
        state.add(kMark, result_of("a.whl"));
    }
    {
        StateFile other(path, "d2");
        CHECK(other.was_of_another());
        CHECK(other.found() == 0);
    }
    CHECK(StateFile(path, "d1").was_of_another());
    write(path, "my notes\n");
    CHECK_THROWS_WITH_AS(StateFile(path, "d1"),
                         (path.string() + ": it is no state file of `wheelarch audit`, and is left as it is").c_str(),
                         Error);
    CHECK(content(path) == "my notes\n");
    CHECK_THROWS_AS(StateFile(folder.path(), "d1"), Error);
    CHECK_THROWS_AS(StateFile(folder.path() / "no" / "state", "d1"), Error);
}
