#include "lint/regions.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kDeepest = 256;
constexpr std::size_t kLongestText = 400;
constexpr std::size_t kMostGates = 20'000;
constexpr std::size_t kMostBranches = 1'000;

constexpr std::string_view kLeaving[] = {
    "return",
    "__trap",
    "assert",
    "abort",
    "exit",
    "__brkpt",
    "static_assert",
    "CUTE_INVALID_CONTROL_PATH",
    "NO_DEVICE_CODE",
    "trap",
    "CUTLASS_NOT_IMPLEMENTED",
    "__builtin_unreachable",
    "__builtin_trap",
    "CUDA_KERNEL_ASSERT",
    "__assert_fail",
    "TORCH_CHECK",
};
constexpr std::string_view kIdle[] = {"printf", "GGML_UNUSED", "GGML_UNUSED_VARS", "void",    "UNUSED", "(",
                                      "const",  "if",          "threadIdx",        "blockIdx"};

// What is returned by a function that gives up.
constexpr std::string_view kNothing[] = {"true", "false", "nullptr", "NULL"};

template <typename List>
bool is_in(const List& list, std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

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
            outer.code = outer.code || branch.code;
            outer.leaves = outer.leaves || branch.leaves;
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
    const bool others_have_code = std::any_of(chain.branches.begin(), chain.branches.end(), [&](const Branch& other) {
        return &other != &branch && other.code && (devices(other.may) & ~inner) != kNoPass;
    });
    // Behind the whole chain is what runs for those that no branch is for.
    const bool goes_on = branch.returns && (devices(chain.left_may) & ~inner) != kNoPass;
    Gate gate{branch.place, branch.text, outer, inner, false, others_have_code || goes_on, {}};
    if (branch.refuses) {
        gate.inner = devices(branch.must);
        gate.refuses = true;
    } else if (!branch.code) {
        // Code behind a branch that gives up is behind a gate.
        if (!branch.leaves || others_have_code) {
            return;
        }
        gate.inner = outer & ~devices(branch.must);
        gate.fallback = false;
    }
    if (gate.inner != kNoPass && gate.inner != outer) {
        gates_.push_back(std::move(gate));
    }
}

void Regions::word(std::string_view text) {
    if (chains_.empty()) {
        return;
    }
    Branch& branch = chains_.back().branches.back();
    if (branch.statement_starts) {
        branch.statement_starts = false;
        branch.returns = text == "return";
        const bool leaves = is_in(kLeaving, text);
        branch.leaves = branch.leaves || leaves;
        branch.stub_statement = leaves || is_in(kIdle, text) || text == "asm" || text.starts_with("__asm");
    } else if (branch.returns && !is_in(kNothing, text)) {
        branch.stub_statement = false;  // `return other(x);`
    }
    branch.code = branch.code || !branch.stub_statement;
}

void Regions::punct(std::string_view text) {
    if (!chains_.empty() && (text == ";" || text == "{" || text == "}")) {
        Branch& branch = chains_.back().branches.back();
        branch.statement_starts = true;
        branch.stub_statement = false;
    }
}

void Regions::ptx(std::string_view text) {
    if (chains_.empty()) {
        return;
    }
    const std::size_t first = text.find_first_not_of(" \t\n");
    const std::string_view start = text.substr(first == std::string_view::npos ? text.size() : first);
    const bool gives_up = start.starts_with("trap") || start.starts_with("brkpt") || start.starts_with("exit");
    Branch& branch = chains_.back().branches.back();
    branch.leaves = branch.leaves || gives_up;
    branch.code = branch.code || !(gives_up || start.empty());
}

void Regions::error_directive() {
    if (!chains_.empty()) {
        chains_.back().branches.back().refuses = true;
    }
}

void Regions::code() {
    if (!chains_.empty()) {
        chains_.back().branches.back().code = true;
    }
}

}  // namespace wheelarch
