// audit: published wheels against what the ledger says they are.
#pragma once

#include "base/error.hpp"
#include "cli/options.hpp"
#include "cli/reading.hpp"
#include "cli/totals.hpp"

namespace wheelarch {

// Exit 1 if a wheel is wrong, 3 if one could not be read; config-moved and unrecorded do not fail.
ExitCode audit(const AuditOptions& options, Streams streams, Totals& totals);

}  // namespace wheelarch
