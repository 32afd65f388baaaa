#include "cli/options.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/options_parts.hpp"
#include "cli/version.hpp"

namespace wheelarch {
namespace {

void add_inspect(CLI::App& app, InspectOptions& options) {
    CLI::App* command = app.add_subcommand("inspect", "What device code is in a file, a wheel or a folder of them");
    command->add_option("FILE", options.files, "wheel, .so, .pyd, .dll, .a, .o, .fatbin, .cubin, .ptx, or a folder")
        ->required();
    command->add_flag("--images", options.images, "list every image; opens all of them");
    add_reading(*command, options.reading);
    command->footer("Example: wheelarch inspect --json report.json dist/*.whl");
}

void add_build(CLI::App& command, BuildOptions& build) {
    command
        .add_option("--cell", build.cell,
                    "one row of the workflow's matrix as JSON, with what is known of the build; - is standard input")
        ->type_name("FILE");
    command
        .add_option("--farm", build.farm, "the folder of the farm's policy; default: the current one, if it has one")
        ->type_name("DIR");
    command
        .add_option("--build-epoch", build.build_epoch,
                    "the epoch, if neither the row nor the farm gives it; default 1")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        ->type_name("N");
    command
        .add_option("--package-epoch", build.package_epoch,
                    "the package's own epoch, if neither the row nor the farm gives it; default 0")
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000'000'000}))
        ->type_name("N");
    command.add_option("--source-commit", build.source_commit, "the commit of the sources that were built")
        ->type_name("SHA");
}

void add_request(CLI::App& command, AssertOptions& options) {
    command.add_option("WHEEL", options.wheels, "wheels, or folders of wheels")->required();
    command
        .add_option("--arch-list", options.arch_list,
                    "the requested archs: \"8.0;9.0+PTX\", or in CMake's or nvcc's notation")
        ->type_name("LIST");
    command
        .add_option("--cuda", options.cuda, "the CUDA release of the build: an arch that it cannot build is an error")
        ->type_name("VERSION");
    command
        .add_option("--torch", options.torch,
                    "the torch release of the build: a warning for what its cpp_extension refuses")
        ->type_name("VERSION");
    command
        .add_option("--expect-member", options.expect_members,
                    "extensions that are meant to differ, and the archs of each; can be repeated")
        ->type_name("GLOB=LIST")
        ->allow_extra_args(false);
    command.add_option("--device-code", options.device_code, "none: the wheel must have no device code")
        ->check(CLI::IsMember({"none", "required"}))
        ->type_name("none|required");
    command.add_flag_callback(
        "--count-embedded",
        [&options] {
            options.count_embedded = true;
            options.reading.search = true;
        },
        "device code in the data of members counts too: for a package that loads it by the driver's API");
    command.add_flag("--per-member", options.per_member,
                     "a member or region that lacks an arch of its neighbours fails");
    add_build(command, options.build);
    add_reading(command, options.reading);
}

void add_assert(CLI::App& app, AssertOptions& options) {
    CLI::App* command = app.add_subcommand("assert", "Exit 0 only if a wheel's archs equal the requested ones");
    add_request(*command, options);
    command->footer("Example: wheelarch assert --arch-list \"8.0;8.6;9.0+PTX\" dist/*.whl");
}

void add_gate(CLI::App& app, GateOptions& options) {
    CLI::App* command = app.add_subcommand(
        "gate", "Before the upload: assert, then stamp, then write WHEEL.ledger.json beside the wheel");
    add_request(*command, options.asserted);
    command
        ->add_option("--statement", options.statement,
                     "write an in-toto statement about the wheel (one wheel only), to be attested")
        ->type_name("FILE");
    command->footer("Example: wheelarch gate --cell row.json dist/*.whl");
}

void add_stamp(CLI::App& app, StampOptions& options) {
    CLI::App* command =
        app.add_subcommand("stamp", "Write _build_info.json into a wheel, without a verdict on its archs");
    command->add_option("WHEEL", options.wheels, "wheels, or folders of wheels")->required();
    command->add_option("--arch-list", options.arch_list, "what was requested; it is recorded, not asserted")
        ->type_name("LIST");
    add_build(*command, options.build);
    add_reading(*command, options.reading);
    command->footer("Example: wheelarch stamp --cell row.json dist/*.whl");
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

}  // namespace

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
    command.add_flag("--search", reading.search,
                     "also search the data of libraries for device code, as is always done in wheels");
    command.add_option("--json", reading.json, "write the whole result as JSON; - is standard output")
        ->type_name("FILE");
}

Options parse_options(const std::vector<std::string>& arguments, std::ostream& out) {
    Options options;
    InspectOptions inspect;
    AssertOptions asserted;
    CoverageOptions coverage;
    StampOptions stamp;
    GateOptions gate;
    LedgerCommands ledger;
    FarmCommands farm;
    LintOptions lint;
    AuditOptions audit;
    CLI::App app("wheelarch: assert that the archs in a CUDA wheel's fatbins are the requested ones", "wheelarch");
    app.set_version_flag("--version", std::string("wheelarch ") + version());
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 it holds, 1 it does not, 2 bad options, 3 could not be checked.\n"
        "Example: wheelarch assert --arch-list \"8.0;9.0+PTX\" dist/*.whl");
    add_inspect(app, inspect);
    add_assert(app, asserted);
    add_gate(app, gate);
    add_stamp(app, stamp);
    add_ledger(app, ledger);
    add_farm(app, farm);
    add_lint(app, lint);
    add_audit(app, audit);
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
    const std::string command = full_name(*innermost(&app)).substr(std::string_view("wheelarch ").size());
    const auto choose = [&](std::string_view name, auto& field, auto& value) {
        if (command == name) {
            field = std::move(value);
        }
    };
    choose("inspect", options.inspect, inspect);
    choose("assert", options.asserted, asserted);
    choose("coverage", options.coverage, coverage);
    choose("stamp", options.stamp, stamp);
    choose("gate", options.gate, gate);
    choose("ledger record", options.record, ledger.record);
    choose("ledger collect", options.record, ledger.collect);
    choose("ledger backfill", options.backfill, ledger.backfill);
    choose("ledger show", options.show, ledger.show);
    choose("ledger list", options.list, ledger.list);
    choose("ledger retire", options.retire, ledger.retire);
    choose("ledger init", options.init, ledger.init);
    choose("key", options.key, farm.key);
    choose("matrix", options.matrix, farm.matrix);
    choose("plan", options.plan, farm.plan);
    choose("lint", options.lint, lint);
    choose("audit", options.audit, audit);
    options.action = command == "action";
    return options;
}

}  // namespace wheelarch
