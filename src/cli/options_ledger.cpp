#include <CLI/CLI.hpp>

#include "cli/options_parts.hpp"

namespace wheelarch {
namespace {

void add_branch(CLI::App& command, LedgerPlace& place) {
    command.add_option("--farm", place.farm, "a folder in the repository that has the ledger")
        ->capture_default_str()
        ->type_name("DIR");
    command.add_option("--branch", place.branch, "the branch of the ledger")->capture_default_str()->type_name("NAME");
    command
        .add_option("--remote", place.remote,
                    "where the branch is fetched from and pushed to; default: origin, or the only one there is")
        ->type_name("NAME");
    add_trust(command, place.trust_git_config);
}

void add_place(CLI::App& command, LedgerPlace& place) {
    add_branch(command, place);
    command.add_option("--json", place.json, "write the result as JSON; - is standard output")->type_name("FILE");
}

void add_record(CLI::App& ledger, RecordOptions& options) {
    CLI::App* command =
        ledger.add_subcommand("record", "Commit entries to the ledger, and again if others were faster");
    command->add_option("ENTRY", options.entries, "WHEEL.ledger.json files, as gate writes them")->required();
    command->add_flag("--replace", options.replace, "a rebuild: replace what is recorded of these wheels");
    add_place(*command, options.place);
    command->footer("Example: wheelarch ledger record dist/*.ledger.json");
}

void add_collect(CLI::App& ledger, RecordOptions& options) {
    CLI::App* command = ledger.add_subcommand("collect", "Commit all entries below a folder in one commit");
    command->add_option("DIR", options.entries, "folders that hold *.ledger.json, at any depth")->required();
    command->add_flag("--replace", options.replace, "a rebuild: replace what is recorded of these wheels");
    add_place(*command, options.place);
    command->footer("Example: wheelarch ledger collect artifacts/");
}

void add_show(CLI::App& ledger, ShowOptions& options) {
    CLI::App* command = ledger.add_subcommand("show", "What is recorded of a wheel, and what it replaced");
    command->add_option("NAME", options.name, "the wheel's file name, or a path to it")->required();
    command->add_flag("--fetch", options.fetch, "fetch the branch first");
    add_place(*command, options.place);
    command->footer("Example: wheelarch ledger show flash_attn-2.8.3+cu128torch2.8-cp312-cp312-linux_x86_64.whl");
}

void add_list(CLI::App& ledger, ListOptions& options) {
    CLI::App* command = ledger.add_subcommand("list", "The wheels that are recorded");
    command->add_option("--package", options.package, "only this package")->type_name("NAME");
    command->add_option("--cuda", options.cuda, "only those built with this CUDA release")->type_name("VERSION");
    command->add_option("--build-epoch", options.build_epoch, "only those of this epoch")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        ->type_name("N");
    command->add_option("--arch", options.arch, "only those that hold it: sm_90a, compute_90, or 9.0a for either")
        ->type_name("ARCH");
    command->add_option("--provenance", options.provenance, "only the recorded or the inferred ones")
        ->check(CLI::IsMember({"recorded", "inferred"}))
        ->type_name("recorded|inferred");
    command->add_flag("--fetch", options.fetch, "fetch the branch first");
    add_place(*command, options.place);
    command->footer("Example: wheelarch ledger list --package flash_attn --cuda 12.8 --arch sm_120");
}

void add_backfill(CLI::App& ledger, BackfillOptions& options) {
    CLI::App* command = ledger.add_subcommand(
        "backfill", "Record published wheels that nothing is recorded of, by what is in them: as inferred");
    command->add_option("WHEEL", options.wheels, "wheels, or folders of wheels");
    add_releases(*command, options.releases);
    command
        ->add_option("--output", options.output,
                     "write an entry for each wheel into this folder, to be collected, and commit nothing")
        ->type_name("DIR");
    command->add_flag("--replace", options.replace, "replace what was inferred before, of another file or this one");
    command->add_option("--shard", options.shard, "only this part of the wheels, of N parts of about the same size")
        ->type_name("I/N");
    command->add_option("--jobs", options.jobs, "how many wheels are read at once; default: the number of cores")
        ->check(CLI::Range(1U, 1024U))
        ->type_name("N");
    command->add_flag("--offline", options.offline, "go by the ledger as it was last fetched");
    add_branch(*command, options.place);
    add_reading(*command, options.reading);
    command->footer("Example: wheelarch ledger backfill published/");
}

void add_retire(CLI::App& ledger, RetireOptions& options) {
    CLI::App* command =
        ledger.add_subcommand("retire", "Take away the records of wheels that were pruned from the releases");
    command->add_option("NAME", options.names, "file names of wheels");
    command->add_option("--from", options.from, "a list of more of them, one a line; - is standard input")
        ->type_name("FILE");
    command
        ->add_option("--existing", options.existing.existing,
                     "the assets that exist, none of which may be retired; default: ask gh")
        ->type_name("FILE");
    command->add_option("--repo", options.existing.repository, "the repository whose releases gh is asked for")
        ->type_name("OWNER/NAME");
    add_place(*command, options.place);
    command->footer("Example: wheelarch ledger retire --existing assets.json pkg-1.0-cp39-cp39-linux_x86_64.whl");
}

void add_init(CLI::App& ledger, LedgerPlace& place) {
    CLI::App* command = ledger.add_subcommand(
        "init", "Begin a ledger without entries: after the old one was lost, or before `ledger: required` is set");
    add_place(*command, place);
    command->footer("Example: wheelarch ledger init");
}

}  // namespace

void add_releases(CLI::App& command, ReleaseOptions& releases) {
    command.add_flag("--gh", releases.ask_gh, "the wheels of the farm's releases, PACKAGE-latest, which gh downloads");
    command.add_option("--repo", releases.repository, "the repository that has the releases; implies --gh")
        ->type_name("OWNER/NAME");
    command
        .add_option(
            "--existing", releases.existing,
            "the assets of the releases, as gh api prints them, for many shards to go by one list; implies --gh")
        ->type_name("FILE");
    command
        .add_option("--package", releases.packages,
                    "with --gh, only the release of this package, can be repeated; default: all of the farm's policy")
        ->type_name("NAME")
        ->allow_extra_args(false);
}

void add_trust(CLI::App& command, bool& trust_git_config) {
    command.add_flag("--trust-git-config", trust_git_config,
                     "follow the repository's own git configuration, whatever it starts or asks");
}

void add_ledger(CLI::App& app, LedgerCommands& options) {
    CLI::App& ledger =
        *app.add_subcommand("ledger", "What is recorded of every published wheel, on a branch of its own");
    ledger.require_subcommand(1);
    ledger.footer("Example: wheelarch ledger show pkg-1.0-cp312-cp312-linux_x86_64.whl");
    add_record(ledger, options.record);
    add_collect(ledger, options.collect);
    add_show(ledger, options.show);
    add_list(ledger, options.list);
    add_backfill(ledger, options.backfill);
    add_retire(ledger, options.retire);
    add_init(ledger, options.init);
}

}  // namespace wheelarch
