#include "cli/parse.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "base/program_version.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"

namespace wheelarch {
namespace {

std::vector<std::string> known_words(const CLI::App& app) {
    std::vector<std::string> words;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        words.push_back(command->get_name());
    }
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            words.push_back("--" + name);
        }
    }
    return words;
}

// The innermost command that was named, or the program.
const CLI::App* innermost(const CLI::App* app) {
    const auto commands = app->get_subcommands();
    return commands.empty() ? app : innermost(commands.front());
}

// `wheelarch ledger show`.
std::string full_name(const CLI::App& command) {
    return command.get_parent() == nullptr ? command.get_name()
                                           : full_name(*command.get_parent()) + " " + command.get_name();
}

std::string hint(const CLI::App& app, const std::vector<std::string>& arguments) {
    const CLI::App& command = *innermost(&app);
    const std::vector<std::string> known = known_words(command);
    for (const std::string& argument : arguments) {
        const std::string word = argument.substr(0, argument.find('='));
        const bool is_known = std::find(known.begin(), known.end(), word) != known.end();
        const bool is_word = word.starts_with("--") || !command.get_subcommands({}).empty();
        const std::string nearest = is_known || !is_word ? "" : nearest_name(word, known);
        if (!nearest.empty()) {
            return fmt::format("did you mean {} instead of {}?", nearest, word);
        }
    }
    return fmt::format("see {} --help", full_name(command));
}

// CLI11 would only say that a command is required.
void refuse_unknown_command(const CLI::App& app, const std::vector<std::string>& arguments) {
    if (arguments.empty() || arguments.front().starts_with('-')) {
        return;
    }
    const std::vector<std::string> known = known_words(app);
    if (std::find(known.begin(), known.end(), arguments.front()) == known.end()) {
        throw bad_usage(fmt::format("unknown command '{}'", printable(arguments.front())), hint(app, arguments));
    }
}

// The group that a command is in, made when the first of it comes; the program for one that is in none.
CLI::App& parent_of(CLI::App& app, const std::string& name) {
    const std::size_t space = name.find(' ');
    if (space == std::string::npos) {
        return app;
    }
    const std::string word = name.substr(0, space);
    const auto known = app.get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
    if (!known.empty()) {
        return *known.front();
    }
    const auto group = std::find_if(command_groups().begin(), command_groups().end(),
                                    [&](const CommandGroup& one) { return one.name == word; });
    CLI::App& made = *app.add_subcommand(word, group->help);
    made.require_subcommand(1);
    made.footer("Example: " + group->example);
    return made;
}

std::map<const CLI::App*, BoundCommand> add_commands(CLI::App& app) {
    std::map<const CLI::App*, BoundCommand> bound;
    for (const Command& command : commands()) {
        CLI::App& added = *parent_of(app, command.name).add_subcommand(last_word(command), command.help);
        if (!command.example.empty()) {
            added.footer("Example: " + command.example);
        }
        Arguments arguments(added);
        bound[&added] = command.bind(arguments);
    }
    return bound;
}

}  // namespace

Invocation parse(const std::vector<std::string>& arguments) {
    CLI::App app("wheelarch: assert that the archs in a CUDA wheel's fatbins are the requested ones", "wheelarch");
    app.set_version_flag("--version", std::string("wheelarch ") + program_version());
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 it holds, 1 it does not, 2 bad options, 3 could not be checked.\n"
        "Example: wheelarch assert --arch-list \"8.0;9.0+PTX\" dist/*.whl");
    const std::map<const CLI::App*, BoundCommand> bound = add_commands(app);
    refuse_unknown_command(app, arguments);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::Success& asked) {  // --help, --version
        std::ostringstream answer;
        app.exit(asked, answer, answer);
        return {{}, answer.str()};
    } catch (const CLI::ParseError& error) {
        throw bad_usage(error.what(), hint(app, arguments));
    }
    return {bound.at(innermost(&app)), {}};
}

}  // namespace wheelarch
