// Command: all that there is to know of one command. Each is a file, command_<name>.cpp, and commands.cpp lists them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/action_line.hpp"
#include "cli/arguments.hpp"
#include "report/format.hpp"
#include "report/outcome.hpp"

namespace wheelarch {

// A command with options of its own, to be parsed into, and then run.
struct BoundCommand {
    std::function<Outcome(Listener&)> run;  // null: `action`, which runs another command
    std::shared_ptr<const Outputs> outputs;
};

struct Command {
    std::string name;  // as it is typed: `assert`, `ledger show`
    std::string help;
    std::string example;
    std::function<BoundCommand(Arguments&)> bind;
    // Makes arguments of the action's inputs, and thereby says which it takes; null: the action has no such command.
    void (*from_action)(ActionLine&) = nullptr;
};

// `Options` are the command's own; its member `outputs` says where results go.
template <typename Options>
std::function<BoundCommand(Arguments&)> bind(void (*declare)(Arguments&, Options&),
                                             Outcome (*run)(const Options&, Listener&)) {
    return [declare, run](Arguments& arguments) {
        const auto options = std::make_shared<Options>();
        declare(arguments, *options);
        return BoundCommand{[options, run](Listener& listener) { return run(*options, listener); },
                            std::shared_ptr<const Outputs>(options, &options->outputs)};
    };
}

}  // namespace wheelarch
