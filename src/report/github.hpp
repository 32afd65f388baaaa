// What a GitHub runner shows of a run: annotations, the job summary, step outputs. Limits and escaping as measured on
// the runner's sources; docs/action.md names them.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/finding.hpp"
#include "policy/arch_check.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

// Is this run a step of a GitHub workflow (GITHUB_ACTIONS=true)?
bool on_github();

// Workflow commands for the errors and warnings among the findings, at most 8 of each and then how many more there are:
// the runner keeps 10 of each per step. Notices are left to the log and the summary.
void annotate(std::ostream& out, const std::vector<Finding>& findings);
// The same of findings about lines of files, which the runner shows beside them. A path is relative to the workspace;
// it may be empty, and a line 0.
struct Annotation {
    Finding finding;
    std::string file;
    unsigned line = 0;
};
void annotate_lines(std::ostream& out, const std::vector<Annotation>& annotations);
// An error, to be annotated among findings.
Finding as_finding(const Error& error);

// Text from an input as an HTML code element: nothing in it is Markdown, HTML or the end of a table cell.
std::string markdown_code(std::string_view text);

// The verdict on one wheel as Markdown, for the job summary.
std::string verdict_summary(const Inventory& inventory, const Verdict& verdict);
std::string error_summary(const Error& error);
// What a command that judges no wheel found; marked as failed if that fails the run.
std::string findings_summary(std::string_view title, const std::vector<Finding>& findings);

// Appends to the file that GITHUB_STEP_SUMMARY names, if it does; what would pass the runner's size limit is left out.
void add_to_summary(std::string_view markdown);

// Appends `name` to the file that GITHUB_OUTPUT names, if it does. `value` may be any text: it stands between
// delimiters that it does not hold.
void set_output(std::string_view name, std::string_view value);

}  // namespace wheelarch
