// The same results as stable JSON; docs/formats.md has the schema. `kSchema` grows when a field changes its meaning or
// goes away, not when one is added.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "policy/arch_check.hpp"
#include "policy/coverage.hpp"
#include "report/format.hpp"
#include "wheel/inventory.hpp"
#include "witness/cuobjdump.hpp"

namespace wheelarch {

inline constexpr int kSchema = 1;

// One element of `files` of `inspect --json`. `sha256` is of the file, in hex.
boost::json::object inventory_json(const Inventory& inventory, const std::string& sha256, bool images);
boost::json::object inspect_json(boost::json::array files);

// The result of `assert --json` for one wheel.
boost::json::object verdict_json(const Inventory& inventory, const std::string& sha256, const Verdict& verdict,
                                 const std::string& arch_list);

boost::json::object coverage_json(const ArchSet& archs, std::string_view source, const std::vector<Coverage>& coverage);

boost::json::array findings_json(const std::vector<Finding>& findings);

// Where it was found and of which release it is, or null.
boost::json::value cuobjdump_json(const std::optional<Cuobjdump>& cuobjdump);

// JSON that goes to standard output, which may be a runner's log: nothing in it is a workflow command.
std::string for_log(std::string text);

// The result as it is, and a newline.
const Format& json_format();

}  // namespace wheelarch
