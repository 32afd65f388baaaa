#include "audit/judge.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "audit/build_identity.hpp"
#include "audit/comparisons.hpp"
#include "audit/moved.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "ledger/build_facts.hpp"
#include "policy/arch_list.hpp"
#include "wheel/stamp.hpp"
#include "wheel/wheel_check.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

class PublishedJudge {
public:
    PublishedJudge(const std::filesystem::path& path, const std::string& label, const InventoryOptions& options,
                   const AuditGrounds& grounds)
        : path_(path), options_(options), grounds_(grounds) {
        result_.file = label;
    }

    AuditResult run(const std::function<void(const PublishedWheel&)>& seen) {
        try {
            judge();
        } catch (const Error& error) {
            give_up(error);
        } catch (const std::bad_alloc&) {
            give_up(unchecked("out of memory", "give it fewer threads with --jobs, or look at the wheel by itself"));
        }
        if (seen && result_.verdict != AuditVerdict::unreadable) {
            seen(wheel_);
        }
        make_small(result_);
        return std::move(result_);
    }

    // None if the wheel has to be read.
    std::optional<AuditResult> run_by_digest(const RecordedClaim& recorded) {
        const std::string file_name = path_.filename().string();
        const Cell cell = filled(recorded.claim.facts, facts_of(parse_wheel_name(file_name))).cell;
        if (fails(check_build(recorded.claim, "entry", file_name, farm()))) {
            return std::nullopt;
        }
        const std::vector<AskedOfCell> asked = asked_today(cell);
        const auto by_members = [](const Requirement& held_to) {
            return !held_to.members.empty() || held_to.per_member;
        };
        if ((recorded.claim.held_to && by_members(*recorded.claim.held_to)) ||
            std::any_of(asked.begin(), asked.end(),
                        [&](const AskedOfCell& one) { return by_members(one.requirement); })) {
            return std::nullopt;
        }
        note(recorded);
        take_as_recorded(recorded);
        judge_recorded(recorded, cell, asked);
        if (result_.verdict == AuditVerdict::wheel_wrong) {
            return std::nullopt;
        }
        add({{"by-digest",
              Severity::notice,
              file_name,
              "its release states the hash and size that are recorded: it was not downloaded, and its entry is "
              "believed",
              {}}});
        make_small(result_);
        return std::move(result_);
    }

private:
    void give_up(const Error& error) {
        result_.verdict = AuditVerdict::unreadable;
        add({{"unreadable", Severity::error, {}, error.what(), error.fix()}});
    }

    void add(std::vector<Finding> findings) {
        std::move(findings.begin(), findings.end(), std::back_inserter(result_.findings));
    }

    void judge() {
        const std::string file_name = path_.filename().string();
        const BuildFacts by_name = inside(file_name, [&] { return facts_of(parse_wheel_name(file_name)); });
        result_.package = by_name.cell.package;
        const RecordedClaim* recorded = grounds_.recorded == nullptr ? nullptr : grounds_.recorded->find(file_name);
        if (recorded != nullptr) {
            note(*recorded);
        }
        read(recorded);
        judge_stamp(recorded != nullptr);
        if (recorded == nullptr) {
            add(compare_stamp_with_request(by_name));
            judge_unrecorded(by_name.cell);
            return;
        }
        std::vector<Finding> of_entry = check_build(recorded->claim, "entry", file_name, farm());
        const Cell cell = fails(of_entry) ? by_name.cell : filled(recorded->claim.facts, by_name).cell;
        std::erase_if(of_entry, [&](const Finding& one) { return wheel_.stamp && one.rule == "package-name"; });
        add(std::move(of_entry));
        if (recorded->claim.inferred) {
            add(compare_stamp_with_request(by_name));
        }
        judge_recorded(*recorded, cell, asked_today(cell));
    }

    const Farm* farm() const { return grounds_.policy != nullptr ? &grounds_.policy->farm() : grounds_.farm; }

