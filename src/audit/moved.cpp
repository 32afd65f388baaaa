#include "audit/moved.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "policy/arch_list.hpp"

namespace wheelarch {
namespace {

// How near a cell's question is to what was recorded.
struct PolicyMatch {
    bool same_list = false;
    bool holds = false;
    bool at_epoch = false;

    int nearness() const { return (same_list ? 4 : 0) + (holds ? 2 : 0) + (at_epoch ? 1 : 0); }
    bool all() const { return same_list && holds && at_epoch; }
};

// Of the record, as they count for the package of today.
Epochs epochs_of(const RecordedClaim& recorded, const AskedOfCell& asked) {
    return recorded.valid_for.as_of(asked.epoch.package > 0);
}

PolicyMatch match_policy(const PublishedWheel& wheel, const RecordedClaim& recorded, const AskedOfCell& asked) {
    PolicyMatch match;
    const std::string& list = recorded.claim.facts.arch_list;
    match.holds = check_archs(wheel.inventory, asked.requirement).match;
    match.same_list =
        list.empty() ? match.holds : parse_arch_list(list, "arch_list of the entry").archs == asked.resolved.list.archs;
    match.at_epoch = epochs_of(recorded, asked) == asked.epoch;
    return match;
}

std::string built_text(const RecordedClaim& recorded) {
    const std::string& list = recorded.claim.facts.arch_list;
    const std::string held = recorded.claim.held_to ? held_text(*recorded.claim.held_to, list) : "";
    if (recorded.claim.inferred) {
        return fmt::format("as it was found at epoch {} (nothing says what was requested)", to_text(recorded.epoch));
    }
    return fmt::format("as recorded, built {} at epoch {}{}",
                       list.empty() ? std::string("without an arch list") : "for " + printable(list),
                       to_text(recorded.epoch), held.empty() ? "" : " and held to " + held);
}

std::string asked_text(const RecordedClaim& recorded, const AskedOfCell& asked) {
    std::string text = fmt::format("{} at epoch {} ({})", printable(asked.resolved.text), to_text(asked.epoch),
                                   printable(asked.resolved.source));
    const std::string held = held_text(asked.requirement, asked.resolved.text);
    if (!held.empty()) {
        text += " and holds the wheel to " + held;
    } else if (recorded.claim.held_to) {
        text += " and holds the wheel to just that";
    }
    return text;
}

std::string moved_text(const PublishedWheel& wheel, const RecordedClaim& recorded, const AskedOfCell& asked,
                       const PolicyMatch& match) {
    std::string text =
        fmt::format("{}, but today the policy asks for {}", built_text(recorded), asked_text(recorded, asked));
    text += gap_text(wheel.inventory, asked.requirement);
    if (match.holds) {
        text += match.same_list ? "; only the epoch is another" : "; what it holds is what is asked now";
    }
    return text;
}

// `plan` goes by epochs and, with --changed-only, by lists; it does not see what a wheel is held to besides.
std::string advice(const RecordedClaim& recorded, const AskedOfCell& asked, const PolicyMatch& match) {
    const Epochs built = epochs_of(recorded, asked);
    if (!reach(asked.epoch, built)) {
        const bool of_farm = asked.epoch.farm < built.farm;
        return fmt::format(
            "the {}'s epoch went back: raise build_epoch to {} or more; `key`, `matrix` and `plan` refuse to go by it",
            of_farm ? "policy" : "package", of_farm ? built.farm : built.package);
    }
    if (!reach(built, asked.epoch)) {
        if (!match.same_list || recorded.claim.inferred) {
            return "`wheelarch plan` says that it is to be rebuilt";
        }
        return match.holds ? "`wheelarch plan` has it rebuilt; with --changed-only it is carried forward, since its "
                             "list is the same, if each bump since was for lists only"
                           : "`wheelarch plan` has it rebuilt; not with --changed-only, which goes by the list";
    }
    if (match.same_list || recorded.claim.inferred) {
        return fmt::format(
            "raise build_epoch if published wheels are to follow: `wheelarch plan` has them rebuilt "
            "then, but not before, for {}",
            recorded.claim.inferred ? "it does not know this wheel's list" : "the list is the same");
    }
    return "`wheelarch plan` says what is to be rebuilt: raise build_epoch if this change of the policy is to reach "
           "published wheels";
}

const Finding& first_problem(const std::vector<Finding>& findings) {
    return *std::find_if(findings.begin(), findings.end(),
                         [](const Finding& one) { return one.severity == Severity::error; });
}

}  // namespace

std::vector<Finding> compare_with_policy(const PublishedWheel& wheel, const RecordedClaim& recorded,
                                         const std::vector<AskedOfCell>& asked, const AskedOfCell*& best) {
    best = nullptr;
    PolicyMatch of_best;
    for (const AskedOfCell& of_cell : asked) {
        const PolicyMatch match = match_policy(wheel, recorded, of_cell);
        if (best == nullptr || match.nearness() > of_best.nearness()) {
            best = &of_cell;
            of_best = match;
        }
    }
    if (best != nullptr && of_best.all()) {
        return {};
    }
    const std::string& file_name = wheel.inventory.file_name;
    if (best == nullptr) {
        return {{"config-moved", Severity::notice, file_name,
                 fmt::format("{}, but it is no longer built: the policy has no such cell", built_text(recorded)),
                 "nothing, if that is meant; `wheelarch plan` lists it as an orphan"}};
    }
    return {{"config-moved", Severity::notice, file_name, moved_text(wheel, recorded, *best, of_best),
             advice(recorded, *best, of_best)}};
}

std::string held_text(const Requirement& requirement, const std::string& arch_list) {
    if (requirement.device_code_none) {
        return "no device code (device_code: none)";
    }
    if (!requirement.jit.empty()) {
        return "no archs (jit)";
    }
    std::vector<std::string> parts;
    if (arch_list.empty() || parse_arch_list(arch_list, "arch_list").archs != requirement.list.archs) {
        parts.push_back(to_text(requirement.list.archs) + " (expect_archs)");
    }
    for (const MemberExpectation& member : requirement.members) {
        parts.push_back(
            fmt::format("{} in {} (expect_members)", to_text(member.list.archs), printable(member.pattern)));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string gap_text(const Inventory& inventory, const Requirement& requirement) {
    const Verdict verdict = check_archs(inventory, requirement);
    std::string text = difference_text(verdict.missing, verdict.extra);
    if (!verdict.match && text.empty()) {
        text = "; " + first_problem(verdict.findings).message;
    }
    return text + kernelless_text(verdict.missing, inventory) +
           what_devices_load(verdict.observed, verdict.missing.sass);
}

}  // namespace wheelarch
