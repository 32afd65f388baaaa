// PyScript::find_statements: the statements of a script, and what the conditions around each say of the list.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "lint/build/python_script.hpp"

namespace wheelarch {
namespace {

using Range = PyScript::Range;

constexpr std::array<std::string_view, 12> kHeads = {"if",     "elif",    "else", "while", "for",   "try",
                                                     "except", "finally", "with", "def",   "class", "async"};

// Of one chain of `if`, `elif` and `else`, or of `try` and `except`.
struct Chain {
    bool if_set = false;    // a branch so far is for a list that is there: the later ones run without
    bool if_unset = false;  // or the other way round
    bool mentions = false;
};

struct Frame {
    unsigned indent = 0;  // of the head; the body has more
    ListGuard guard = ListGuard::none;
    Chain chain;                 // of the statements in the body
    bool leaves_if_set = false;  // the branch looks at the list, and is for one that is there
    bool tries = false;
    bool tried_list = false;  // something in the body reads it, and would fail without one
};

bool leaves(const PyToken& first) {
    return first.is_name("return") || first.is_name("raise") || first.is_name("continue") || first.is_name("exit");
}

// What a condition says of the list.
enum class Says { nothing, set, unset };

bool is_empty(const PyToken* token) {
    return token != nullptr &&
           ((token->kind == PyToken::Kind::string && token->text.empty()) || token->is("0") || token->is_name("None"));
}

// One clause between `and` and `or`: each `not`, `is None`, `== ""` and `not in` turns it round.
Says clause_says(Range clause, bool mentions) {
    if (!mentions) {
        return Says::nothing;
    }
    bool unset = false;
    for (std::size_t i = 0; i < clause.size(); ++i) {
        const PyToken* next = i + 1 < clause.size() ? &clause[i + 1] : nullptr;
        const PyToken* after = i + 2 < clause.size() ? &clause[i + 2] : nullptr;
        if (next != nullptr && clause[i].is_name("is") && next->is_name("not")) {
            ++i;  // `is not None`
            continue;
        }
        const bool in_nothing = clause[i].is_name("in") && is_empty(after);  // `in (None, "")`
        if (in_nothing || clause[i].is_name("not") || clause[i].is_name("is") ||
            (clause[i].is("==") && is_empty(next))) {
            unset = !unset;
        }
    }
    return unset ? Says::unset : Says::set;
}

// Goes through the lines of a script with the blocks that are open.
class Flow {
public:
    explicit Flow(const PyScript& script) : script_(script), frames_(1) {}

    // The next line, whose first token has the number `begin` in the script.
    void take(Range tokens, std::size_t begin) {
        while (frames_.size() > 1 && tokens.front().indent <= frames_.back().indent) {
            const bool tried = frames_.back().tries && frames_.back().tried_list;
            frames_.pop_back();
            frames_.back().chain.if_set = frames_.back().chain.if_set || tried;
        }
        if (leaves(tokens.front()) && frames_.back().leaves_if_set && frames_.size() > 1) {
            // What follows the branch runs only without a list.
            frames_[frames_.size() - 2].guard = ListGuard::unset;
        }
        Frame& around = frames_.back();
        around.tried_list = around.tried_list || script_.reads_list(tokens);
        const std::size_t colon = find_outside(tokens, ":");
        const bool compound = tokens.front().kind == PyToken::Kind::name && colon < tokens.size() &&
                              std::find(kHeads.begin(), kHeads.end(), tokens.front().text) != kHeads.end();
        if (!compound) {
            statements_.push_back({begin, begin + tokens.size(), around.guard});
            around.chain = {};
            return;
        }
        statements_.push_back({begin, begin + colon, around.guard});
        const Frame frame = open(tokens.first(colon), around);
        if (colon + 1 == tokens.size()) {
            frames_.push_back(frame);
            return;
        }
        // The body is on the same line.
        statements_.push_back({begin + colon + 1, begin + tokens.size(), frame.guard});
        if (leaves(tokens[colon + 1]) && frame.leaves_if_set) {
            around.guard = ListGuard::unset;
        }
    }

    std::vector<PyStatement> statements() { return std::move(statements_); }

private:
    // The block that this head opens.
    Frame open(Range head, Frame& around) const {
        const PyToken& word = head.front();
        Frame frame;
        frame.indent = word.indent;
        frame.guard = word.is_name("def") || word.is_name("class") ? ListGuard::none : around.guard;
        frame.tries = word.is_name("try");
        const bool goes_on =
            word.is_name("elif") || word.is_name("else") || word.is_name("except") || word.is_name("finally");
        Chain& chain = around.chain;
        chain = goes_on ? chain : Chain{};
        const bool asks = word.is_name("if") || word.is_name("elif") || word.is_name("while");
        const Says own = asks ? says(head.subspan(1)) : Says::nothing;
        chain.mentions = chain.mentions || own != Says::nothing;
        if (own == Says::unset || (goes_on && own != Says::set && chain.if_set)) {
            frame.guard = ListGuard::unset;
        } else if (frame.guard == ListGuard::none && chain.mentions) {
            frame.guard = ListGuard::mentioned;
        }
        frame.leaves_if_set = own == Says::set || (goes_on && chain.if_unset);
        chain.if_set = chain.if_set || own == Says::set;
        chain.if_unset = chain.if_unset || own == Says::unset;
        return frame;
    }

    Says says(Range condition) const {
        Says all = Says::nothing;
        while (!condition.empty()) {
            const auto end = std::find_if(condition.begin(), condition.end(), [](const PyToken& token) {
                return token.is_name("and") || token.is_name("or");
            });
            const Range clause = condition.first(static_cast<std::size_t>(end - condition.begin()));
            all = std::max(all, clause_says(clause, script_.reads_list(clause)));
            condition = condition.subspan(std::min(clause.size() + 1, condition.size()));
        }
        return all;
    }

    const PyScript& script_;
    std::vector<Frame> frames_;
    std::vector<PyStatement> statements_;
};

}  // namespace

void PyScript::find_statements() {
    Flow flow(*this);
    for (const Line& line : lines_) {
        flow.take(Range(tokens_).subspan(line.begin, line.end - line.begin), line.begin);
    }
    statements_ = flow.statements();
}

}  // namespace wheelarch