    void judge_stamp(bool is_recorded) {
        if (!wheel_.stamp) {
            return;
        }
        std::vector<Finding> of_stamp = compare_with_stamp(wheel_);
        std::vector<Finding> of_build = check_build(*wheel_.stamp, "stamp", wheel_.inventory.file_name, farm());
        if (!is_recorded) {
            std::vector<Finding> of_epoch = check_stamped_epoch(*wheel_.stamp, wheel_.inventory.file_name, farm());
            std::move(of_epoch.begin(), of_epoch.end(), std::back_inserter(of_build));
        }
        wheel_.stamp_holds = !fails(of_stamp) && !fails(of_build);
        add(std::move(of_stamp));
        add(std::move(of_build));
    }

    // Where no entry says what was requested, a true stamp does.
    std::vector<Finding> compare_stamp_with_request(const BuildFacts& by_name) const {
        return wheel_.stamp_holds ? compare_with_request(wheel_, *wheel_.stamp, "stamp",
                                                         filled(wheel_.stamp->facts, by_name).cell, farm())
                                  : std::vector<Finding>();
    }

    void judge_recorded(const RecordedClaim& recorded, const Cell& cell, const std::vector<AskedOfCell>& asked) {
        add(compare_with_entry(wheel_, recorded));
        add(compare_stamp_and_entry(wheel_, recorded, grounds_.ledger));
        if (result_.observed == recorded.claim.archs) {
            add(compare_with_request(wheel_, recorded.claim, "entry", cell, farm()));
        }
        if (const auto others = grounds_.recorded->passed_over(wheel_.inventory.file_name); !others.empty()) {
            add({{"recorded-twice", Severity::warning, wheel_.inventory.file_name,
                  fmt::format("{} has further entries of it, which were passed over: {}", grounds_.ledger,
                              enumerate(others, 3)),
                  "find out which is right, and take the others off the branch"}});
        }
        result_.verdict = fails(result_.findings) ? AuditVerdict::wheel_wrong : AuditVerdict::ok;
        ask_policy(recorded, cell, asked);
    }

    // A wheel of one extension, which holds what is recorded.
    void take_as_recorded(const RecordedClaim& recorded) {
        wheel_.sha256 = recorded.sha256;
        wheel_.inventory.file_name = path_.filename().string();
        wheel_.inventory.is_wheel = true;
        wheel_.inventory.size = recorded.size;
        if (!recorded.claim.archs.empty()) {
            Member member;
            member.role = Role::extension;
            member.archs = recorded.claim.archs;
            member.image_count = 1;
            wheel_.inventory.members.push_back(std::move(member));
        }
        result_.sha256 = recorded.sha256;
        result_.size = recorded.size;
        result_.observed = recorded.claim.archs;
    }

    void note(const RecordedClaim& recorded) {
        result_.package = recorded.package;
        result_.recorded = {recorded.claim.archs, recorded.claim.facts.arch_list, recorded.epoch,
                            recorded.claim.inferred, recorded.recorded_at};
    }

    // The wheel and what is wrong with it by itself.
    void read(const RecordedClaim* recorded) {
        wheel_.inventory = take_inventory(path_, options_);
        wheel_.sha256 = sha256_hex(path_);
        result_.sha256 = wheel_.sha256;
        result_.size = wheel_.inventory.size;
        std::vector<Finding> of_wheel = check_wheel(wheel_.inventory);
        read_stamp_of(of_wheel);
        take_roles(wheel_.inventory, recorded != nullptr ? recorded->roles : roles_of_stamp(), options_.include);
        result_.observed = observed(wheel_.inventory);
        add(all_findings(wheel_.inventory));
        add(std::move(of_wheel));
    }

    void read_stamp_of(std::vector<Finding>& of_wheel) {
        try {
            const auto text = read_stamp(path_);
            wheel_.has_stamp = text.has_value();
            if (text) {
                Claim stamp = parse_stamp(*text);
                if (!stamp.facts.arch_list.empty()) {
                    parse_arch_list(stamp.facts.arch_list, "arch_list");
                }
                wheel_.stamp = std::move(stamp);
            }
        } catch (const Error& error) {
            const bool is_said = !wheel_.has_stamp && fails(of_wheel);  // that there are several .dist-info folders
            wheel_.has_stamp = true;
            if (!is_said) {
                of_wheel.push_back({"stamp-unreadable", Severity::error,
                                    fmt::format("{} → {}", wheel_.inventory.file_name, kStampName),
                                    fmt::format("the stamp is no build info: {}", error.problem()),
                                    "something changed it after `wheelarch gate` wrote it: build the wheel again"});
            }
        }
    }

