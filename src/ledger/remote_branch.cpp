#include "ledger/remote_branch.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelarch {
namespace {

using Outcome = Transfer::Outcome;

std::chrono::seconds left(Deadline deadline) {
    return std::chrono::ceil<std::chrono::seconds>(deadline - std::chrono::steady_clock::now());
}

// Words of git, curl, ssh and servers for what may be otherwise in a moment.
bool may_pass(const std::string& words) {
    static constexpr std::string_view kPassing[] = {"cannot lock ref",
                                                    "unable to create '",
                                                    "failed to update ref",
                                                    "failed to lock",
                                                    "failed to write",
                                                    "incorrect old value",
                                                    "reference already exists",
                                                    "returned error: 5",
                                                    "returned error: 429",
                                                    "rpc failed",
                                                    "early eof",
                                                    "hung up unexpectedly",
                                                    "unexpected disconnect",
                                                    "connection reset",
                                                    "connection timed out",
                                                    "connection refused",
                                                    "couldn't connect to",
                                                    "could not resolve",
                                                    "operation timed out",
                                                    "failed to connect",
                                                    "internal server error"};
    const std::string lower = lower_case(words);
    return std::any_of(std::begin(kPassing), std::end(kPassing),
                       [&](std::string_view text) { return lower.find(text) != std::string::npos; });
}

Transfer failed(std::string words) {
    const Outcome outcome = may_pass(words) ? Outcome::again : Outcome::refused;
    return {outcome, std::move(words)};
}

Transfer timed_out(const char* what) {
    return {Outcome::refused, fmt::format("{} did not end within the time limit", what)};
}

// `!\tFROM:TO\t[rejected] (reason)`: what git says of the reference, after the names.
std::string rejection(const std::string& porcelain) {
    const std::size_t line = porcelain.starts_with("!\t") ? 0 : porcelain.find("\n!\t");
    if (line == std::string::npos) {
        return {};
    }
    const std::size_t names = porcelain.find('\t', line) + 1;
    const std::size_t summary = porcelain.find('\t', names);
    if (summary == std::string::npos) {
        return {};
    }
    return printable(porcelain.substr(summary + 1, porcelain.find('\n', summary) - summary - 1));
}

}  // namespace

RemoteBranch::RemoteBranch(const GitRepo& repo, GitProgram git, std::string remote, const std::string& branch)
    : repo_(&repo),
      git_(std::move(git)),
      remote_(std::move(remote)),
      branch_ref_("refs/heads/" + branch),
      tracking_(fmt::format("refs/remotes/{}/{}", remote_, branch)) {}

RemoteBranch::Remote RemoteBranch::look(Deadline deadline) const {
    constexpr int kNoSuchRef = 2;  // what --exit-code is for
    const GitRun run = git_.run({"ls-remote", "--exit-code", "--", remote_, branch_ref_}, left(deadline));
    if (!run.timed_out && run.exit_code == kNoSuchRef) {
        return {Remote::State::absent};
    }
    // The name matches the end of longer ones too.
    const std::string wanted = "\t" + branch_ref_ + "\n";
    const std::size_t at = run.output.find(wanted);
    if (!run.ok()) {
        return {Remote::State::unreachable};
    }
    if (at == std::string::npos || at < 40) {
        return {Remote::State::absent};
    }
    return {Remote::State::there, run.output.substr(at - 40, 40)};
}

bool RemoteBranch::descends(const GitId& commit, const GitId& ancestor, Deadline deadline) const {
    return git_.run({"merge-base", "--is-ancestor", ancestor, commit}, left(deadline)).ok();
}

void RemoteBranch::report_rewritten(const GitId& before, const GitId& now) const {
    const std::string forget = fmt::format("`git update-ref -d {} {}`", tracking_, before);
    if (now.empty()) {
        throw unchecked(
            fmt::format("{} of {} was deleted: it was at {} when it was last fetched", branch_ref_, remote_, before),
            fmt::format("restore it: `git push {} {}:{}`; or, if it is meant, forget the old ledger here: {}", remote_,
                        before, branch_ref_, forget));
    }
    throw unchecked(
        fmt::format("{} of {} was rewritten: it is at {}, whose history lacks {}, at which it was last fetched",
                    branch_ref_, remote_, now, before),
        fmt::format("find out who pushed it by force, and record again what was lost; to go on from the new "
                    "history, forget the old one here: {}",
                    forget));
}

Transfer RemoteBranch::fetch(Deadline deadline) const {
    const std::optional<GitId> before = repo_->ref(tracking_);
    await_reference(repo_->common_dir(), tracking_, deadline);
    std::vector<std::string> arguments = {"fetch", "--no-tags", "--no-recurse-submodules", "--no-prune", "--no-filter",
                                          // The configured refspecs would force the reference.
                                          "--refmap="};
    if (repo_->shallow() && !before) {
        arguments.emplace_back("--depth=1");
    }
    arguments.insert(arguments.end(), {"--", remote_, fmt::format("{}:{}", branch_ref_, tracking_)});
    const GitRun run = git_.run(arguments, left(deadline));
    if (run.ok()) {
        return {};
    }
    if (run.timed_out) {
        return timed_out("git fetch");
    }
    const std::string words = GitProgram::words(run);
    const Remote now = look(deadline);
    if (now.state == Remote::State::absent) {
        if (before) {
            report_rewritten(*before, {});
        }
        return {};
    }
    if (now.state == Remote::State::there && !before) {
        return {Outcome::again, words};  // another writer has just made the branch
    }
    if (now.state == Remote::State::there && *before != now.commit && words.find("[rejected]") != std::string::npos &&
        !descends(now.commit, *before, deadline)) {
        report_rewritten(*before, now.commit);
    }
    return failed(words);
}

Transfer RemoteBranch::push(const GitId& commit, const GitId& expected, Deadline deadline) const {
    const GitRun run =
        git_.run({"-c", fmt::format("remote.{}.mirror=false", remote_), "-c", "push.pushOption=", "push", "--porcelain",
                  "--no-verify", "--no-signed", "--no-follow-tags", "--recurse-submodules=no",
                  fmt::format("--force-with-lease={}:{}", branch_ref_, expected), "--", remote_,
                  fmt::format("{}:{}", commit, branch_ref_)},
                 left(deadline));
    if (run.ok()) {
        return {};
    }
    if (run.timed_out) {
        return timed_out("git push");
    }
    const std::string reason = rejection(run.output);
    const std::string words =
        reason.empty() ? GitProgram::words(run) : fmt::format("{} | {}", GitProgram::words(run), reason);
    if (reason.find("(stale info)") != std::string::npos || reason.find("(fetch first)") != std::string::npos) {
        return {Outcome::lost, words};
    }
    // The answer may have been lost on the way, and a server may say in any words that another was first.
    const Remote now = look(deadline);
    if (now.state == Remote::State::there && now.commit == commit) {
        return {};
    }
    const GitId standing = now.state == Remote::State::there ? now.commit : GitId();
    if (now.state != Remote::State::unreachable && standing != expected) {
        return {Outcome::lost, words};
    }
    return failed(words);
}

}  // namespace wheelarch
