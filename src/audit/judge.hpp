// Judges one published wheel by three witnesses: its content, its stamp, and its ledger entry; and by the policy of
// today. Rules, all errors but where it is said:
//
//   entry-differs             the archs in it are not those of its entry
//   replaced-after-recording  the file is not the one that was recorded
//   stamp-differs             archs or members in it are not those of its stamp
//   stamp-entry-differs       stamp and entry do not say the same
//   stamp-unreadable          the stamp is no build info
//   not-as-requested          it is as recorded, but not as its own entry's request
//   unrecorded (warning)      there is no entry
//   config-moved (notice)     the policy asks for something else today, or no longer builds it
//   cell-unknown (notice)     nothing says which cell it is of, so the policy could not be asked
//
// and all that check_wheel() finds.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "audit/audit_result.hpp"
#include "audit/comparisons.hpp"
#include "audit/policy_today.hpp"
#include "audit/recorded_claims.hpp"
#include "wheel/inventory.hpp"

namespace wheelarch {

struct AuditGrounds {
    const RecordedClaims* recorded = nullptr;  // null: nothing is recorded
    std::string ledger;                        // for messages: `refs/heads/wheel-ledger at 0123456789ab`
    const PolicyToday* policy = nullptr;       // null: the policy has no say
};

// `label` is how the result names it. `seen` gets the wheel after it was read and judged, with the roles that were
// recorded. Never throws an Error, unless `seen` does: a wheel that cannot be read is a verdict. `options.hash_members`
// must be set.
AuditResult judge_published(const std::filesystem::path& wheel, const std::string& label,
                            const InventoryOptions& options, const AuditGrounds& grounds,
                            const std::function<void(const PublishedWheel&)>& seen = {});

}  // namespace wheelarch
