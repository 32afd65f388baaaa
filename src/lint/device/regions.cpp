#include "lint/device/regions.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kDeepest = 256;
constexpr std::size_t kLongestText = 400;
constexpr std::size_t kMostGates = 20'000;
constexpr std::size_t kMostBranches = 1'000;

}  // namespace

ArchMask Regions::may() const {
    return chains_.empty() ? every_pass() : chains_.back().branches.back().may;
}

ArchMask Regions::must() const {
    return chains_.empty() ? every_pass() : chains_.back().branches.back().must;
}

void Regions::open(const Truth& truth, SourcePlace place, std::string_view text, bool directive) {
    if (chains_.size() >= kDeepest) {
        too_deep_ += directive ? 1 : 0;
        return;
    }
    Chain chain;
    chain.outer_may = chain.left_may = may();
    chain.outer_must = chain.left_must = must();
    chain.directive = directive;
    add_branch(chain, truth, place, text);
    chains_.push_back(std::move(chain));
    watching_ += truth.by_arch ? 1 : 0;
}

void Regions::add_branch(Chain& chain, const Truth& truth, SourcePlace place, std::string_view text) {
    Branch branch;
    branch.place = place;
    if (chain.by_arch || truth.by_arch) {
        branch.text = std::string(text.substr(0, kLongestText));
    }
    branch.may = chain.left_may & truth.can_be_true;
    branch.must = chain.left_must & ~truth.can_be_false;
    chain.left_may &= truth.can_be_false;
    chain.left_must &= ~truth.can_be_true;
    chain.by_arch = chain.by_arch || truth.by_arch;
    chain.branches.push_back(std::move(branch));
}

void Regions::next(const Truth& truth, SourcePlace place, std::string_view text, bool directive) {
    const bool open = too_deep_ == 0 && (directive ? close_blocks() : !chains_.empty() && !chains_.back().directive);
    if (!open) {
        return;
    }
    Chain& chain = chains_.back();
    watching_ += !chain.by_arch && truth.by_arch ? 1 : 0;
    if (chain.branches.size() >= kMostBranches) {
        chain.branches.erase(chain.branches.begin() + 1);
    }
    add_branch(chain, truth, place, text);
}

void Regions::close_directive() {
    if (too_deep_ != 0) {
        --too_deep_;
        return;
    }
    if (close_blocks()) {
        close();
    }
}

bool Regions::close_blocks() {
    const bool open = std::any_of(chains_.begin(), chains_.end(), [](const Chain& chain) { return chain.directive; });
    while (open && !chains_.back().directive) {
        close();
    }
    return open;
}

void Regions::close_block() {
    if (!chains_.empty() && !chains_.back().directive) {
        close();
    }
}

void Regions::close_all() {
    while (!chains_.empty()) {
        close();
    }
}

void Regions::close() {
    const Chain chain = std::move(chains_.back());
    chains_.pop_back();
    watching_ -= chain.by_arch ? 1 : 0;
    report(chain);
    if (!chains_.empty()) {
        Branch& outer = chains_.back().branches.back();
        for (const Branch& branch : chain.branches) {
            outer.code.add(branch.code);
        }
    }
}

void Regions::sure() {
    if (too_deep_ == 0 && !chains_.empty()) {
        chains_.back().branches.back().must = chains_.back().outer_must;
    }
}

void Regions::report(const Chain& chain) {
    if (!chain.by_arch || gates_.size() >= kMostGates) {
        return;
    }
    for (const Branch& branch : chain.branches) {
        report_branch(chain, branch);
    }
}

void Regions::report_branch(const Chain& chain, const Branch& branch) {
    const ArchMask outer = devices(chain.outer_may);
    const ArchMask inner = devices(branch.may);
    if (inner == outer || inner == kNoPass) {
        return;
    }
    splits_ = true;
    const bool others_have_code = std::any_of(chain.branches.begin(), chain.branches.end(), [&](const Branch& other) {
        return &other != &branch && other.code.has_code() && (devices(other.may) & ~inner) != kNoPass;
    });
    // Behind the whole chain is what runs for those that no branch is for.
    const bool goes_on = branch.code.returns() && (devices(chain.left_may) & ~inner) != kNoPass;
    Gate gate{branch.place, branch.text, outer, inner, false, others_have_code || goes_on};
    gate.definitions = branch.code.defines() && !branch.code.has_substance() &&
                       std::none_of(chain.branches.begin(), chain.branches.end(),
                                    [&](const Branch& other) { return &other != &branch && other.code.defines(); });
    if (branch.refuses) {
        gate.inner = devices(branch.must);
        gate.refuses = true;
    } else if (!branch.code.has_code()) {
        // Code behind a branch that gives up is behind a gate.
        if (!branch.code.leaves() || others_have_code) {
            return;
        }
        gate.inner = outer & ~devices(branch.must);
        gate.fallback = false;
    }
    if (gate.inner != kNoPass && gate.inner != outer) {
        gates_.push_back(std::move(gate));
    }
}

StubCode& Regions::code() {
    return chains_.empty() ? outside_ : chains_.back().branches.back().code;
}

void Regions::word(std::string_view text) {
    code().word(text, may(), macros_);
}

void Regions::error_directive() {
    if (!chains_.empty()) {
        chains_.back().branches.back().refuses = true;
    }
}

}  // namespace wheelarch
