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

}  // namespace wheelarch
