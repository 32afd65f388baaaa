#include "audit/comparisons.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audit/build_identity.hpp"
#include "audit/moved.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "policy/arch_check.hpp"
#include "policy/arch_list.hpp"
#include "policy/resolve.hpp"
#include "wheel/installed_path.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kShownProblems = 4;

constexpr char kPutBack[] =
    "publish the wheel that was recorded again; or build it anew and record it with `wheelarch ledger collect "
    "--replace`";
constexpr char kRecordIt[] =
    "if this build is to take the place of the recorded one, record the entry that its job made, with `wheelarch "
    "ledger "
    "collect --replace`; if not, publish the wheel that was recorded again";
constexpr char kBuildAnew[] =
    "something changed the wheel after it was stamped: build it again, and let nothing touch it after `wheelarch gate`";

Finding finding(std::string rule, const PublishedWheel& wheel, std::string message, std::string fix) {
    return {std::move(rule), Severity::error, wheel.inventory.file_name, std::move(message), std::move(fix)};
}

// Archs of `archs` that are there, but in no image that holds code.
ArchSet only_kernelless(const ArchSet& archs, const Inventory& inventory) {
    ArchSet found;
    for (const Member& member : inventory.members) {
        if (member.role == Role::extension) {
            found.add(member.kernelless_archs);
        }
    }
    return minus(archs, minus(archs, found));
}

std::string when(const RecordedClaim& recorded) {
    return fmt::format("{} at epoch {}", printable(recorded.recorded_at), to_text(recorded.epoch));
}

const EarlierBuild* earlier_build(const PublishedWheel& wheel, const RecordedClaim& recorded) {
    const auto earlier = std::find_if(recorded.history.begin(), recorded.history.end(),
                                      [&](const EarlierBuild& build) { return build.sha256 == wheel.sha256; });
    return earlier == recorded.history.end() ? nullptr : &*earlier;
}

Epochs stamped_epoch(const PublishedWheel& wheel) {
    return wheel.stamp
               ? Epochs{wheel.stamp->facts.build_epoch.value_or(1), wheel.stamp->facts.package_epoch.value_or(0)}
               : Epochs{0, 0};
}

// Another file than the recorded one: a build that nobody recorded, if its stamp holds.
const char* what_to_do(const PublishedWheel& wheel, const RecordedClaim& recorded) {
    const bool is_build = wheel.stamp_holds && wheel.sha256 != recorded.sha256 &&
                          reach(stamped_epoch(wheel), recorded.epoch) && earlier_build(wheel, recorded) == nullptr;
    return is_build ? kRecordIt : kPutBack;
}

// The file is another one: which, and whether it matters for its archs.
Finding replaced(const PublishedWheel& wheel, const RecordedClaim& recorded) {
    const EarlierBuild* earlier = earlier_build(wheel, recorded);
    const bool same_archs = observed(wheel.inventory) == recorded.claim.archs;
    std::string message = fmt::format("its SHA-256 is {} ({} bytes), recorded on {} is {} ({} bytes)", wheel.sha256,
                                      wheel.inventory.size, when(recorded), recorded.sha256, recorded.size);
    if (earlier != nullptr) {
        message += fmt::format(": an older build is served, that of {}{}, which the recorded one has replaced",
                               printable(earlier->recorded_at),
                               earlier->epoch ? fmt::format(" at epoch {}", *earlier->epoch) : "");
    } else if (wheel.stamp_holds && reach(stamped_epoch(wheel), recorded.epoch) &&
               stamped_epoch(wheel) != recorded.epoch) {
        message += fmt::format(": by its stamp it is a newer build, of epoch {}, which was not recorded",
                               to_text(stamped_epoch(wheel)));
    } else if (!wheel.has_stamp) {
        message += "; it has no stamp";
    }
    message += same_archs ? "; its archs are the recorded ones all the same" : "; its archs are not the recorded ones";
    return finding("replaced-after-recording", wheel, std::move(message), what_to_do(wheel, recorded));
}

std::string joined(const std::vector<std::string>& problems) {
    const std::size_t shown = std::min(problems.size(), kShownProblems);
    const std::string rest = problems.size() > shown ? fmt::format("; and {} more", problems.size() - shown) : "";
    return fmt::format("{}{}", fmt::join(problems.begin(), problems.begin() + static_cast<std::ptrdiff_t>(shown), "; "),
                       rest);
}

