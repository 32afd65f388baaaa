// SARIF 2.1.0 (OASIS standard), the form in which code scanning takes findings.
#pragma once

#include "report/format.hpp"

namespace wheelarch {

// One run with every rule and each finding. Files are named as seen from the working folder; those of a root are
// relative to it, with its name as `uriBaseId`.
const Format& sarif_format();

}  // namespace wheelarch
