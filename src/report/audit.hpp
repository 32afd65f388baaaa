// Results of an audit, for people, as JSON and as Markdown. Everything that comes from an input goes through
// `printable`.
#pragma once

#include <string>
#include <vector>

#include "audit/audit_report.hpp"
#include "audit/audit_result.hpp"
#include "report/outcome.hpp"

namespace wheelarch {

// A wheel that is not ok, with its evidence; nothing for one that is.
std::string audited_text(const AuditResult& result);
// The table of packages and verdicts, and what was gone by.
std::string audit_text(const AuditReport& report);

// The whole result. It is made as text, one wheel after the other, since it may be large.
std::string audit_json_text(const AuditReport& report);

// With all wheels that are not ok, the worst first.
Summary audit_summary(const AuditReport& report);

// What is to be annotated: the findings that are errors.
std::vector<Finding> audit_errors(const AuditReport& report);

}  // namespace wheelarch