struct MemberComparison {
    const PublishedWheel& wheel;
    std::vector<std::string> problems = {};
    std::unordered_map<std::string, const FileDigest*> files = {};
    std::unordered_map<std::string, const Member*> coded = {};  // those with device code

    explicit MemberComparison(const PublishedWheel& of) : wheel(of) {
        for (const FileDigest& file : of.inventory.digests) {
            files.emplace(valid_utf8(shown_path(file.name)), &file);
        }
        for (const Member& member : of.inventory.members) {
            if (member.image_count > 0) {
                coded.emplace(valid_utf8(member.path), &member);
            }
        }
    }

    void compare(const ClaimedMember& claimed) {
        const std::string path = printable(claimed.path);
        const auto file = files.find(claimed.path);
        if (file == files.end()) {
            problems.push_back(path + " is not in the wheel");
            return;
        }
        if (claimed.size != file->second->size || claimed.sha256 != to_hex(file->second->sha256)) {
            problems.push_back(
                claimed.size == file->second->size
                    ? fmt::format("{} has other bytes, {} of them as in the stamp", path, claimed.size)
                    : fmt::format("{} has {} bytes, {} by the stamp", path, file->second->size, claimed.size));
        }
        const auto member = coded.find(claimed.path);
        const ArchSet archs = member == coded.end() ? ArchSet() : member->second->archs;
        if (archs != claimed.archs) {
            problems.push_back(
                fmt::format("{} holds {}, the stamp says {}", path, to_text(archs), to_text(claimed.archs)));
        }
        coded.erase(claimed.path);
    }

    void finish() {
        std::set<std::string> unnamed;
        for (const auto& [path, member] : coded) {
            unnamed.insert(printable(path));
        }
        for (const std::string& path : unnamed) {
            problems.push_back(path + " has device code, but is not in the stamp");
        }
    }
};

std::string two_sided_text(const ArchSet& wanted, const ArchSet& found) {
    return difference_text(minus(wanted, found), minus(found, wanted));
}

const Finding& first_error(const std::vector<Finding>& findings) {
    return *std::find_if(findings.begin(), findings.end(),
                         [](const Finding& one) { return one.severity == Severity::error; });
}

// What a claim says that its wheel was to hold, if it says so.
std::optional<Requirement> request_of(const Claim& claim) {
    if (claim.inferred) {
        return std::nullopt;
    }
    if (claim.held_to) {
        return claim.held_to;
    }
    if (claim.facts.arch_list.empty()) {
        return std::nullopt;
    }
    Requirement requirement;
    requirement.list = parse_arch_list(claim.facts.arch_list, "arch_list");
    return requirement;
}

// The same by what the package declares today, for a claim that does not say.
bool holds_declared(const PublishedWheel& wheel, const Claim& claim, const Cell& cell, const Farm* farm) {
    const Package* package = package_of(farm, cell.package);
    if (claim.says_held_to || package == nullptr) {
        return false;
    }
    ResolvedList requested;
    requested.list = parse_arch_list(claim.facts.arch_list, "arch_list");
    return check_archs(wheel.inventory, requirement(*package, cell, requested)).match;
}

}  // namespace

std::string difference_text(const ArchSet& missing, const ArchSet& extra) {
    std::vector<std::string> parts;
    if (!missing.empty()) {
        parts.push_back(to_text(missing) + " missing");
    }
    if (!extra.empty()) {
        parts.push_back(to_text(extra) + " too much");
    }
    return parts.empty() ? "" : fmt::format("; {}", fmt::join(parts, ", "));
}

std::string kernelless_text(const ArchSet& missing, const Inventory& inventory) {
    const ArchSet found = only_kernelless(missing, inventory);
    return found.empty() ? "" : fmt::format("; {} there only as images without a kernel", to_text(found));
}

void take_roles(Inventory& inventory, const std::map<std::string, Role>& roles,
                const std::vector<std::string>& include) {
    for (Member& member : inventory.members) {
        const auto role = roles.find(valid_utf8(member.path));
        if (role != roles.end() && member.role != Role::host && !member.excluded &&
            !matches_any(include, member.path)) {
            member.role = role->second;
        }
    }
}

