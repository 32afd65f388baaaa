// Explain: why a cell is rebuilt or not, in five lines; and what a change of the policy comes to, as JSON.
#pragma once

#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "plan/plan.hpp"
#include "plan/policy_change.hpp"

namespace wheelarch {

// `asked` is a key, with or without its epochs, or the file name of a wheel. Added to `text`; the same words as
// JSON. Throws an Error (exit 2) if no cell of the plan is meant.
boost::json::array explain(const Farm& farm, const std::vector<PlannedCell>& plan, const std::string& asked,
                           bool assets_known, std::string& text);

boost::json::object change_json(const PolicyChange& change, const std::string& base);

}  // namespace wheelarch