    std::map<std::string, Role> roles_of_stamp() const {
        std::map<std::string, Role> roles;
        for (const ClaimedMember& member : wheel_.stamp ? wheel_.stamp->members : std::vector<ClaimedMember>()) {
            roles[member.path] = member.role;
        }
        return roles;
    }

    std::vector<AskedOfCell> asked_today(const Cell& cell) const {
        return grounds_.policy != nullptr && PolicyToday::tells_cell(cell) ? grounds_.policy->asked_of(cell)
                                                                           : std::vector<AskedOfCell>();
    }

    void note(const AskedOfCell& asked) { result_.policy = {asked.resolved.text, asked.resolved.source, asked.epoch}; }

    void judge_unrecorded(const Cell& cell) {
        std::string message = fmt::format("nothing is recorded of it in {}", grounds_.ledger);
        const std::vector<AskedOfCell> asked = asked_today(cell);
        if (!asked.empty()) {
            note(asked.front());
            const std::string gap = gap_text(wheel_.inventory, asked.front().requirement);
            if (!gap.empty()) {
                message += fmt::format("; today the policy asks for {} ({}){}", printable(asked.front().resolved.text),
                                       printable(asked.front().resolved.source), gap);
            }
        }
        const bool is_wrong = fails(result_.findings);
        result_.verdict = is_wrong ? AuditVerdict::wheel_wrong : AuditVerdict::unrecorded;
        add({{"unrecorded", Severity::warning, wheel_.inventory.file_name, std::move(message),
              is_wrong ? "see to what is wrong first: `wheelarch ledger backfill` records no such wheel"
                       : "record what is in it, as inferred: `wheelarch ledger backfill`"}});
    }

    // Of a wheel that is wrong, the policy is only told beside it.
    void ask_policy(const RecordedClaim& recorded, const Cell& cell, const std::vector<AskedOfCell>& asked) {
        if (grounds_.policy == nullptr) {
            return;
        }
        if (!PolicyToday::tells_cell(cell)) {
            add({{"cell-unknown", Severity::notice, wheel_.inventory.file_name,
                  "neither its entry nor its file name tells its CUDA release and platform, so the policy was not "
                  "asked",
                  "gate it with its matrix row (--cell)"}});
            return;
        }
        const AskedOfCell* best = nullptr;
        std::vector<Finding> moved = compare_with_policy(wheel_, recorded, asked, best);
        if (best != nullptr) {
            note(*best);
        }
        if (result_.verdict == AuditVerdict::ok && !moved.empty()) {
            result_.verdict = AuditVerdict::config_moved;
            add(std::move(moved));
        }
    }

    const std::filesystem::path& path_;
    const InventoryOptions& options_;
    const AuditGrounds& grounds_;
    PublishedWheel wheel_;
    AuditResult result_;
};

}  // namespace

AuditResult judge_published(const std::filesystem::path& wheel, const std::string& label,
                            const InventoryOptions& options, const AuditGrounds& grounds,
                            const std::function<void(const PublishedWheel&)>& seen) {
    return PublishedJudge(wheel, label, options, grounds).run(seen);
}

std::optional<AuditResult> judge_by_digest(const std::string& name, const std::string& label, const std::string& sha256,
                                           std::uint64_t size, const AuditGrounds& grounds) {
    const RecordedClaim* recorded = grounds.recorded == nullptr ? nullptr : grounds.recorded->find(name);
    if (recorded == nullptr || sha256 != recorded->sha256 || size != recorded->size) {
        return std::nullopt;
    }
    const std::filesystem::path path(name);
    const InventoryOptions nothing_read;
    return PublishedJudge(path, label, nothing_read, grounds).run_by_digest(*recorded);
}

}  // namespace wheelarch
