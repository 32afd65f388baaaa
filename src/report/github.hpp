// What a GitHub runner shows of a run: annotations, the job summary, step outputs. Limits and escaping as measured on
// the runner's sources; docs/action.md names them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/finding.hpp"
#include "report/outcome.hpp"

namespace wheelarch {

// Is this run a step of a GitHub workflow (GITHUB_ACTIONS=true)?
bool on_github();

// Workflow commands for the errors and warnings among the findings, at most 8 of each and then how many more there are:
// the runner keeps 10 of each per step, and shows those with a file beside the line. Notices are left to the log and
// the summary.
std::string annotations(const std::vector<Located>& findings);
// An error, to be annotated among findings.
Finding as_finding(const Error& error);

// Appends to the file that GITHUB_STEP_SUMMARY names, if it does; what would pass the runner's size limit is left out.
void add_to_summary(std::string_view markdown);

// Appends `name` to the file that GITHUB_OUTPUT names, if it does. `value` may be any text: it stands between
// delimiters that it does not hold.
void set_output(std::string_view name, std::string_view value);

// All outputs that action.yml has; those that are not given are empty.
void set_outputs(const std::map<std::string, std::string>& outputs);

}  // namespace wheelarch
