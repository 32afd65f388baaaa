#include <CLI/CLI.hpp>

#include "cli/options_parts.hpp"

namespace wheelarch {

void add_audit(CLI::App& app, AuditOptions& options) {
    CLI::App* command =
        app.add_subcommand("audit", "Published wheels: what is in them, what is recorded, what the policy asks today");
    command->add_option("WHEEL", options.wheels, "wheels, or folders of wheels; with --merge, results of shards");
    add_releases(*command, options.releases);
    command->add_flag(
        "--by-digest", options.by_digest,
        "with --gh, do not download a wheel whose hash and size, as its release states them, are recorded");
    command
        ->add_option("--farm", options.farm,
                     "the folder of the farm's policy and of the ledger's repository; default: the current one")
        ->type_name("DIR");
    command->add_option("--branch", options.branch, "the branch of the ledger")
        ->capture_default_str()
        ->type_name("NAME");
    command->add_option("--remote", options.remote, "where that branch is; default: origin, or the only one there is")
        ->type_name("NAME");
    add_trust(*command, options.trust_git_config);
    command->add_flag("--offline", options.offline, "go by the ledger as it was last fetched");
    command->add_option("--jobs", options.jobs, "how many wheels are read at once; default: the number of cores")
        ->check(CLI::Range(1U, 1024U))
        ->type_name("N");
    command->add_option("--state", options.state, "keep what is done here, and go on from it if the run is interrupted")
        ->type_name("FILE");
    command->add_option("--shard", options.shard, "only this part of the wheels, of N parts of about the same size")
        ->type_name("I/N");
    command->add_flag("--merge", options.merge, "put results of all shards together, as --json wrote them");
    command->add_option("--markdown", options.markdown, "write the result as Markdown")->type_name("FILE");
    add_reading(*command, options.reading);
    command->footer("Example: wheelarch audit --farm . --state audit.state published/");
}

}  // namespace wheelarch
