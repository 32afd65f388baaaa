// Results of an audit, for people, as JSON and as Markdown. Everything that comes from an input goes through
// `printable`.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "audit/audit_report.hpp"
#include "audit/audit_result.hpp"

namespace wheelarch {

// A wheel that is not ok, with its evidence; nothing for one that is.
void print_audited(std::ostream& out, const AuditResult& result);
// The table of packages and verdicts, and what was gone by.
void print_audit_summary(std::ostream& out, const AuditReport& report);

// The whole result. It is made as text, one wheel after the other, since it may be large.
std::string audit_json_text(const AuditReport& report);

// At most `most` bytes, with as many of the wheels that are not ok as fit, the worst first.
std::string audit_markdown(const AuditReport& report, std::size_t most);

// What is to be annotated: the findings that are errors.
std::vector<Finding> audit_errors(const AuditReport& report);

}  // namespace wheelarch
