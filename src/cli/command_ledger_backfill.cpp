#include <algorithm>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "audit/audit_report.hpp"
#include "audit/in_order.hpp"
#include "audit/inferred.hpp"
#include "audit/judge.hpp"
#include "audit/recorded_claims.hpp"
#include "audit/wheel_source.hpp"
#include "base/mapped_file.hpp"
#include "base/program_version.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/write_file.hpp"
#include "cli/command.hpp"
#include "cli/fetched_ledger.hpp"
#include "cli/inputs.hpp"
#include "cli/published.hpp"
#include "cli/request.hpp"
#include "cli/worker_reading.hpp"
#include "ledger/ledger.hpp"
#include "report/audit.hpp"
#include "report/backfill.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"
#include "report/names.hpp"
#include "report/text.hpp"
#include "witness/second_witness.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

struct BackfillOptions {
    Outputs outputs;
    ReadingOptions reading;
    ReleaseOptions releases;
    LedgerPlace place;
    std::vector<std::string> wheels;  // or folders of them
    std::string output;               // a folder for entries, which are not committed then
    std::string shard;                // I/N, or empty
    unsigned jobs = 0;                // 0: as many as there are cores
    bool replace = false;
    bool offline = false;
};

void declare(Arguments& arguments, BackfillOptions& options) {
    arguments.any("WHEEL", options.wheels, "wheels, or folders of wheels");
    add_releases(arguments, options.releases);
    arguments.text("--output", options.output, "DIR",
                   "write an entry for each wheel into this folder, to be collected, and commit nothing");
    arguments.flag("--replace", options.replace, "replace what was inferred before, of another file or this one");
    arguments.text("--shard", options.shard, "I/N", "only this part of the wheels, of N parts of about the same size");
    arguments.number("--jobs", options.jobs, 1024U, "N",
                     "how many wheels are read at once; default: the number of cores");
    arguments.flag("--offline", options.offline, "go by the ledger as it was last fetched");
    add_place(arguments, options.place);
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

// Entries of one commit: a run that is interrupted loses no more than these.
constexpr std::size_t kMostOfCommit = 500;

// What became of one wheel.
struct Looked {
    enum class Outcome {
        recorded_by_build,  // its build recorded it: it was not looked at
        there_already,      // inferred before, of this very file
        inferred,
        failed,
    };
    Outcome outcome = Outcome::failed;
    std::optional<Entry> entry;
};

Finding another_file(const std::string& place, const RecordedClaim& known, const std::string& sha256) {
    return {.rule = "already-recorded",
            .place = place,
            .message = fmt::format("what was inferred of it is of another file: {} was recorded {}, this one is {}",
                                   known.sha256.substr(0, 12), known.recorded_at, sha256.substr(0, 12)),
            .fix = "find out who replaced the wheel; if this one is right, record it with --replace"};
}

class Backfill {
public:
    Backfill(const BackfillOptions& options, Listener& listener)
        : options_(options),
          listener_(listener),
          witness_(make_witness(options.reading)),
          ledger_(open_ledger(options.place)) {
        if (has_policy(options.place.farm)) {
            farm_.emplace(read_farm(options.place.farm));
        }
        choose_wheels();
        read_ledger();
        if (witness_.cuobjdump()) {
            readers_.cuobjdump = to_text(witness_.cuobjdump()->version);
        }
        report_.cuobjdump = cuobjdump_json(witness_.cuobjdump());
        readers_.wheelarch = program_version();
    }

    BackfillReport run() {
        listener_.say(witness_.findings());
        listener_.say(source_->findings());
        listener_.begin(chosen_.size(), "wheels");
        OrderedWork work;
        work.count = chosen_.size();
        work.threads = options_.jobs;
        work.make_worker = [this] { return make_worker(); };
        work.finished = [](std::size_t, const AuditResult&) {};
        work.waiting = [&](std::size_t done) { listener_.progress(done, report_.failed.size()); };
        std::size_t taken = 0;
        work.take = [&](std::size_t item, AuditResult result) {
            take(std::move(looked_[item]), std::move(result));
            listener_.progress(++taken, report_.failed.size());
        };
        work_in_order(work);
        commit();
        listener_.end(taken, report_.failed.size());
        return std::move(report_);
    }

private:
    void choose_wheels() {
        source_ = find_published(options_.wheels, options_.releases, farm_ ? &*farm_ : nullptr,
                                 options_.place.trust_git_config);
        if (!options_.shard.empty()) {
            report_.shard = parse_shard(options_.shard);
        }
        const std::vector<SourceWheel>& all = source_->wheels();
        for (const std::vector<std::size_t>& same : published_twice(all)) {
            for (const std::size_t index : same) {
                twins_[index] = index == same.front() ? same[1] : same.front();
            }
        }
        chosen_ = positions_in(report_.shard, names_of(all));
        report_.wheels = chosen_.size();
        report_.all_wheels = all.size();
        looked_.resize(chosen_.size());
        refuse_overwriting(labels_of(all), options_.outputs);
    }

    void read_ledger() {
        const auto tip = fetched_tip(ledger_, options_.offline);
        std::vector<std::string> names;
        for (const std::size_t index : chosen_) {
            names.push_back(source_->wheels()[index].name);
        }
        if (tip) {
            recorded_.emplace(ledger_, names);
        } else {
            recorded_.emplace(names);
        }
        report_.ledger = ledger_.name();
    }

    std::function<AuditResult(std::size_t)> make_worker() {
        const auto worker = std::make_shared<WorkerReading>(options_.reading, witness_);
        return [this, worker](std::size_t item) {
            const SourceWheel& wheel = source_->wheels()[chosen_[item]];
            try {
                return look(wheel, chosen_[item], worker->inventory(), looked_[item]);
            } catch (const Error& error) {
                return not_had(wheel, error);
            }
        };
    }

    AuditResult look(const SourceWheel& wheel, std::size_t index, const InventoryOptions& inventory, Looked& looked) {
        const RecordedClaim* known = recorded_->find(wheel.name);
        AuditResult result;
        result.file = wheel.label;
        if ((known != nullptr && !known->claim.inferred) || is_recorded_in_output(wheel.name)) {
            looked.outcome = Looked::Outcome::recorded_by_build;
            return result;
        }
        if (const auto twin = twins_.find(index); twin != twins_.end()) {  // nobody can say which is to be recorded
            result.package = package_by_name(wheel.name);
            result.verdict = AuditVerdict::wheel_wrong;
            result.findings = {published_twice_finding(wheel, source_->wheels()[twin->second], Severity::error)};
            return result;
        }
        const bool by_digest = known != nullptr && !options_.replace && wheel.sha256 == known->sha256;
        if (by_digest) {
            looked.outcome = Looked::Outcome::there_already;
            return result;
        }
        source_->with_file(index, [&](const fs::path& file) {
            if (known != nullptr && !options_.replace) {
                compare_file(file, *known, looked, result);
            } else {
                infer(file, wheel, inventory, looked, result);
            }
        });
        return result;
    }

    std::string output_path(const std::string& file_name) const {
        return entry_path(fs::path(options_.output) / file_name);
    }

    // A build's own entry may lie there, which was not collected yet.
    bool is_recorded_in_output(const std::string& file_name) const {
        std::error_code ignored;
        if (options_.output.empty() || !fs::exists(output_path(file_name), ignored)) {
            return false;
        }
        return inside(printable(output_path(file_name)), [&] {
            const MappedFile file(output_path(file_name));
            return parse_entry(file.view().text()).json.at("provenance") == "recorded";
        });
    }

    // Of a wheel that was inferred before, only the file is asked for.
    static void compare_file(const fs::path& file, const RecordedClaim& known, Looked& looked, AuditResult& result) {
        const std::string sha256 = sha256_hex(file);
        if (sha256 == known.sha256) {
            looked.outcome = Looked::Outcome::there_already;
            return;
        }
        result.package = known.package;
        result.verdict = AuditVerdict::wheel_wrong;
        result.findings = {another_file(printable(known.file_name), known, sha256)};
    }

    void infer(const fs::path& file, const SourceWheel& wheel, const InventoryOptions& inventory, Looked& looked,
               AuditResult& result) const {
        const Farm* farm = farm_ ? &*farm_ : nullptr;
        std::optional<Entry> entry;
        std::vector<Finding> of_inference;
        AuditGrounds grounds;
        grounds.farm = farm;
        result = judge_published(file, wheel.label, inventory, grounds, [&](const PublishedWheel& seen) {
            of_inference = check_inference(seen, farm);
            entry = infer_entry(seen, farm, {readers_, witnesses(seen.inventory)}, std::time(nullptr));
        });
        std::erase_if(result.findings, [](const Finding& finding) { return finding.rule == "unrecorded"; });
        if (result.verdict == AuditVerdict::unrecorded) {
            looked = {Looked::Outcome::inferred, std::move(entry)};
            std::erase_if(result.findings, [](const Finding& finding) { return finding.rule != "package-name"; });
            result.findings.insert(result.findings.end(), of_inference.begin(), of_inference.end());
        }
    }

    // In the order of the wheels.
    void take(Looked looked, AuditResult result) {
        switch (looked.outcome) {
            case Looked::Outcome::recorded_by_build: ++report_.kept; return;
            case Looked::Outcome::there_already: ++report_.unchanged; return;
            case Looked::Outcome::inferred:
                listener_.say(result.findings);
                take_entry(std::move(*looked.entry));
                return;
            case Looked::Outcome::failed: break;
        }
        listener_.text(audited_text(result));
        report_.failed.push_back(std::move(result));
    }

    void take_entry(Entry entry) {
        if (!options_.output.empty()) {
            std::error_code failure;
            fs::create_directories(options_.output, failure);
            write_file(output_path(entry.file_name), canonical_text(entry.json));
            ++report_.written;
            report_.output = options_.output;
            return;
        }
        entries_.push_back(std::move(entry));
        if (entries_.size() == kMostOfCommit) {
            commit();
        }
    }

    void commit() {
        if (entries_.empty()) {
            return;
        }
        const std::size_t count = entries_.size();
        const AppendOptions how = {
            .replace = options_.replace,
            .message = fmt::format("Record {} by what is in {}", count_of(count, "wheel"), count == 1 ? "it" : "them")};
        const Appended appended = ledger_.append(std::exchange(entries_, {}), how);
        report_.added += appended.added;
        report_.replaced += appended.replaced;
        report_.unchanged += appended.unchanged;
        report_.kept += appended.kept;
        report_.refused.insert(report_.refused.end(), appended.refused.begin(), appended.refused.end());
        report_.left_out += appended.refused.size();
        if (!appended.commit.empty()) {
            report_.commit = appended.commit;
        }
    }

    const BackfillOptions& options_;
    Listener& listener_;
    SecondWitness witness_;
    Ledger ledger_;
    std::optional<Farm> farm_;
    std::unique_ptr<WheelSource> source_;
    std::vector<std::size_t> chosen_;           // of this shard
    std::map<std::size_t, std::size_t> twins_;  // those that are one wheel by their names
    std::optional<RecordedClaims> recorded_;
    Toolchain readers_;
    std::vector<Looked> looked_;  // each written by the thread that looks, and taken by this one
    std::vector<Entry> entries_;  // to be committed
    BackfillReport report_;
};

// A wheel that cannot be recorded does not keep the others from it. Exit 1 if a wheel is wrong, or another file was
// recorded under its name; 3 if one could not be read.
Outcome backfill(const BackfillOptions& options, Listener& listener) {
    const BackfillReport report = Backfill(options, listener).run();
    listener.note(findings_text(report.refused));
    const std::vector<Finding> errors = backfill_errors(report);
    Outcome outcome;
    outcome.text = backfill_text(report);
    outcome.result = backfill_json(report);
    outcome.findings = located(errors);
    outcome.summary.head = findings_summary(outcome.text.substr(0, outcome.text.find('\n')), errors);
    outcome.outputs["verdict"] = backfill_verdict(report);
    if (report.written > 0) {
        outcome.outputs["entries"] = report.output;
    }
    outcome.code = report.refused.empty() ? ExitCode::ok : ExitCode::findings;
    for (const AuditResult& result : report.failed) {
        outcome.code = std::max(outcome.code, exit_code(result.verdict));
    }
    return outcome;
}

}  // namespace

Command ledger_backfill_command() {
    return {.name = "ledger backfill",
            .help = "Record published wheels that nothing is recorded of, by what is in them: as inferred",
            .example = "wheelarch ledger backfill published/",
            .bind = bind(declare, backfill),
            .from_action = from_action};
}

}  // namespace wheelarch