std::vector<Finding> compare_with_entry(const PublishedWheel& wheel, const RecordedClaim& recorded) {
    std::vector<Finding> findings;
    const ArchSet found = observed(wheel.inventory);
    if (found != recorded.claim.archs) {
        findings.push_back(
            finding("entry-differs", wheel,
                    fmt::format("it holds {}, recorded is {}{}{}", to_text(found), to_text(recorded.claim.archs),
                                two_sided_text(recorded.claim.archs, found),
                                kernelless_text(minus(recorded.claim.archs, found), wheel.inventory)),
                    what_to_do(wheel, recorded)));
    }
    if (wheel.sha256 != recorded.sha256 || wheel.inventory.size != recorded.size) {
        findings.push_back(replaced(wheel, recorded));
    }
    return findings;
}

std::vector<Finding> compare_with_stamp(const PublishedWheel& wheel) {
    if (!wheel.stamp) {
        return {};
    }
    std::vector<Finding> findings;
    MemberComparison comparison(wheel);
    for (const ClaimedMember& member : wheel.stamp->members) {
        comparison.compare(member);
    }
    comparison.finish();
    if (const ArchSet found = observed(wheel.inventory); found != wheel.stamp->archs) {
        comparison.problems.insert(comparison.problems.begin(),
                                   fmt::format("it holds {}, its stamp says {}{}", to_text(found),
                                               to_text(wheel.stamp->archs), two_sided_text(wheel.stamp->archs, found)));
    }
    if (!comparison.problems.empty()) {
        findings.push_back(finding("stamp-differs", wheel, joined(comparison.problems), kBuildAnew));
    }
    return findings;
}

std::vector<Finding> compare_stamp_and_entry(const PublishedWheel& wheel, const RecordedClaim& recorded,
                                             const std::string& ledger) {
    if (!wheel.stamp) {
        return {};
    }
    const std::vector<std::string> keys = differing_keys(*wheel.stamp, recorded.claim);
    if (keys.empty()) {
        return {};
    }
    std::vector<std::string> shown;
    std::transform(keys.begin(), keys.end(), std::back_inserter(shown),
                   [](const std::string& key) { return printable(key); });
    std::string message = fmt::format("its stamp and its entry in {} differ in {}", ledger, enumerate(shown, 20));
    if (wheel.stamp->archs != recorded.claim.archs) {
        message +=
            fmt::format(": the stamp has {}, the entry {}", to_text(wheel.stamp->archs), to_text(recorded.claim.archs));
    }
    const bool same_file = wheel.sha256 == recorded.sha256;
    return {finding("stamp-entry-differs", wheel, std::move(message),
                    same_file ? "the entry was changed after `wheelarch gate` wrote it: see the history of the branch"
                              : what_to_do(wheel, recorded))};
}

std::vector<Finding> compare_with_request(const PublishedWheel& wheel, const Claim& claim, std::string_view witness,
                                          const Cell& cell, const Farm* farm) {
    const std::optional<Requirement> request = request_of(claim);
    if (!request) {
        return {};
    }
    const Verdict verdict = check_archs(wheel.inventory, *request);
    if (verdict.match || holds_declared(wheel, claim, cell, farm)) {
        return {};
    }
    const std::string& list = claim.facts.arch_list;
    const std::string held = claim.held_to ? held_text(*claim.held_to, list) : "";
    std::string message =
        fmt::format("its {} says that {} was requested{}, and that it holds {}, which it does: {}", witness,
                    list.empty() ? "no list" : printable(list), held.empty() ? "" : ", and it held to " + held,
                    to_text(observed(wheel.inventory)), first_error(verdict.findings).message);
    if (!claim.says_held_to) {
        message += fmt::format(
            "; the {} is older than the key `expected`, so a deviation that was declared then is not "
            "in it",
            witness);
        return {finding("not-as-requested", wheel, std::move(message),
                        "if the package declared it then, declare it again and gate and record the wheel anew with "
                        "--replace; if not, build it again with the requested list")};
    }
    return {finding(
        "not-as-requested", wheel, std::move(message),
        "build it again with the requested list, gate it and record it with --replace; if a deviation is meant, "
        "declare it in the package's YAML and give its farm with --farm")};
}

}  // namespace wheelarch
