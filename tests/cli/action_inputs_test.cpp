#include "cli/action_inputs.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "cli/commands.hpp"

namespace wheelarch {
namespace {

std::string unused(const Inputs& inputs) {
    const auto command = std::find_if(action_commands().begin(), action_commands().end(),
                                      [&](const Command* one) { return last_word(*one) == inputs.at("command"); });
    const std::vector<Finding> findings = unused_inputs(inputs, **command);
    return findings.empty() ? "" : findings[0].message + " | " + findings[0].fix;
}

TEST_CASE("extra-args: a blank may stand for the = (U4)") {
    CHECK(extra_arguments(" --expect-member _C.so=8.0 \n\n--per-member\r\n--cuda=13.0\n--exclude  a b\npkg") ==
          std::vector<std::string>{"--expect-member=_C.so=8.0", "--per-member", "--cuda=13.0", "--exclude=a b", "pkg"});
}

TEST_CASE("extra-args: two options in one line are said") {
    std::string message;
    try {
        extra_arguments("--per-member --cuda=13.0");
    } catch (const Error& error) {
        message = std::string(error.what()) + " | " + error.fix();
        CHECK(error.code() == ExitCode::usage);
    }
    CHECK(message ==
          "the input 'extra-args' has two options in one line: '--per-member --cuda=13.0' | write one option a line, "
          "with its value behind a '='");
}

TEST_CASE("inputs: what a command does not read is said") {
    CHECK(unused({{"command", "gate"}, {"wheels", "x.whl"}, {"existing", "assets.json"}}) ==
          "`command: gate` does not read the input 'existing' | leave it out: 'existing' is for key, matrix, plan, "
          "audit, backfill");
    CHECK(
        unused({{"command", "plan"}, {"wheels", "x.whl"}, {"witness", "both"}}) ==
        "`command: plan` does not read the inputs 'wheels', 'witness' | leave them out: 'wheels' is for gate, assert, "
        "collect, audit, backfill; 'witness' is for gate, assert, audit, backfill");
    CHECK(unused({{"command", "matrix"}, {"sources", "src"}, {"lint", "false"}}) ==
          "`command: matrix` does not read the input 'sources' | leave it out: 'sources' is for `lint: true`");
}

TEST_CASE("inputs: defaults and what is read are not") {
    const Inputs defaults = {
        {"wheels", ""},      {"arch-list", ""}, {"matrix", "null"}, {"witness", "auto"},
        {"cuobjdump", "\n"}, {"existing", ""},  {"page", "1"},      {"ledger-branch", "wheel-ledger"},
        {"sources", ""},     {"token", "x"}};
    for (const char* command : {"gate", "assert", "collect", "key", "lint", "matrix", "plan", "audit", "backfill"}) {
        Inputs inputs = defaults;
        inputs["command"] = command;
        CHECK(unused(inputs) == "");
    }
    CHECK(unused({{"command", "matrix"}, {"sources", "src"}, {"lint", "true"}, {"page", "2"}}) == "");
    CHECK(unused({{"command", "key"}, {"matrix", "{}"}, {"ledger-branch", "other"}}) == "");
}

}  // namespace
}  // namespace wheelarch
