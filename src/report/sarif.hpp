// SARIF 2.1.0 (OASIS standard), the form in which code scanning takes findings.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "lint/lint.hpp"

namespace wheelarch {

// One run with every rule and each finding that counts. What lint_ignore lets pass is left out, since code scanning
// passes over `suppressions` and would open an alert. Files are named as seen from the working folder; what was
// fetched, relative to its sources, with the package as `uriBaseId`.
boost::json::object lint_sarif(const std::vector<PackageLint>& results, const std::string& version);

}  // namespace wheelarch
