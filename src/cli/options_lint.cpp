#include <CLI/CLI.hpp>

#include "cli/options_parts.hpp"

namespace wheelarch {

void add_sources(CLI::App& command, SourceOptions& options) {
    CLI::Option* sources =
        command.add_option("--sources", options.sources, "a folder with one folder for each package")->type_name("DIR");
    command.add_flag("--fetch", options.fetch, "fetch the sources by git, at source_tag")->excludes(sources);
    command.add_option("--cache", options.cache, "where fetched sources are kept; default: the user's cache")
        ->type_name("DIR");
    command.add_flag("--everything", options.everything, "look at vendored trees, tests and examples too");
}

void add_lint(CLI::App& app, LintOptions& options) {
    CLI::App* command =
        app.add_subcommand("lint", "Sources of packages against the archs that the policy declares for them");
    command->add_option("PACKAGE", options.packages, "packages; default: all whose sources are there");
    command->add_option("--farm", options.farm, "the folder of the farm's policy")
        ->capture_default_str()
        ->type_name("DIR");
    add_sources(*command, options.sources);
    command->add_option("--json", options.json, "write the result as JSON; - is standard output")->type_name("FILE");
    command->add_option("--sarif", options.sarif, "write the findings as SARIF 2.1.0, for code scanning")
        ->type_name("FILE");
    command->add_option("--explain", options.explain, "what a rule is for; all lists them")->type_name("RULE");
    command->footer("Example: wheelarch lint sageattention --sources checkouts");
}

}  // namespace wheelarch
