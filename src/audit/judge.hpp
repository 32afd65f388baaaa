// Judges one published wheel by three witnesses: its content, its stamp, and its ledger entry; and by the policy of
// today. Rules, all errors but where it is said:
//
//   entry-differs             the archs in it are not those of its entry
//   replaced-after-recording  the file is not the one that was recorded
//   stamp-differs             archs or members in it are not those of its stamp
//   stamp-entry-differs       stamp and entry do not say the same
//   stamp-unreadable          the stamp is no build info
//   other-build               its stamp or entry is of another build than its file name says
//   not-as-requested          it holds what its entry or stamp says, but not what that says was requested
//   unrecorded (warning)      there is no entry
//   config-moved (notice)     the policy asks for something else today, or no longer builds it
//   recorded-twice (warning)  the ledger has further entries of it, which were passed over
//   cell-unknown (notice)     nothing says which cell it is of, so the policy could not be asked
//   by-digest (notice)        it is the recorded file by hash and size, and was not read
//
// package-name (a warning), and all that check_wheel() finds. A stamp without an entry is judged as one with an entry:
// what is `unrecorded` is what can be recorded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
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
    // For the packages and epochs of it, where the policy has no say; null: that of the policy.
    const Farm* farm = nullptr;
};

// `label` is how the result names it. `seen` gets the wheel after it was read and judged, with the roles that were
// recorded. Never throws an Error, unless `seen` does: a wheel that cannot be read is a verdict. `options.hash_members`
// must be set.
AuditResult judge_published(const std::filesystem::path& wheel, const std::string& label,
                            const InventoryOptions& options, const AuditGrounds& grounds,
                            const std::function<void(const PublishedWheel&)>& seen = {});

// The same of a wheel of which nothing but the hash and size is known, as its release states them. If they are those of
// its entry, the file is bit for bit the recorded one, and only the policy is asked. None if it has to be read: nothing
// is recorded, another file is, its members were or are held to something of their own, or it seems to be wrong. Throws
// an Error (exit 3) if its entry cannot be read.
std::optional<AuditResult> judge_by_digest(const std::string& name, const std::string& label, const std::string& sha256,
                                           std::uint64_t size, const AuditGrounds& grounds);

}  // namespace wheelarch
