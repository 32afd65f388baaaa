#include <CLI/CLI.hpp>

#include "cli/options_parts.hpp"

namespace wheelarch {
namespace {

void add_farm_folder(CLI::App& command, std::string& farm) {
    command.add_option("--farm", farm, "the folder of the farm's policy")->capture_default_str()->type_name("DIR");
}

void add_json(CLI::App& command, std::string& json) {
    command.add_option("--json", json, "write the result as JSON; - is standard output")->type_name("FILE");
}

void add_ledger_place(CLI::App& command, ExistingOptions& options) {
    command.add_option("--branch", options.branch, "the branch of the ledger, which knows the wheels' epochs")
        ->capture_default_str()
        ->type_name("NAME");
    command.add_option("--remote", options.remote, "where that branch is; default: origin, or the only one there is")
        ->type_name("NAME");
    add_trust(command, options.trust_git_config);
    command.add_flag("--offline", options.offline, "go by the ledger as it was last fetched");
}

void add_existing(CLI::App& command, ExistingOptions& options, const std::string& otherwise) {
    command
        .add_option("--existing", options.existing,
                    "the assets that exist: names, or JSON as gh prints it; - is standard input; default: " + otherwise)
        ->type_name("FILE");
    command.add_option("--repo", options.repository, "the repository whose releases gh is asked for")
        ->type_name("OWNER/NAME");
    command.add_flag("--rebuild-replaced", options.rebuild_replaced,
                     "build what is not the recorded file too; else it is only said");
    command
        .add_option("--grace", options.grace_minutes,
                    "for so many minutes after its upload an asset that is not the recorded file is left alone, since "
                    "its entry may be on its way")
        ->capture_default_str()
        ->type_name("MINUTES");
    add_ledger_place(command, options);
}

void add_filter(CLI::App& command, const char* option, std::vector<std::string>& words, const char* type) {
    command.add_option(option, words, "only these; several with commas, can be repeated")
        ->type_name(type)
        ->allow_extra_args(false);
}

void add_grid(CLI::App& command, GridOptions& options) {
    add_farm_folder(command, options.farm);
    command
        .add_option("--versions", options.versions,
                    "what the sources say of their versions, as JSON: {\"package\": \"1.2.3\"}")
        ->type_name("FILE");
    add_filter(command, "--package", options.filters.packages, "NAME");
    add_filter(command, "--platform", options.filters.platforms, "NAME");
    add_filter(command, "--cuda", options.filters.cudas, "VERSION");
    add_filter(command, "--pytorch", options.filters.pytorches, "VERSION");
    add_filter(command, "--python", options.filters.pythons, "VERSION");
    command
        .add_option("--output", options.output,
                    "write the whole matrix here, and each page that GitHub takes beside it: matrix.page1.json and on")
        ->type_name("FILE");
    command.add_option("--page", options.page, "the page to print, of those that GitHub takes (256 jobs of a list)")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
        ->capture_default_str()
        ->type_name("N");
    add_json(command, options.json);
}

void add_key(CLI::App& app, KeyOptions& options) {
    CLI::App* command = app.add_subcommand("key", "The exists-check key of a cell, and whether its wheel exists");
    command->add_option("--cell", options.cell, "one row of the workflow's matrix as JSON; - is standard input")
        ->required()
        ->type_name("FILE");
    add_farm_folder(*command, options.farm);
    command->add_flag("--key-only", options.key_only, "do not ask whether the wheel exists");
    add_existing(*command, options.existing, "ask gh");
    add_json(*command, options.json);
    command->footer("Example: wheelarch key --cell row.json --existing assets.json");
}

void add_matrix(CLI::App& app, MatrixOptions& options) {
    CLI::App* command =
        app.add_subcommand("matrix", "The workflow's matrix without the cells whose wheel exists at the current epoch");
    command->add_option("--from", options.from, "filter this matrix; - is standard input; default: the farm's grid")
        ->type_name("FILE");
    command->add_flag("--all", options.all, "all cells, whether or not their wheel exists");
    command->add_flag(
        "--lint", options.lint,
        "first lint the packages that are in the matrix: on an error there is none, and the exit code is 1");
    add_sources(*command, options.sources);
    for (const char* option : {"--sources", "--fetch", "--cache", "--everything"}) {
        command->get_option(option)->needs("--lint");
    }
    add_grid(*command, options.grid);
    add_existing(*command, options.existing, "ask gh");
    command->footer("Example: wheelarch matrix --existing assets.json --package flash_attn --output matrix.json");
}

void add_plan(CLI::App& app, PlanCommandOptions& options) {
    CLI::App* command = app.add_subcommand("plan", "After a change of the policy: what to rebuild, and what drifted");
    command->add_flag("--changed-only", options.changed_only,
                      "of what is behind the epoch, rebuild only what gets another arch list; the ledger is told that "
                      "the rest is valid for the current epoch");
    command->add_flag("--dry-run", options.dry_run, "with --changed-only: leave the ledger as it is");
    command->add_flag("--check", options.check,
                      "exit 1 if an arch list has changed without a new epoch, or an asset is not the recorded file");
    command
        ->add_option(
            "--base", options.base,
            "compare the policy with that of this commit, without a ledger: what moved, what was forgotten, how "
            "many jobs it costs")
        ->type_name("REF");
    command->add_option("--markdown", options.markdown, "write the same as Markdown, for a comment")->type_name("FILE");
    command
        ->add_option("--explain", options.explain,
                     "why this cell is rebuilt or not: its key, or the file name of its wheel")
        ->type_name("CELL");
    command->add_flag("--gh", options.ask_gh, "ask gh for published wheels that are not recorded");
    add_grid(*command, options.grid);
    add_existing(*command, options.existing, "only what is recorded");
    command->footer("Example: wheelarch plan --check");
}

}  // namespace

void add_farm(CLI::App& app, FarmCommands& options) {
    add_key(app, options.key);
    add_matrix(app, options.matrix);
    add_plan(app, options.plan);
}

}  // namespace wheelarch
