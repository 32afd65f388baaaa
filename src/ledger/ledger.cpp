#include "ledger/ledger.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "ledger/append_plan.hpp"
#include "ledger/git_program.hpp"
#include "ledger/git_repo.hpp"
#include "ledger/remote_branch.hpp"
#include "ledger/writer_lock.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

using Outcome = Transfer::Outcome;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostEntries = 1'000'000;
constexpr std::size_t kMostTries = 60;
constexpr std::size_t kMostTriesInTrouble = 5;  // with a server or connection, not with other writers
constexpr std::size_t kFewObjects = 200;        // as files of their own
constexpr char kReason[] = "wheelarch: record wheels";

// Waits between tries, at random so that writers who met do not meet again. The span doubles from the time that one try
// takes, which is what two writers must be apart.
class Backoff {
public:
    // Is there time for another try? Then waits for it.
    bool wait(Clock::duration try_took, Deadline deadline) {
        using std::chrono::milliseconds;
        const auto base = std::max(std::chrono::duration_cast<milliseconds>(try_took), milliseconds(5));
        const auto span = std::min<milliseconds>(base * (1 << std::min(waits_++, 3)), milliseconds(10'000));
        const auto pause = milliseconds(std::uniform_int_distribution<milliseconds::rep>(0, span.count())(random_));
        if (Clock::now() + pause >= deadline) {
            return false;
        }
        std::this_thread::sleep_for(pause);
        return true;
    }

private:
    std::minstd_rand random_{std::random_device()()};
    int waits_ = 0;
};

GitIdentity author(const GitRepo& repo) {
    if (const std::optional<GitIdentity> configured = repo.identity()) {
        return *configured;
    }
    if (!environment("GITHUB_ACTIONS").empty()) {
        return {.name = "github-actions[bot]", .email = "41898282+github-actions[bot]@users.noreply.github.com"};
    }
    return {.name = "wheelarch", .email = "wheelarch@localhost"};
}

std::string choose_remote(const GitRepo& repo, const std::string& wanted) {
    const std::vector<std::string> remotes = repo.remotes();
    if (!wanted.empty()) {
        if (std::find(remotes.begin(), remotes.end(), wanted) == remotes.end()) {
            throw bad_usage(fmt::format("the repository has no remote '{}'; it has {}", printable(wanted),
                                        remotes.empty() ? "none" : printable(enumerate(remotes, 10))),
                            "give the name of one of its remotes (`git remote`)");
        }
        return wanted;
    }
    if (remotes.empty() || std::find(remotes.begin(), remotes.end(), "origin") != remotes.end()) {
        return remotes.empty() ? "" : "origin";
    }
    if (remotes.size() > 1) {
        throw bad_usage(fmt::format("the repository has the remotes {}, and none is called origin",
                                    printable(enumerate(remotes, 10))),
                        "say which holds the ledger, with --remote");
    }
    return remotes.front();
}

void check_branch(const std::string& branch) {
    if (branch.starts_with('-') || branch.starts_with("refs/") || !GitRepo::is_ref_name("refs/heads/" + branch)) {
        throw bad_usage(fmt::format("'{}' cannot be the name of a branch", printable(branch)),
                        "give a name such as wheel-ledger, without refs/heads/");
    }
}

// For the log of a branch: what was recorded, by name as far as that is readable.
std::string commit_message(const std::vector<NewEntry>& entries, const AppendPlan& plan, const std::string& subject) {
    constexpr std::size_t kMostNames = 50;
    const std::size_t changed = plan.added + plan.replaced + plan.carried;
    std::string text = subject;
    if (text.empty()) {
        text = entries.size() == 1 ? fmt::format("Record {}", printable(entries.front().entry.file_name))
                                   : fmt::format("Record {}", count_of(changed, "wheel"));
        text += plan.replaced > 0 ? fmt::format(", replacing {}", plan.replaced) : "";
        text += plan.carried > 0 ? fmt::format(", {} carried to a later epoch", plan.carried) : "";
    }
    text += '\n';
    std::size_t named = 0;
    for (const auto& [folder, files] : plan.folders) {
        for (const AppendPlan::Change& file : files) {
            if (entries.size() > 1 && named < kMostNames) {
                text += fmt::format("{}{}/{}\n", named++ == 0 ? "\n" : "", printable(folder), printable(file.name));
            }
        }
    }
    return text;
}

std::vector<NewEntry> prepare(std::vector<Entry> entries) {
    if (entries.empty() || entries.size() > kMostEntries) {
        throw unchecked(entries.empty()
                            ? std::string("there are no entries to record")
                            : fmt::format("{} entries at once: expected at most {}", entries.size(), kMostEntries),
                        entries.empty() ? "give entry files, or a folder that holds some" : "record them in parts");
    }
    std::vector<NewEntry> prepared;
    prepared.reserve(entries.size());
    for (Entry& entry : entries) {
        prepared.emplace_back(std::move(entry));
    }
    return prepared;
}

GitId write_commit(GitRepo& repo, const GitId& base, const GitId& root, const AppendPlan& plan,
                   const std::string& message) {
    if (plan.added + plan.replaced + plan.carried > kFewObjects) {
        repo.write_packed();
    }
    const GitId tree = write_plan(repo, root, plan);
    GitId commit = repo.write_commit(tree, base, author(repo), message);
    repo.store();
    return commit;
}

}  // namespace

// One try at recording: what it would have done, and whether the branch took it.
struct Attempt {
    Appended result;
    Transfer moved = {};
};

struct Ledger::State {
    LedgerOptions options;
    GitRepo repo;
    std::string local_ref;
    std::optional<RemoteBranch> remote = {};

