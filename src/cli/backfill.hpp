// ledger backfill: published wheels that nothing is recorded of are recorded by what is in them, as inferred.
#pragma once

#include "base/error.hpp"
#include "cli/options.hpp"
#include "cli/reading.hpp"
#include "cli/totals.hpp"

namespace wheelarch {

// A wheel that cannot be recorded does not keep the others from it. Exit 1 if a wheel is wrong, or another file was
// recorded under its name; 3 if one could not be read.
ExitCode backfill(const BackfillOptions& options, Streams streams, Totals& totals);

}  // namespace wheelarch
