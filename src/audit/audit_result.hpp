// AuditResult: the verdict on one published wheel, with its evidence. It is small whatever the wheel is, since a sweep
// keeps those of thousands.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/arch.hpp"
#include "base/error.hpp"
#include "base/finding.hpp"
#include "policy/epochs.hpp"

namespace wheelarch {

// From good to bad.
enum class AuditVerdict {
    ok,            // what is in it is what is recorded, and what the policy asks today
    config_moved,  // what is in it is what is recorded, but the policy asks for something else today
    unrecorded,    // there is no entry
    wheel_wrong,   // binary, stamp and entry do not agree, or the wheel is not what it says it is
    unreadable,    // it, or its entry, could not be read
};
inline constexpr std::array<AuditVerdict, 5> kAuditVerdicts = {AuditVerdict::ok, AuditVerdict::config_moved,
                                                               AuditVerdict::unrecorded, AuditVerdict::wheel_wrong,
                                                               AuditVerdict::unreadable};
std::string_view name(AuditVerdict verdict);
ExitCode exit_code(AuditVerdict verdict);

struct AuditResult {
    std::string file;     // the path as it was given
    std::string package;  // of the entry, else of the file name; empty if that is no wheel's
    AuditVerdict verdict = AuditVerdict::unreadable;
    std::string sha256;  // empty if it could not be read
    std::uint64_t size = 0;
    ArchSet observed;

    struct RecordedFacts {
        ArchSet archs;
        std::string arch_list;  // as requested; empty: not known, or nothing
        Epochs epoch;
        bool inferred = false;
        std::string recorded_at;
    };
    std::optional<RecordedFacts> recorded;

    struct PolicyFacts {
        std::string arch_list;
        std::string source;
        Epochs epoch;
    };
    std::optional<PolicyFacts> policy;  // none without a farm, and for a cell that is not in the grid

    std::vector<Finding> findings;  // the worst first
    std::size_t more_findings = 0;  // that were left out
};

inline constexpr std::size_t kMostAuditFindings = 20;
inline constexpr std::size_t kMostAuditText = 2000;  // bytes of a message

// Sorts the findings, and cuts them and their texts to those sizes.
void make_small(AuditResult& result);

// Both ways; the second throws an Error (exit 3) for anything that the first did not write: also for a rule that is no
// id, and for findings that do not agree with the verdict.
boost::json::object to_json(const AuditResult& result);
AuditResult audit_result_of(const boost::json::value& value);

}  // namespace wheelarch
