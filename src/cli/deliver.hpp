// Delivers a matrix: the page that is asked for to where a workflow takes it from, the whole to a file.
#pragma once

#include <boost/json/object.hpp>

#include "cli/options.hpp"
#include "cli/reading.hpp"
#include "cli/totals.hpp"
#include "plan/matrix.hpp"

namespace wheelarch {

// Writes the whole and its pages to `--output`, and without one the page to standard output if `print_page`; says how
// it is cut, and warns of what remains. Returns that for the JSON result. Throws an Error (exit 2) for a page that is
// not there.
boost::json::object deliver(const Matrix& whole, const GridOptions& options, bool print_page, Streams streams,
                            Totals& totals);

}  // namespace wheelarch
