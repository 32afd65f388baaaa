#include "cli/commands.hpp"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "cli/parse.hpp"

using namespace wheelarch;

TEST_CASE("commands: each has a name of its own, help, an example and a group that is there") {
    std::set<std::string> names;
    for (const Command& command : commands()) {
        CAPTURE(command.name);
        CHECK(names.insert(command.name).second);
        CHECK_FALSE(command.help.empty());
        CHECK(command.example.starts_with("wheelarch " + command.name) == (command.name != "action"));
        const std::string group = command.name.substr(0, command.name.find(' '));
        const bool has_group = std::any_of(command_groups().begin(), command_groups().end(),
                                           [&](const CommandGroup& one) { return one.name == group; });
        CHECK(has_group == (group != command.name));
    }
}

TEST_CASE("commands: the action has those that take its inputs") {
    for (const Command& command : commands()) {
        CAPTURE(command.name);
        const auto& all = action_commands();
        CHECK((std::find(all.begin(), all.end(), &command) != all.end()) == (command.from_action != nullptr));
    }
}

TEST_CASE("parse: a command, or an answer") {
    CHECK(parse({"inspect", "x.whl"}).command.run);
    CHECK_FALSE(parse({"action"}).command.run);
    CHECK(parse({"ledger", "show", "--help"}).answer.find("wheelarch ledger show") != std::string::npos);
    CHECK_THROWS_WITH_AS(parse({"ledger", "lst"}), "A subcommand is required", Error);
}
