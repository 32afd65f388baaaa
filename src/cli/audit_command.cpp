#include "cli/audit_command.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <ostream>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "audit/audit_report.hpp"
#include "audit/in_order.hpp"
#include "audit/judge.hpp"
#include "audit/policy_today.hpp"
#include "audit/recorded_claims.hpp"
#include "audit/state_file.hpp"
#include "base/environment.hpp"
#include "base/mapped_file.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/write_file.hpp"
#include "cli/inputs.hpp"
#include "cli/request.hpp"
#include "cli/version.hpp"
#include "ledger/ledger.hpp"
#include "report/audit.hpp"
#include "report/github.hpp"
#include "report/json.hpp"
#include "report/ledger.hpp"
#include "report/progress.hpp"
#include "witness/second_witness.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t kMostOfSummary = 500'000;  // bytes; other steps have summaries too

Ledger::Tip find_audit_tip(Ledger& ledger, bool offline) {
    if (ledger.has_remote() && !offline) {
        ledger.fetch();
    }
    const auto tip = ledger.tip();
    if (!tip) {
        throw unchecked(fmt::format("there is no ledger to audit by: no branch {}", ledger.name()),
                        "name it with --branch and --remote; if nothing was recorded yet, `wheelarch ledger backfill` "
                        "records what is in the wheels");
    }
    return *tip;
}

// One sweep: the wheels, and all that decides about them.
class AuditRun {
public:
    AuditRun(const AuditOptions& options, Streams streams)
        : options_(options),
          streams_(streams),
          witness_(parse_witness_mode(options.reading.witness), options.reading.cuobjdump,
                   std::chrono::seconds(options.reading.cuobjdump_timeout)) {
        if (!options.shard.empty()) {
            report_.shard = parse_shard(options.shard);
        }
        choose_wheels();
        read_policy_and_ledger();
        report_.cuobjdump = cuobjdump_json(witness_.cuobjdump());
    }

    AuditReport run() {
        say(witness_.findings(), streams_);
        open_state();
        const bool quiet = options_.reading.json == "-";
        Progress progress(streams_.err, progress_kind(quiet), wheels_.size(), "wheels");
        std::size_t taken = 0;
        std::size_t bad = 0;
        OrderedWork work;
        work.count = wheels_.size();
        work.threads = options_.jobs != 0 ? options_.jobs : std::max(1U, std::thread::hardware_concurrency());
        work.make_worker = [this] { return make_worker(); };
        work.finished = [this](std::size_t item, const AuditResult& result) { keep(item, result); };
        work.waiting = [&](std::size_t done) { progress.show(done, bad, std::chrono::steady_clock::now()); };
        work.take = [&](std::size_t item, AuditResult result) {
            bad += exit_code(result.verdict) == ExitCode::ok ? 0 : 1;
            ++taken;
            if (!quiet && result.verdict != AuditVerdict::ok) {
                progress.clear();
                print_audited(streams_.out, result);
            }
            report_.results.push_back({positions_[item], std::move(result)});
            progress.show(taken, bad, std::chrono::steady_clock::now());
        };
        work_in_order(work);
        progress.end(taken, bad, std::chrono::steady_clock::now());
        return std::move(report_);
    }

private:
    void choose_wheels() {
        std::vector<fs::path> all = expand_inputs(options_.wheels, InputKind::wheels);
        for (const auto& [option, path] :
             {std::pair{"--json", options_.reading.json}, std::pair{"--markdown", options_.markdown},
              std::pair{"--state", options_.state}}) {
            refuse_overwriting(all, option, path);
        }
        report_.wheels = all.size();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!report_.shard || is_in_shard(*report_.shard, all[i].filename().string())) {
                wheels_.push_back(std::move(all[i]));
                positions_.push_back(i);
            }
        }
    }

    void read_policy_and_ledger() {
        const std::string folder = options_.farm.empty() ? "." : options_.farm;
        if (has_policy(folder)) {
            policy_.emplace(read_farm(folder));
            report_.policy = json::object{{"farm", valid_utf8(folder)}, {"sha256", policy_->farm().sha256}};
        }
        Ledger ledger({folder, options_.branch, options_.remote, environment("WHEELARCH_TOKEN")});
        const Ledger::Tip tip = find_audit_tip(ledger, options_.offline);
        report_.ledger = tip_json(tip);
        std::vector<std::string> names;
        std::transform(wheels_.begin(), wheels_.end(), std::back_inserter(names),
                       [](const fs::path& wheel) { return wheel.filename().string(); });
        recorded_.emplace(ledger, names);
        grounds_ = {&*recorded_, fmt::format("{} at {}", printable(tip.ref), tip.commit.substr(0, 12)),
                    policy_ ? &*policy_ : nullptr};
    }

    // All that decides besides the wheels themselves.
    std::string digest() const {
        json::object decides = {
            {"version", version()},
            {"ledger", report_.ledger},
            {"policy", report_.policy},
            {"witness", options_.reading.witness},
            {"cuobjdump", report_.cuobjdump},
            {"exclude", json::array(options_.reading.exclude.begin(), options_.reading.exclude.end())},
            {"include", json::array(options_.reading.include.begin(), options_.reading.include.end())}};
        return to_hex(sha256_of(canonical_text(decides)));
    }

    void open_state() {
        kept_.resize(wheels_.size());
        marks_.resize(wheels_.size());
        if (options_.state.empty()) {
            return;
        }
        state_.emplace(options_.state, digest());
        std::size_t found = 0;
        for (std::size_t i = 0; i < wheels_.size(); ++i) {
            marks_[i] = mark_of(wheels_[i]);
            if (marks_[i]) {
                kept_[i] = state_->take(wheels_[i].string(), *marks_[i]);
                found += kept_[i] ? 1 : 0;
            }
        }
        if (state_->was_of_another()) {
            streams_.err << fmt::format(
                "{} is of another sweep (ledger, policy, program or options differ): begun anew\n",
                printable(options_.state));
        } else if (found > 0) {
            streams_.err << fmt::format("{} of {} {} done already, by {}\n", found, wheels_.size(),
                                        found == 1 ? "wheel is" : "wheels are", printable(options_.state));
        }
    }

    // What a thread has for itself: cuobjdump is asked through a folder of its own.
    std::function<AuditResult(std::size_t)> make_worker() {
        const std::shared_ptr<SecondWitness> witness(new SecondWitness(witness_.another()));  // it cannot be moved
        InventoryOptions inventory;
        inventory.exclude = options_.reading.exclude;
        inventory.include = options_.reading.include;
        inventory.hash_members = true;
        inventory.second_witness = [witness](const MemberSource& source, const DeviceCode& code, Member& member) {
            witness->ask(source, code, member);
        };
        return [this, inventory](std::size_t item) {
            return kept_[item] ? std::move(*kept_[item]) : judge_published(wheels_[item], inventory, grounds_);
        };
    }

    void keep(std::size_t item, const AuditResult& result) {
        if (state_ && marks_[item] && !kept_[item]) {
            state_->add(*marks_[item], result);
        }
    }

    const AuditOptions& options_;
    Streams streams_;
    SecondWitness witness_;
    AuditReport report_;
    std::vector<fs::path> wheels_;  // of this shard
    std::vector<std::size_t> positions_;
    std::optional<PolicyToday> policy_;
    std::optional<RecordedClaims> recorded_;
    AuditGrounds grounds_;
    std::optional<StateFile> state_;
    std::vector<std::optional<FileMark>> marks_;    // of the wheels as they were at the beginning
    std::vector<std::optional<AuditResult>> kept_;  // from the state
};