    explicit State(LedgerOptions given)
        : options(std::move(given)),
          repo(options.farm, options.trust_config),
          local_ref("refs/heads/" + options.branch) {
        check_branch(options.branch);
        const std::string name = choose_remote(repo, options.remote);
        if (!name.empty()) {
            const GitRemote found = repo.remote(name);
            remote.emplace(
                repo,
                GitProgram(repo.common_dir(), {.token = options.token,
                                               .routes = {{found.asked, found.url}, {found.asked_push, found.push_url}},
                                               .trusted = options.trust_config}),
                name, options.branch);
        }
    }

    Deadline deadline() const { return Clock::now() + options.time_limit; }
    std::string name() const {
        return remote ? fmt::format("{} of {}", options.branch, remote->remote()) : options.branch;
    }
    std::optional<Tip> tip() const;
    GitId root() const {
        const std::optional<Tip> at = tip();
        return at ? repo.commit(at->commit).tree : GitId();
    }
    Entry read(const RecordedFile& file) const {
        return inside(fmt::format("{}:{}", printable(options.branch), printable(file.path())), [&] {
            Entry entry = parse_entry(repo.blob(file.id));
            if (wheel_key(entry.file_name) != wheel_key(file.wheel)) {
                throw unchecked(fmt::format("it holds the record of {}", printable(entry.file_name)),
                                "take the file off the branch; `wheelarch ledger record` writes to the right one");
            }
            return entry;
        });
    }
    void fetch(Deadline deadline) const;
    Transfer move(const GitId& commit, const GitId& expected, Deadline deadline);
    void note_pushed(const GitId& expected, const GitId& commit);
    std::optional<Tip> fresh_tip(Deadline deadline) const;
    Transfer publish(const std::optional<Tip>& at, const GitId& commit, Deadline deadline);
    Attempt attempt(const std::vector<NewEntry>& entries, const AppendOptions& options, Deadline deadline);
    Attempt attempt_retire(const std::set<std::string>& keys, std::vector<std::string>& names, Deadline until);
    Appended again_and_again(const std::function<Attempt(Deadline)>& attempt_it) const;
    void require_no_work_tree() const;
    Error refused(const std::string& words) const;
    Error gave_up(std::size_t tries, const std::string& words) const;
};

std::optional<Ledger::Tip> Ledger::State::tip() const {
    for (const std::string& ref : {remote ? remote->tracking_ref() : std::string(), local_ref}) {
        if (const std::optional<GitId> commit = ref.empty() ? std::nullopt : repo.ref(ref)) {
            return Tip{.ref = ref, .commit = *commit, .time = repo.commit(*commit).time};
        }
    }
    return std::nullopt;
}

// The files of a checked out branch would seem deleted.
void Ledger::State::require_no_work_tree() const {
    if (repo.checked_out(local_ref)) {
        throw unchecked(fmt::format("the branch {} is checked out in a work tree, which a commit would leave behind",
                                    options.branch),
                        "switch that work tree to another branch");
    }
}

Error Ledger::State::refused(const std::string& words) const {
    return unchecked(
        fmt::format("{} did not take the push to {}: {}", remote->remote(), options.branch, words),
        "check that this user or token may push that branch (on GitHub: `permissions: contents: write`, and no "
        "rule that protects it); the entries can be recorded later, since recording twice does no harm");
}

Error Ledger::State::gave_up(std::size_t tries, const std::string& words) const {
    return unchecked(fmt::format("{} could not be moved: gave up after {}; the last said: {}", name(),
                                 tries == 1 ? "1 try" : fmt::format("{} tries", tries), words),
                     "run it again; where many jobs record, let them make entry files and one job collect them");
}

// The caller holds the lock.
void Ledger::State::fetch(Deadline deadline) const {
    Backoff backoff;
    for (std::size_t tries = 1;; ++tries) {
        const Clock::time_point start = Clock::now();
        const Transfer transfer = remote->fetch(deadline);
        if (transfer.outcome == Outcome::done) {
            return;
        }
        const bool hopeless = transfer.outcome == Outcome::refused || tries == kMostTriesInTrouble;
        if (hopeless || !backoff.wait(Clock::now() - start, deadline)) {
            throw unchecked(fmt::format("cannot fetch {}: {}", name(), transfer.words),
                            "check that the remote can be reached and that this user or token may read it");
        }
    }
}

Transfer Ledger::State::move(const GitId& commit, const GitId& expected, Deadline deadline) {
    if (remote) {
        return remote->push(commit, expected, deadline);
    }
    await_reference(repo.common_dir(), local_ref, deadline);
    switch (repo.move_ref(local_ref, expected, commit, kReason)) {
        case RefMove::done: return {};
        case RefMove::lost: return {Outcome::lost, "the branch had moved"};
        case RefMove::locked:
            return {Outcome::lost, fmt::format("{}.lock is there: another program is moving the branch", local_ref)};
    }
    return {};
}

Ledger::Ledger(LedgerOptions options) : state_(std::make_unique<State>(std::move(options))) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

std::string Ledger::name() const {
    return state_->name();
}

bool Ledger::has_remote() const {
    return state_->remote.has_value();
}

std::optional<Ledger::Tip> Ledger::tip() const {
    return state_->tip();
}

// An entry lies in its package's folder, which mostly has the name of the wheel's distribution: it is looked at first.
std::optional<Entry> Ledger::find(std::string_view wheel_file_name) const {
    const WheelName name = parse_wheel_name(wheel_file_name);
    const std::string key = canonical_name(name);
    const std::string home = normal_name(name.distribution);
    std::vector<GitTreeItem> folders = ledger_folders(state_->repo, state_->root());
    const auto first =
        std::find_if(folders.begin(), folders.end(), [&](const GitTreeItem& f) { return f.name == home; });
    std::rotate(folders.begin(), first, first == folders.end() ? first : std::next(first));
    std::optional<RecordedFile> other_spelling;
    for (const GitTreeItem& folder : folders) {
        for (RecordedFile& file : ledger_files(state_->repo, folder)) {
            if (file.wheel == wheel_file_name) {
                return state_->read(file);
            }
            if (!other_spelling && normal_name(file.wheel.substr(0, file.wheel.find('-'))) == home &&
                wheel_key(file.wheel) == key) {
                other_spelling = std::move(file);
            }
        }
    }
    return other_spelling ? std::optional(state_->read(*other_spelling)) : std::nullopt;
}

void Ledger::each(const std::function<void(const Entry&)>& take) const {
    for (const GitTreeItem& folder : ledger_folders(state_->repo, state_->root())) {
        for (const RecordedFile& file : ledger_files(state_->repo, folder)) {
            take(state_->read(file));
        }
    }
}

void Ledger::each_text(const std::function<void(const std::string&, const ReadText&)>& take) const {
    for (const GitTreeItem& folder : ledger_folders(state_->repo, state_->root())) {
        for (const RecordedFile& file : ledger_files(state_->repo, folder)) {
            take(file.path(), [&] { return state_->repo.blob(file.id); });
        }
    }
}

void Ledger::fetch() {
    if (state_->remote) {
        const Deadline deadline = state_->deadline();
        const WriterLock lock(state_->repo.common_dir(), deadline);
        state_->fetch(deadline);
    }
}

// For readers here: git sets the remote-tracking reference only where a configured refspec says so. The entries are
// recorded by now, so nothing that goes wrong may look like a failure; the next fetch sets it.
void Ledger::State::note_pushed(const GitId& expected, const GitId& commit) {
    try {
        repo.move_ref(remote->tracking_ref(), expected, commit, kReason);
    } catch (const Error&) {
        return;
    }
}

// The caller holds the lock. The tip of now, from which all is worked out anew.
std::optional<Ledger::Tip> Ledger::State::fresh_tip(Deadline deadline) const {
    if (remote) {
        fetch(deadline);
    } else {
        require_no_work_tree();
    }
    return tip();
}

Transfer Ledger::State::publish(const std::optional<Tip>& at, const GitId& commit, Deadline deadline) {
    // A branch that is only here goes to the remote with its history.
    const GitId parent = at ? at->commit : GitId();
    const GitId expected = remote && at && at->ref == local_ref ? GitId() : parent;
    Transfer moved = move(commit, expected, deadline);
    if (remote && moved.outcome == Outcome::done) {
        note_pushed(expected, commit);
    }
    return moved;
}

Attempt Ledger::State::attempt(const std::vector<NewEntry>& entries, const AppendOptions& how, Deadline deadline) {
    const std::optional<Tip> at = fresh_tip(deadline);
    const GitId parent = at ? at->commit : GitId();
    const GitId root = at ? repo.commit(parent).tree : GitId();
    AppendPlan plan = plan_append(repo, root, entries, how.replace);
    if (how.all_or_none && !plan.refused.empty()) {
        return {.result = {.refused = std::move(plan.refused)}};
    }
    Attempt attempt = {.result = {.commit = parent,
                                  .added = plan.added,
                                  .replaced = plan.replaced,
                                  .carried = plan.carried,
                                  .unchanged = plan.unchanged,
                                  .kept = plan.kept,
                                  .refused = plan.refused}};
    if (plan.folders.empty()) {
        return attempt;
    }
    attempt.result.commit = write_commit(repo, parent, root, plan, commit_message(entries, plan, how.message));
    attempt.moved = publish(at, attempt.result.commit, deadline);
    return attempt;
}

Appended Ledger::append(std::vector<Entry> entries, const AppendOptions& options) {
    const std::size_t given = entries.size();
    std::vector<NewEntry> fresh = prepare(std::move(entries));
    std::vector<Finding> twice = drop_repeated(fresh);
    if (fresh.empty() || (options.all_or_none && !twice.empty())) {
        return {.refused = std::move(twice)};
    }
    const std::size_t left_out = 2 * twice.size();
    Appended result =
        state_->again_and_again([&](Deadline deadline) { return state_->attempt(fresh, options, deadline); });
    result.unchanged += given - std::min(given, fresh.size() + left_out);
    result.refused.insert(result.refused.begin(), twice.begin(), twice.end());
    return result;
}

// Until the branch takes it. What is tried holds the lock meanwhile.
Appended Ledger::State::again_and_again(const std::function<Attempt(Deadline)>& attempt_it) const {
    const Deadline until = deadline();
    const WriterLock lock(repo.common_dir(), until);
    Backoff backoff;
    std::size_t in_trouble = 0;
    for (std::size_t tries = 1;; ++tries) {
        const Clock::time_point start = Clock::now();
        auto [result, moved] = attempt_it(until);
        if (moved.outcome == Outcome::done) {
            result.tries = tries;
            return result;
        }
        if (moved.outcome == Outcome::refused) {
            throw refused(moved.words);
        }
        in_trouble += moved.outcome == Outcome::again ? 1 : 0;
        if (tries == kMostTries || in_trouble == kMostTriesInTrouble || !backoff.wait(Clock::now() - start, until)) {
            throw gave_up(tries, moved.words);
        }
    }
}

// The caller holds the lock.
Attempt Ledger::State::attempt_retire(const std::set<std::string>& keys, std::vector<std::string>& names,
                                      Deadline until) {
    const std::optional<Tip> at = fresh_tip(until);
    names.clear();
    Attempt attempt = {.result = {.commit = at ? at->commit : GitId()}};
    if (!at) {
        return attempt;
    }
    const GitId old_root = repo.commit(at->commit).tree;
    AppendPlan plan;
    for (const GitTreeItem& folder : ledger_folders(repo, old_root)) {
        for (const RecordedFile& file : ledger_files(repo, folder)) {
            if (keys.contains(wheel_key(file.wheel))) {
                names.push_back(file.wheel);
                plan.folders[file.folder].push_back({.name = file.wheel + ".json", .text = {}});
            }
        }
    }
    if (names.empty()) {
        return attempt;
    }
    const std::string message = names.size() == 1 ? "Retire " + printable(names.front())
                                                  : fmt::format("Retire {}", count_of(names.size(), "wheel"));
    attempt.result.commit = write_commit(repo, at->commit, old_root, plan, message + "\n");
    attempt.moved = publish(at, attempt.result.commit, until);
    return attempt;
}

Ledger::Retired Ledger::retire(const std::vector<std::string>& wheels) {
    std::set<std::string> keys;
    for (const std::string& wheel : wheels) {
        keys.insert(wheel_key(wheel));
    }
    Retired retired;
    retired.commit =
        state_->again_and_again([&](Deadline until) { return state_->attempt_retire(keys, retired.names, until); })
            .commit;
    return retired;
}

std::string Ledger::init() {
    return state_
        ->again_and_again([&](Deadline until) {
            if (state_->fresh_tip(until)) {
                throw bad_usage(fmt::format("there is a ledger already: {}", state_->name()),
                                "nothing is to be done; `wheelarch ledger list` shows what it holds");
            }
            Attempt attempt;
            attempt.result.commit = write_commit(state_->repo, {}, {}, {}, "Begin the ledger\n");
            attempt.moved = state_->publish(std::nullopt, attempt.result.commit, until);
            return attempt;
        })
        .commit;
}

}  // namespace wheelarch
