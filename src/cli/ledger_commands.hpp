// ledger record, collect, show and list: the committed record of every published wheel.
#pragma once

#include "base/error.hpp"
#include "cli/options.hpp"
#include "cli/reading.hpp"
#include "cli/totals.hpp"

namespace wheelarch {

// `record` and `collect`: all entries in one commit. Exit 1 if a wheel is recorded differently and it is not
// `--replace`.
ExitCode record_entries(const RecordOptions& options, Streams streams, Totals& totals);

// Exit 1 if the wheel is not recorded.
// Exit 1 if one of them is still on the releases.
ExitCode retire_entries(const RetireOptions& options, Streams streams);

ExitCode init_ledger(const LedgerPlace& place, Streams streams);

ExitCode show_entry(const ShowOptions& options, Streams streams);

ExitCode list_entries(const ListOptions& options, Streams streams);

}  // namespace wheelarch
