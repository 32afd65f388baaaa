// Plans and matrices, for people and as JSON. Everything that comes from an input goes through `printable`.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "base/finding.hpp"
#include "plan/matrix.hpp"
#include "plan/plan.hpp"
#include "policy/key.hpp"

namespace wheelarch {

// How many cells are in each state, and what becomes of them.
struct PlanCounts {
    static constexpr std::size_t kStateCount = 6;
    std::array<std::size_t, kStateCount> by_state = {};
    std::size_t rebuild = 0;
    std::size_t carry = 0;

    void add(const PlannedCell& cell);
    std::size_t of(CellState state) const { return by_state.at(static_cast<std::size_t>(state)); }
    std::size_t all() const;
};

struct PlanReason {
    CellState state;
    std::string text;
    std::size_t cells = 0;
};

// What a plan comes to.
struct PlanTotals {
    PlanCounts counts;
    std::map<std::string, PlanCounts> packages;
    std::vector<PlanReason> reasons;            // why cells are not simply current, the most frequent first
    std::vector<std::string> bumps;             // what those were for that a stale wheel has not seen
    std::vector<std::string> replaced;          // assets that are not the recorded file, and are left as they are
    std::vector<std::string> older;             // wheels beside a current one of the same cell
    std::vector<std::string> retirable;         // recorded wheels that are for no cell; of a whole plan
    std::vector<std::string> unknown_versions;  // packages
    std::size_t blind = 0;                      // cells at the epoch of which nobody knows the list
    bool assets_known = false;
};
// `whole`: of all cells, without filters.
PlanTotals plan_totals(const Farm& farm, const std::vector<PlannedCell>& plan, const Recorded& recorded, bool whole,
                       bool assets_known);

// `standing`: null if it was not asked.
boost::json::object key_json(const ExistsKey& key, const Standing* standing, const Epochs& today);
// The key, and below it what is there.
std::string key_text(const ExistsKey& key, const Standing* standing, const Epochs& today,
                     const std::string& source_tag);

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
std::string plan_text(const PlanTotals& totals);
// The same as Markdown, for a job summary or a comment.
std::string plan_summary(const PlanTotals& totals);
boost::json::object plan_json(const PlanTotals& totals);
// `result` and in it the `cells`, of which there may be many.
void write_plan_json(std::ostream& out, const boost::json::object& result, const std::vector<PlannedCell>& plan);
// What --check fails for: `drifted`, once for each change of a list; `asset-replaced`, once for each package.
std::vector<Finding> drift_findings(const std::vector<PlannedCell>& plan);

}  // namespace wheelarch
