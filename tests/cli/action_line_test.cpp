#include "cli/action_line.hpp"

#include <memory>

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "base/setting.hpp"
#include "cli/commands.hpp"

using namespace wheelarch;

namespace {

using Words = std::vector<std::string>;

std::unique_ptr<ActionLine> line_of(const std::string& name, Inputs inputs) {
    inputs["command"] = name;
    auto line = std::make_unique<ActionLine>(std::move(inputs), Words{name});
    for (const Command* command : action_commands()) {
        if (last_word(*command) == name) {
            command->from_action(*line);
        }
    }
    return line;
}

}  // namespace

TEST_CASE("action line: options are one word each, empty inputs are none, and paths come last") {
    const auto line =
        line_of("assert", {{"arch-list", "8.0 --x"}, {"wheels", "a.whl\n  b.whl "}, {"extra-args", "--y"}});
    CHECK(line->finish("r.json") ==
          Words{"assert", "--arch-list=8.0 --x", "--json=r.json", "--y", "--", "a.whl", "b.whl"});
}

TEST_CASE("action line: what is not there is fetched, or is that of the releases") {
    CHECK(line_of("lint", {})->finish("r") == Words{"lint", "--fetch", "--json=r"});
    CHECK(line_of("lint", {{"sources", "s"}})->finish("r") == Words{"lint", "--sources=s", "--json=r"});
    CHECK(line_of("audit", {{"shard", "1/2"}})->finish("r") == Words{"audit", "--shard=1/2", "--gh", "--json=r"});
}

TEST_CASE("action line: inputs that the command does not take") {
    CHECK_THROWS_WITH_AS(line_of("gate", {{"wheels", "a"}, {"shard", "1/2"}})->finish("r"),
                         "the input 'shard' has no meaning for the command 'gate'", Error);
    CHECK_THROWS_WITH_AS(line_of("plan", {{"lint", "true"}})->finish("r"),
                         "the input 'lint' is for `command: matrix`, and this is plan", Error);
    CHECK_THROWS_WITH_AS(line_of("matrix", {{"lint", "yes"}})->finish("r"),
                         "the input 'lint' is 'yes', true or false is expected", Error);
    CHECK_THROWS_WITH_AS(line_of("key", {}), "the input 'matrix' is empty", Error);
}
