// Expected: what a wheel was held to, where that is not the arch list that was requested: `expected` of a build info.
// docs/build-info.schema.json describes it.
#pragma once

#include <string_view>

#include <boost/json/value.hpp>

#include "policy/arch_check.hpp"

namespace wheelarch {

// Null if the requirement asks for just the archs of `arch_list`.
boost::json::value expected_json(const Requirement& requirement, std::string_view arch_list);

// The other way: `expected` is an object of such a form, and `arch_list` (which may be empty) is what was requested.
// Throws an Error (exit 3) that names the key.
Requirement read_expected(const boost::json::object& expected, std::string_view arch_list);

}  // namespace wheelarch
