// The options of some commands, which options.cpp adds to its own.
#pragma once

#include "cli/options.hpp"

namespace CLI {
class App;
}

namespace wheelarch {

struct LedgerCommands {
    RecordOptions record;
    RecordOptions collect;
    ShowOptions show;
    ListOptions list;
    BackfillOptions backfill;
    RetireOptions retire;
    LedgerPlace init;
};
void add_ledger(CLI::App& app, LedgerCommands& options);

struct FarmCommands {
    KeyOptions key;
    MatrixOptions matrix;
    PlanCommandOptions plan;
};
void add_farm(CLI::App& app, FarmCommands& options);

// --sources, --fetch, --cache, --everything.
void add_sources(CLI::App& command, SourceOptions& options);
void add_lint(CLI::App& app, LintOptions& options);

void add_audit(CLI::App& app, AuditOptions& options);

// --gh, --repo and --package.
void add_releases(CLI::App& command, ReleaseOptions& releases);

// --trust-git-config, of commands that open the repository of a ledger.
void add_trust(CLI::App& command, bool& trust_git_config);

// The options of every command that reads binaries.
void add_reading(CLI::App& command, ReadingOptions& reading);

}  // namespace wheelarch
