#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "audit/audit_report.hpp"
#include "audit/in_order.hpp"
#include "audit/judge.hpp"
#include "audit/policy_today.hpp"
#include "audit/recorded_claims.hpp"
#include "audit/state_file.hpp"
#include "audit/wheel_source.hpp"
#include "base/mapped_file.hpp"
#include "base/program_version.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/fetched_ledger.hpp"
#include "cli/inputs.hpp"
#include "cli/published.hpp"
#include "cli/request.hpp"
#include "cli/worker_reading.hpp"
#include "ledger/ledger.hpp"
#include "report/audit.hpp"
#include "report/json.hpp"
#include "report/ledger.hpp"
#include "report/markdown.hpp"
#include "witness/second_witness.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

struct AuditOptions {
    Outputs outputs;
    ReadingOptions reading;
    std::vector<std::string> wheels;  // or results of shards
    ReleaseOptions releases;
    std::string farm;  // empty: the working folder, with its policy if it has one
    std::string branch = "wheel-ledger";
    std::string remote;
    bool trust_git_config = false;
    bool by_digest = false;  // releases: what they state of a wheel is enough if it is what is recorded
    bool offline = false;
    unsigned jobs = 0;   // 0: as many as there are cores
    std::string state;   // a file, or empty
    std::string shard;   // I/N, or empty
    bool merge = false;  // results of shards instead of wheels
};

void declare(Arguments& arguments, AuditOptions& options) {
    arguments.any("WHEEL", options.wheels, "wheels, or folders of wheels; with --merge, results of shards");
    add_releases(arguments, options.releases);
    arguments.flag("--by-digest", options.by_digest,
                   "with --gh, do not download a wheel whose hash and size, as its release states them, are recorded");
    arguments.text("--farm", options.farm, "DIR",
                   "the folder of the farm's policy and of the ledger's repository; default: the current one");
    arguments.text("--branch", options.branch, "NAME", "the branch of the ledger");
    arguments.text("--remote", options.remote, "NAME",
                   "where that branch is; default: origin, or the only one there is");
    add_trust(arguments, options.trust_git_config);
    arguments.flag("--offline", options.offline, "go by the ledger as it was last fetched");
    arguments.number("--jobs", options.jobs, 1024U, "N",
                     "how many wheels are read at once; default: the number of cores");
    arguments.text("--state", options.state, "FILE",
                   "keep what is done here, and go on from it if the run is interrupted");
    arguments.text("--shard", options.shard, "I/N", "only this part of the wheels, of N parts of about the same size");
    arguments.flag("--merge", options.merge, "put results of all shards together, as --json wrote them");
    arguments.output(options.outputs, markdown_format(), "write the result as Markdown");
    add_reading(arguments, options.reading, options.outputs);
}

void from_action(ActionLine& line) {
    line.option("ledger-branch", "branch");
    line.option("shard");
    line.option("witness");
    line.option("cuobjdump");
    line.option("existing");
    line.wheels_or_releases();
}

// A ledger that is not there yet is empty: it is the first sweep of a farm.
std::optional<Ledger::Tip> find_audit_tip(Ledger& ledger, bool offline, Listener& listener) {
    auto tip = fetched_tip(ledger, offline);
    if (!tip) {
        listener.say({{"no-ledger",
                       Severity::warning,
                       {},
                       fmt::format("there is no ledger: no branch {}", ledger.name()),
                       "nothing is recorded then; name it with --branch and --remote if there is one, or begin it with "
                       "`wheelarch ledger backfill`"}});
    }
    return tip;
}

// One sweep: the wheels, and all that decides about them.
class AuditRun {
public:
    AuditRun(const AuditOptions& options, Listener& listener)
        : options_(options), listener_(listener), witness_(make_witness(options.reading)) {
        if (!options.shard.empty()) {
            report_.shard = parse_shard(options.shard);
        }
        read_policy();
        choose_wheels();
        read_ledger();
        report_.cuobjdump = cuobjdump_json(witness_.cuobjdump());
    }

    AuditReport run() {
        listener_.say(witness_.findings());
        listener_.say(source_->findings());
        say_published_twice();
        open_state();
        listener_.begin(chosen_.size(), "wheels");
        std::size_t taken = 0;
        std::size_t bad = 0;
        OrderedWork work;
        work.count = chosen_.size();
        work.threads = options_.jobs;
        work.make_worker = [this] { return make_worker(); };
        work.finished = [this](std::size_t item, const AuditResult& result) { keep(item, result); };
        work.waiting = [&](std::size_t done) { listener_.progress(done, bad); };
        work.take = [&](std::size_t item, AuditResult result) {
            bad += exit_code(result.verdict) == ExitCode::ok ? 0 : 1;
            ++taken;
            listener_.text(audited_text(result));
            report_.results.push_back({chosen_[item], std::move(result)});
            listener_.progress(taken, bad);
        };
        work_in_order(work);
        listener_.end(taken, bad);
        return std::move(report_);
    }

private:
    const SourceWheel& wheel(std::size_t item) const { return source_->wheels()[chosen_[item]]; }

