#include "report/deliver.hpp"

#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "base/scratch.hpp"
#include "base/setting.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"

using namespace wheelarch;

namespace {

struct Streams {
    std::ostringstream out;
    std::ostringstream err;
    Delivery delivery{out, err};
};

Outcome outcome() {
    Outcome outcome;
    outcome.text = "text\n";
    outcome.result = boost::json::object({{"a", "##[x]"}});
    outcome.findings = located({{"some-rule", Severity::error, "pkg.whl", "wrong", {}}});
    outcome.summary = {"head\n", {}, {}, {}};
    outcome.outputs = {{"verdict", "ok"}};
    return outcome;
}

std::string content(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("deliver: standard output is for people, unless JSON goes there") {
    Streams people;
    people.delivery.deliver(outcome());
    CHECK(people.out.str() == "text\n");
    CHECK(people.delivery.step_outputs().at("verdict") == "ok");
    Streams program;
    Outputs outputs;
    outputs.offer(json_format()) = "-";
    program.delivery.start(outputs);
    program.delivery.text("left out");
    program.delivery.data("left out");
    program.delivery.remark("beside\n");
    program.delivery.deliver(outcome());
    CHECK(program.out.str() == "{\"a\":\"#\\u0023[x]\"}\n");
    CHECK(program.err.str() == "beside\n");
}

TEST_CASE("deliver: remarks stand beside data, and the data is no workflow command") {
    Streams streams;
    streams.delivery.reserve_for_data();
    streams.delivery.remark("beside\n");
    streams.delivery.data("{\"x\": \"##[error]\"}");
    CHECK(streams.out.str() == "{\"x\": \"#\\u0023[error]\"}\n");
    CHECK(streams.err.str() == "beside\n");
}

TEST_CASE("deliver: only on a runner are there annotations and a summary, and what fails does not cost the rest") {
    const ScratchFolder folder(".");
    const Setting summary("GITHUB_STEP_SUMMARY", (folder.path() / "summary").string());
    Streams local;
    local.delivery.deliver(outcome());
    CHECK(local.err.str().empty());
    CHECK_FALSE(std::filesystem::exists(folder.path() / "summary"));
    const Setting runner("GITHUB_ACTIONS", "true");
    Streams streams;
    Outputs outputs;
    outputs.offer(json_format()) = (folder.path() / "none" / "file").string();
    streams.delivery.start(outputs);
    CHECK_THROWS_AS(streams.delivery.deliver(outcome()), Error);
    CHECK(streams.out.str() == "text\n");
    CHECK(streams.err.str() == "::error title=wheelarch%3A some-rule::pkg.whl: wrong\n");
    CHECK(content(folder.path() / "summary") == "head\n");
    const Setting broken("GITHUB_STEP_SUMMARY", (folder.path() / "none" / "summary").string());
    Outputs markdown;
    markdown.offer(markdown_format()) = (folder.path() / "file.md").string();
    streams.delivery.start(markdown);
    CHECK_THROWS_AS(streams.delivery.deliver(outcome()), Error);
    CHECK(content(folder.path() / "file.md") == "head\n");
}

TEST_CASE("deliver: without a result there is nothing for a file") {
    const ScratchFolder folder(".");
    Streams streams;
    Outputs outputs;
    CHECK_FALSE(streams.delivery.wants_result());
    outputs.offer(json_format()) = (folder.path() / "file").string();
    streams.delivery.start(outputs);
    CHECK(streams.delivery.wants_result());
    streams.delivery.deliver({});
    CHECK_FALSE(std::filesystem::exists(folder.path() / "file"));
    outputs.offer(json_format()) = "-";
    streams.delivery.start(outputs);
    Outcome answer;
    answer.text = "text\n";
    streams.delivery.deliver(answer);
    CHECK(streams.out.str() == "text\n");
}