// Shards that went by other ledgers or policies are of one list all the same: their verdicts hold, but not at one
// moment.
void say_differing(const std::vector<NamedReport>& shards, Streams streams) {
    const AuditReport& first = shards.front().report;
    const bool differ = std::any_of(shards.begin(), shards.end(), [&](const NamedReport& one) {
        return one.report.ledger != first.ledger || one.report.policy != first.policy;
    });
    if (differ) {
        say({{"shards-differ",
              Severity::warning,
              {},
              "the shards went by different commits of the ledger or by different policies",
              "let all shards of a sweep use one checkout, and --offline"}},
            streams);
    }
}

AuditReport merge_results(const AuditOptions& options, Streams streams) {
    if (!options.state.empty() || !options.shard.empty()) {
        throw bad_usage("--merge reads results, not wheels: --state and --shard have no meaning with it",
                        "leave them out");
    }
    std::vector<NamedReport> shards;
    std::vector<fs::path> inputs;
    for (const std::string& path : options.wheels) {
        inputs.emplace_back(path);
        shards.push_back({printable(path), inside(printable(path), [&] {
                              const MappedFile file(path);
                              return parse_audit_report(file.view().text());
                          })});
    }
    refuse_overwriting(inputs, "--json", options.reading.json);
    refuse_overwriting(inputs, "--markdown", options.markdown);
    say_differing(shards, streams);
    AuditReport report = merge_shards(std::move(shards));
    if (options.reading.json != "-") {
        for (const AuditReport::Numbered& one : report.results) {
            print_audited(streams.out, one.result);
        }
    }
    return report;
}

}  // namespace

ExitCode audit(const AuditOptions& options, Streams streams, Totals& totals) {
    const AuditReport report = options.merge ? merge_results(options, streams) : AuditRun(options, streams).run();
    if (options.reading.json != "-") {
        print_audit_summary(streams.out, report);
    }
    if (!options.reading.json.empty()) {
        write_json_text(options.reading.json, audit_json_text(report));
    }
    if (!options.markdown.empty()) {
        write_file(options.markdown, audit_markdown(report, std::numeric_limits<std::size_t>::max()));
    }
    if (on_github()) {
        annotate(streams.err, audit_errors(report));
        add_to_summary(audit_markdown(report, kMostOfSummary));
    }
    const AuditVerdict worst = worst_verdict(report);
    totals.verdict = name(worst);
    return exit_code(worst);
}

}  // namespace wheelarch
