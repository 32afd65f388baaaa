// assert, stamp and gate: the commands that a build runs on its wheels before the upload.
#pragma once

#include "base/error.hpp"
#include "cli/options.hpp"
#include "cli/reading.hpp"
#include "cli/totals.hpp"

namespace wheelarch {

ExitCode assert_archs(const AssertOptions& options, Streams streams, Totals& totals);

// Stamps each wheel that says truly what it is.
ExitCode stamp(const StampOptions& options, Streams streams);

// First asserts all wheels, each of which must also say truly what it is. Only if all hold are they stamped, one after
// the other, and each gets its ledger entry. A wheel that was stamped by the same run before is left as it is.
ExitCode gate(const GateOptions& options, Streams streams, Totals& totals);

}  // namespace wheelarch
