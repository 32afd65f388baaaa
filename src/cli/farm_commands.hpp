// key, matrix and plan: what a farm builds, by its policy, its releases and its ledger.
#pragma once

#include "base/error.hpp"
#include "cli/options.hpp"
#include "cli/reading.hpp"
#include "cli/totals.hpp"

namespace wheelarch {

ExitCode key(const KeyOptions& options, Streams streams, Totals& totals);

ExitCode matrix(const MatrixOptions& options, Streams streams, Totals& totals);

// Exit 1 with `--check` if a list drifted.
ExitCode plan(const PlanCommandOptions& options, Streams streams, Totals& totals);

}  // namespace wheelarch
