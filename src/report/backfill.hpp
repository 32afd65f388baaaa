// What a backfill did, for people and as JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "audit/audit_report.hpp"
#include "audit/audit_result.hpp"
#include "base/finding.hpp"

namespace wheelarch {

struct BackfillReport {
    std::size_t all_wheels = 0;  // that were named
    std::optional<Shard> shard;
    std::size_t wheels = 0;  // of the shard

    std::size_t added = 0;
    std::size_t replaced = 0;
    std::size_t unchanged = 0;  // inferred before, of the same file
    std::size_t kept = 0;       // recorded by their builds
    std::size_t written = 0;    // entries that were written to `output`, and not committed
    std::size_t left_out = 0;   // in commits that were refused

    std::string ledger;  // its name
    std::string commit;  // the last one that was made; empty: none
    std::string output;  // the folder of the entries
    std::vector<AuditResult> failed;
    std::vector<Finding> refused;  // by the ledger
    boost::json::value cuobjdump;  // as in other results
};

// ok, conflict (another file was recorded under the name), wheel-wrong or unreadable: the worst.
std::string_view backfill_verdict(const BackfillReport& report);
// Two lines: how many of what, and where they are.
std::string backfill_text(const BackfillReport& report);
boost::json::object backfill_json(const BackfillReport& report);
// The errors among the findings.
std::vector<Finding> backfill_errors(const BackfillReport& report);

}  // namespace wheelarch
