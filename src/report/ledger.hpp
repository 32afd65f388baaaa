// What is recorded of wheels, for people: stamps, ledger entries, commits. Everything that comes from an input goes
// through `printable`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "ledger/entry.hpp"
#include "ledger/ledger.hpp"
#include "wheel/stamp.hpp"

namespace wheelarch {

std::string stamped_text(const std::string& file_name, const Stamped& stamped);
std::string entry_written_text(const std::string& path);

// `recorded 2 wheels in wheel-ledger of origin, commit 1234abcd…`.
std::string appended_text(const Appended& appended, const std::string& ledger);
boost::json::object appended_json(const Appended& appended, const std::string& branch);

// One screen: what was requested, what is in it, epoch, policy, run, wheel, and what it replaced.
std::string entry_text(const Entry& entry);
// Where it was read.
std::string tip_text(const Ledger::Tip& tip);
boost::json::object tip_json(const Ledger::Tip& tip);

// A line for each wheel.
std::string entries_text(const std::vector<Entry>& entries);

// The run's page, or empty if it is not known.
std::string run_url(const boost::json::object& entry);

}  // namespace wheelarch