    void read_policy() {
        const std::string folder = options_.farm.empty() ? "." : options_.farm;
        if (has_policy(folder)) {
            policy_.emplace(read_farm(folder));
            report_.policy = json::object{{"farm", valid_utf8(folder)}, {"sha256", policy_->farm().sha256}};
        }
    }

    void choose_wheels() {
        if (options_.by_digest && !options_.wheels.empty()) {
            throw bad_usage("--by-digest goes by what releases state of their wheels, but files are named",
                            "give --gh instead of the files, or leave it out");
        }
        source_ = find_published(options_.wheels, options_.releases, policy_ ? &policy_->farm() : nullptr,
                                 options_.trust_git_config);
        const std::vector<SourceWheel>& all = source_->wheels();
        const std::vector<fs::path> labels = labels_of(all);
        refuse_overwriting(labels, options_.outputs);
        refuse_overwriting(labels, "--state", options_.state);
        report_.wheels = all.size();
        const std::vector<std::string> names = names_of(all);
        report_.list = digest_of_list(names);
        chosen_ = positions_in(report_.shard, names);
    }

    void say_published_twice() const {
        constexpr std::size_t kMost = 20;
        std::vector<Finding> findings;
        for (const std::vector<std::size_t>& same : published_twice(source_->wheels())) {
            if (findings.size() < kMost) {
                const std::vector<SourceWheel>& all = source_->wheels();
                findings.push_back(published_twice_finding(all[same[0]], all[same[1]], Severity::warning));
            }
        }
        listener_.say(findings);
    }

    void read_ledger() {
        Ledger ledger = open_ledger(options_.farm.empty() ? "." : options_.farm, options_.branch, options_.remote,
                                    options_.trust_git_config);
        const auto tip = find_audit_tip(ledger, options_.offline, listener_);
        std::vector<std::string> names;
        for (std::size_t item = 0; item < chosen_.size(); ++item) {
            names.push_back(wheel(item).name);
        }
        grounds_.policy = policy_ ? &*policy_ : nullptr;
        grounds_.ledger = ledger.name();
        if (tip) {
            report_.ledger = tip_json(*tip);
            recorded_.emplace(ledger, names);
            grounds_.recorded = &*recorded_;
            grounds_.ledger = fmt::format("{} at {}", printable(tip->ref), tip->commit.substr(0, 12));
        }
    }

    // All that decides besides the wheels themselves.
    std::string digest() const {
        json::object decides = {
            {"version", program_version()},
            {"ledger", report_.ledger},
            {"policy", report_.policy},
            {"witness", options_.reading.witness},
            {"by_digest", options_.by_digest},
            {"cuobjdump", report_.cuobjdump},
            {"exclude", json::array(options_.reading.exclude.begin(), options_.reading.exclude.end())},
            {"include", json::array(options_.reading.include.begin(), options_.reading.include.end())}};
        return to_hex(sha256_of(canonical_text(decides)));
    }

    void open_state() {
        kept_.resize(chosen_.size());
        if (options_.state.empty()) {
            return;
        }
        state_.emplace(options_.state, digest());
        std::size_t found = 0;
        for (std::size_t item = 0; item < chosen_.size(); ++item) {
            kept_[item] = state_->take(wheel(item).label, wheel(item).mark);
            found += kept_[item] ? 1 : 0;
        }
        if (state_->was_of_another()) {
            listener_.note(
                fmt::format("{} is of another sweep (ledger, policy, program or options differ): begun anew\n",
                            printable(options_.state)));
        } else if (found > 0) {
            listener_.note(fmt::format("{} of {} {} done already, by {}\n", found, chosen_.size(),
                                       found == 1 ? "wheel is" : "wheels are", printable(options_.state)));
        }
    }

    std::function<AuditResult(std::size_t)> make_worker() {
        const auto reading = std::make_shared<WorkerReading>(options_.reading, witness_);
        return [this, reading](std::size_t item) {
            return kept_[item] ? std::move(*kept_[item]) : look(item, reading->inventory());
        };
    }

