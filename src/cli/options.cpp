#include "cli/options.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/version.hpp"

namespace wheelarch {
namespace {

void add_reading(CLI::App& command, ReadingOptions& reading) {
    command
        .add_option(
            "--witness", reading.witness,
            "who reads: native (our reader), cuobjdump, both, or auto: both where cuobjdump is there and new enough")
        ->capture_default_str()
        ->type_name("MODE");
    command.add_option("--cuobjdump", reading.cuobjdump, "the cuobjdump to ask, if not the one that is found")
        ->type_name("PATH");
    command
        .add_option("--cuobjdump-timeout", reading.cuobjdump_timeout, "how long it may take for one file, in seconds")
        ->capture_default_str()
        ->check(CLI::Range(1U, 86400U))
        ->type_name("SECONDS");
    command.add_option("--exclude", reading.exclude, "members that are not judged: a pattern, can be repeated")
        ->type_name("GLOB")
        ->allow_extra_args(false);
    command
        .add_option("--include", reading.include,
                    "members that are ours though they look vendored: a pattern, can be repeated")
        ->type_name("GLOB")
        ->allow_extra_args(false);
    command.add_option("--json", reading.json, "write the whole result as JSON; - is standard output")
        ->type_name("FILE");
}

void add_inspect(CLI::App& app, InspectOptions& options) {
    CLI::App* command = app.add_subcommand("inspect", "What device code is in a file, a wheel or a folder of them");
    command->add_option("FILE", options.files, "wheel, .so, .pyd, .dll, .a, .o, .fatbin, .cubin, .ptx, or a folder")
        ->required();
    command->add_flag("--images", options.images, "list every image; opens all of them");
    add_reading(*command, options.reading);
    command->footer("Example: wheelarch inspect --json report.json dist/*.whl");
}

void add_assert(CLI::App& app, AssertOptions& options) {
    CLI::App* command = app.add_subcommand("assert", "Exit 0 only if a wheel's archs equal the requested ones");
    command->add_option("WHEEL", options.wheels, "wheels, or folders of wheels")->required();
    command
        ->add_option("--arch-list", options.arch_list,
                     "the requested archs: \"8.0;9.0+PTX\", or in CMake's or nvcc's notation")
        ->type_name("LIST");
    command
        ->add_option("--cuda", options.cuda, "the CUDA release of the build: an arch that it cannot build is an error")
        ->type_name("VERSION");
    command
        ->add_option("--torch", options.torch,
                     "the torch release of the build: a warning for what its cpp_extension refuses")
        ->type_name("VERSION");
    command
        ->add_option("--expect-member", options.expect_members,
                     "extensions that are meant to differ, and the archs of each; can be repeated")
        ->type_name("GLOB=LIST")
        ->allow_extra_args(false);
    command->add_option("--device-code", options.device_code, "none: the wheel must have no device code")
        ->check(CLI::IsMember({"none", "required"}))
        ->type_name("none|required");
    command->add_flag("--per-member", options.per_member,
                      "a member or region that lacks an arch of its neighbours fails");
    add_reading(*command, options.reading);
    command->footer("Example: wheelarch assert --arch-list \"8.0;8.6;9.0+PTX\" dist/*.whl");
}

void add_coverage(CLI::App& app, CoverageOptions& options) {
    CLI::App* command = app.add_subcommand("coverage", "Which GPUs run it natively, by JIT, or not at all");
    command->add_option("WHEEL", options.wheel, "a wheel or another file with device code");
    command->add_option("--arch-list", options.arch_list, "judge a list instead of a file")->type_name("LIST");
    command
        ->add_option("--gpu", options.gpus,
                     "only this GPU, by capability or name (9.0, H100); can be repeated. One that "
                     "cannot run it is exit 1")
        ->type_name("GPU")
        ->allow_extra_args(false);
    add_reading(*command, options.reading);
    command->footer("Example: wheelarch coverage --gpu 12.0 dist/pkg-1.0-cp312-cp312-linux_x86_64.whl");
}

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

// The words that the named command knows, or the program's if none was named.
const CLI::App* innermost(const CLI::App* app) {
    const auto commands = app->get_subcommands();
    return commands.empty() ? app : commands.front();
}

std::string hint(const CLI::App& app, const std::vector<std::string>& arguments) {
    const CLI::App& command = *innermost(&app);
    const std::vector<std::string> known = known_words(command);
    for (const std::string& argument : arguments) {
        const std::string word = argument.substr(0, argument.find('='));
        const bool is_known = std::find(known.begin(), known.end(), word) != known.end();
        const bool is_word = word.starts_with("--") || command.get_parent() == nullptr;
        const std::string nearest = is_known || !is_word ? "" : nearest_name(word, known);
        if (!nearest.empty()) {
            return fmt::format("did you mean {} instead of {}?", nearest, word);
        }
    }
    return fmt::format("see {} --help",
                       command.get_parent() == nullptr ? "wheelarch" : "wheelarch " + command.get_name());
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

}  // namespace

Options parse_options(const std::vector<std::string>& arguments, std::ostream& out) {
    InspectOptions inspect;
    AssertOptions asserted;
    CoverageOptions coverage;
    CLI::App app("wheelarch: assert that the archs in a CUDA wheel's fatbins are the requested ones", "wheelarch");
    app.set_version_flag("--version", std::string("wheelarch ") + version());
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 it holds, 1 it does not, 2 bad options, 3 could not be checked.\n"
        "Example: wheelarch assert --arch-list \"8.0;9.0+PTX\" dist/*.whl");
    add_inspect(app, inspect);
    add_assert(app, asserted);
    add_coverage(app, coverage);
    app.add_subcommand("action", "What action.yml runs: reads its inputs from WHEELARCH_INPUTS");
    refuse_unknown_command(app, arguments);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::Success& asked) {  // --help, --version
        app.exit(asked, out, out);
        return {};
    } catch (const CLI::ParseError& error) {
        throw bad_usage(error.what(), hint(app, arguments));
    }
    Options options;
    if (app.got_subcommand("inspect")) {
        options.inspect = std::move(inspect);
    } else if (app.got_subcommand("assert")) {
        options.asserted = std::move(asserted);
    } else if (app.got_subcommand("coverage")) {
        options.coverage = std::move(coverage);
    } else {
        options.action = true;
    }
    return options;
}

}  // namespace wheelarch
