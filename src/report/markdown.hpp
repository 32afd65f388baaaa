// Markdown: for a workflow's job summary, and as the file that --markdown names. Everything that comes from an input is
// in code elements.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/finding.hpp"
#include "policy/arch_check.hpp"
#include "report/format.hpp"
#include "report/outcome.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

// Text from an input as an HTML code element: nothing in it is Markdown, HTML or the end of a table cell.
std::string markdown_code(std::string_view text);

// The verdict on one wheel.
std::string verdict_summary(const Inventory& inventory, const Verdict& verdict);
std::string error_summary(const Error& error);
// What a command that judges no wheel found; marked as failed if that fails the run.
std::string findings_summary(std::string_view title, const std::vector<Finding>& findings);

// At most about `most` bytes: without the table, and without the last items, if there is no room for them.
std::string to_markdown(const Summary& summary, std::size_t most);

const Format& markdown_format();

}  // namespace wheelarch