    AuditResult look(std::size_t item, const InventoryOptions& inventory) const {
        try {
            if (options_.by_digest) {
                const SourceWheel& one = wheel(item);
                if (auto known = judge_by_digest(one.name, one.label, one.sha256, one.mark.size, grounds_)) {
                    return std::move(*known);
                }
            }
            AuditResult result;
            source_->with_file(chosen_[item], [&](const fs::path& file) {
                result = judge_published(file, wheel(item).label, inventory, grounds_);
            });
            return result;
        } catch (const Error& error) {
            return not_had(wheel(item), error);
        }
    }

    void keep(std::size_t item, const AuditResult& result) {
        if (state_ && !kept_[item]) {
            state_->add(wheel(item).mark, result);
        }
    }

    const AuditOptions& options_;
    Listener& listener_;
    SecondWitness witness_;
    AuditReport report_;
    std::unique_ptr<WheelSource> source_;
    std::vector<std::size_t> chosen_;  // of its wheels, those of this shard
    std::optional<PolicyToday> policy_;
    std::optional<RecordedClaims> recorded_;
    AuditGrounds grounds_;
    std::optional<StateFile> state_;
    std::vector<std::optional<FileMark>> marks_;    // of the wheels as they were at the beginning
    std::vector<std::optional<AuditResult>> kept_;  // from the state
};

// Shards that went by other ledgers or policies are of one list all the same: their verdicts hold, but not at one
// moment.
void say_differing(const std::vector<NamedReport>& shards, Listener& listener) {
    const AuditReport& first = shards.front().report;
    const bool differ = std::any_of(shards.begin(), shards.end(), [&](const NamedReport& one) {
        return one.report.ledger != first.ledger || one.report.policy != first.policy;
    });
    if (differ) {
        listener.say({{"shards-differ",
                       Severity::warning,
                       {},
                       "the shards went by different commits of the ledger or by different policies",
                       "fetch the ledger once, and let all shards of a sweep use that checkout with --offline"}});
    }
}

void check_merge_options(const AuditOptions& options) {
    const std::pair<const char*, bool> of_wheels[] = {
        {"--state", !options.state.empty()},
        {"--shard", !options.shard.empty()},
        {"--gh", options.releases.ask_gh},
        {"--repo", !options.releases.repository.empty()},
        {"--existing", !options.releases.existing.empty()},
        {"--package", !options.releases.packages.empty()},
        {"--by-digest", options.by_digest},
        {"--jobs", options.jobs != 0},
        {"--exclude", !options.reading.exclude.empty()},
        {"--include", !options.reading.include.empty()},
    };
    for (const auto& [option, is_given] : of_wheels) {
        if (is_given) {
            throw bad_usage(fmt::format("--merge reads results, not wheels: {} has no meaning with it", option),
                            "leave it out");
        }
    }
}

// An output that is another output too would be lost.
void check_outputs(const AuditOptions& options) {
    const std::string& markdown = options.outputs.path(markdown_format());
    const std::string& json = options.outputs.path(json_format());
    if (markdown == "-" || options.state == "-") {
        throw bad_usage(
            fmt::format("{} - : standard output is no file", options.state == "-" ? "--state" : "--markdown"),
            "give it a file");
    }
    refuse_overwriting({json, options.state}, "--markdown", markdown);
    refuse_overwriting({json}, "--state", options.state);
}

AuditReport merge_results(const AuditOptions& options, Listener& listener) {
    check_merge_options(options);
    if (options.wheels.empty()) {
        throw bad_usage("--merge without results", "give what `wheelarch audit --shard I/N --json FILE` wrote");
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
    refuse_overwriting(inputs, options.outputs);
    say_differing(shards, listener);
    AuditReport report = merge_shards(std::move(shards));
    for (const AuditReport::Numbered& one : report.results) {
        listener.text(audited_text(one.result));
    }
    return report;
}

Outcome audit(const AuditOptions& options, Listener& listener) {
    check_outputs(options);
    const AuditReport report = options.merge ? merge_results(options, listener) : AuditRun(options, listener).run();
    Outcome outcome;
    outcome.text = audit_text(report);
    if (listener.wants_result()) {
        outcome.result = JsonWriter([text = audit_json_text(report)](std::ostream& out) { out << text; });
    }
    outcome.findings = located(audit_errors(report));
    outcome.summary = audit_summary(report);
    const AuditVerdict worst = worst_verdict(report);
    outcome.outputs["verdict"] = name(worst);
    outcome.code = exit_code(worst);
    return outcome;
}

}  // namespace

Command audit_command() {
    return {.name = "audit",
            .help = "Published wheels: what is in them, what is recorded, what the policy asks today",
            .example = "wheelarch audit --farm . --state audit.state published/",
            .bind = bind(declare, audit),
            .from_action = from_action};
}

}  // namespace wheelarch
