// Plans and matrices, for people and as JSON. Everything that comes from an input goes through `printable`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "base/finding.hpp"
#include "plan/exists.hpp"
#include "plan/matrix.hpp"
#include "plan/plan.hpp"
#include "policy/key.hpp"

namespace wheelarch {

boost::json::object key_json(const ExistsKey& key, const Existing* existing, std::uint64_t current_epoch);
// The key, and below it what is there.
std::string key_text(const ExistsKey& key, const Existing* existing, std::uint64_t current_epoch);

// How a matrix is cut, for the step that takes a page of it.
struct PageReport {
    std::size_t jobs = 0;  // in all pages
    std::size_t page = 1;  // the one that was asked for
    std::size_t pages = 0;
    std::size_t page_jobs = 0;
    std::size_t remain = 0;                       // in the pages after it
    std::map<std::string, std::size_t> per_list;  // of the whole
};
PageReport report_pages(const Matrix& matrix, const std::vector<MatrixPage>& pages, std::size_t page);
// `700 jobs in 3 pages; page 1 has 512, 188 remain`, or that there is nothing to build.
std::string to_text(const PageReport& report);
boost::json::object page_json(const PageReport& report);

// Counts by state, then by package, then why; then what is left as it is.
std::string plan_text(const std::vector<PlannedCell>& plan);
// The same as Markdown, for a job summary or a comment.
std::string plan_summary(const std::vector<PlannedCell>& plan);
boost::json::object plan_json(const std::vector<PlannedCell>& plan);
// `drifted`, once for each change of a list; and `epoch-went-back` if a wheel is ahead of its package's epoch.
std::vector<Finding> drift_findings(const std::vector<PlannedCell>& plan);

}  // namespace wheelarch
