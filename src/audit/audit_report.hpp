// AuditReport: the results of a sweep, or of a shard of one, as `audit --json` has them; and shards put together again.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "audit/audit_result.hpp"

namespace wheelarch {

// I of N, from 1.
struct Shard {
    std::size_t index = 1;
    std::size_t count = 1;

    auto operator<=>(const Shard&) const = default;
};
inline constexpr std::size_t kMostShards = 10'000;

// `2/8`. Throws an Error (exit 2).
Shard parse_shard(std::string_view text);
// By a hash of the wheel's file name: the same on every machine, whatever else is in the list.
bool is_in_shard(const Shard& shard, std::string_view file_name);
// Which of these file names are, by their positions; without a shard all.
std::vector<std::size_t> positions_in(const std::optional<Shard>& shard, const std::vector<std::string>& file_names);

struct AuditReport {
    struct Numbered {
        std::size_t position = 0;  // in the list of the whole sweep
        AuditResult result;
    };
    std::vector<Numbered> results;
    std::size_t wheels = 0;        // of the whole sweep
    std::string list;              // digest of their names, in order, in hex
    std::optional<Shard> shard;    // none: all of it
    boost::json::value ledger;     // as in `ledger show --json`
    boost::json::value policy;     // `farm` and `sha256`, or null
    boost::json::value cuobjdump;  // as in other results
};

// How many wheels have each verdict.
struct VerdictCounts {
    std::array<std::size_t, kAuditVerdicts.size()> by_verdict = {};

    void add(AuditVerdict verdict) { ++by_verdict.at(static_cast<std::size_t>(verdict)); }
    std::size_t of(AuditVerdict verdict) const { return by_verdict.at(static_cast<std::size_t>(verdict)); }
};
VerdictCounts count_verdicts(const AuditReport& report);
std::map<std::string, VerdictCounts> count_by_package(const AuditReport& report);
// The worst; ok if there are none.
AuditVerdict worst_verdict(const AuditReport& report);

// The digest of a list of file names.
std::string digest_of_list(const std::vector<std::string>& file_names);

// Reads what `audit --json` wrote. Throws an Error (exit 2) if it is something else.
AuditReport parse_audit_report(std::string_view text);

// All shards of one sweep, given in any order with a name for messages each. Throws an Error: exit 2 if one is there
// twice or they are of different sweeps, exit 3 if a shard or a wheel is missing or a wheel is there twice. The result
// of a whole sweep is one shard; without a single wheel it is an Error (exit 3), too.
struct NamedReport {
    std::string name;
    AuditReport report;
};
AuditReport merge_shards(std::vector<NamedReport> shards);

}  // namespace wheelarch
