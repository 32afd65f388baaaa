// PyScript::find_statements: the statements of a script, and what the conditions around each say of the list.
#include <algorithm>
#include <array>
#include <vector>

#include "lint/python_script.hpp"

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

// One clause between `and` and `or`: each `not`, `is None`, `== ""` and `not in` turns it round.
Says clause_says(Range clause, bool mentions) {
    if (!mentions) {
        return Says::nothing;
    }
    bool unset = false;
    for (std::size_t i = 0; i < clause.size(); ++i) {
        const PyToken* next = i + 1 < clause.size() ? &clause[i + 1] : nullptr;
        if (clause[i].is_name("not")) {
            unset = !unset;
        } else if (next != nullptr && clause[i].is_name("is") && !next->is_name("not")) {
            unset = !unset;
        } else if (next != nullptr && clause[i].is_name("is")) {
            ++i;  // `is not None`
        } else if (next != nullptr && clause[i].is("==")) {
            const bool empty =
                (next->kind == PyToken::Kind::string && next->text.empty()) || next->is("0") || next->is_name("None");
            unset = empty ? !unset : unset;
        }
    }
    return unset ? Says::unset : Says::set;
}

}  // namespace

void PyScript::find_statements() {
    std::vector<Frame> frames(1);
    const auto says = [&](Range condition) {
        Says all = Says::nothing;
        while (!condition.empty()) {
            const auto end = std::find_if(condition.begin(), condition.end(), [](const PyToken& token) {
                return token.is_name("and") || token.is_name("or");
            });
            const Range clause = condition.first(static_cast<std::size_t>(end - condition.begin()));
            const Says one = clause_says(clause, reads_list(clause));
            all = one == Says::unset || all == Says::unset ? Says::unset : std::max(all, one);
            condition = condition.subspan(std::min(clause.size() + 1, condition.size()));
        }
        return all;
    };
    bool first = true;
    for (const Line& line : lines_) {
        while (frames.size() > 1 && !first && line.indent <= frames.back().indent) {
            const bool tried = frames.back().tries && frames.back().tried_list;
            frames.pop_back();
            frames.back().chain.if_set = frames.back().chain.if_set || tried;
        }
        first = false;
        const Range tokens = Range(tokens_).subspan(line.begin, line.end - line.begin);
        Frame& around = frames.back();
        if (leaves(tokens.front()) && around.leaves_if_set && frames.size() > 1) {
            // What follows the branch runs only without a list.
            frames[frames.size() - 2].guard = ListGuard::unset;
        }
        around.tried_list = around.tried_list || reads_list(tokens);
        const std::string_view head = tokens.front().text;
        const std::size_t colon = find_outside(tokens, ":");
        const bool compound = tokens.front().kind == PyToken::Kind::name && colon < tokens.size() &&
                              std::find(kHeads.begin(), kHeads.end(), head) != kHeads.end();
        if (!compound) {
            statements_.push_back({line.begin, line.end, around.guard});
            around.chain = {};
            continue;
        }
        statements_.push_back({line.begin, line.begin + colon, around.guard});
        Frame frame;
        frame.indent = line.indent;
        frame.guard = around.guard;
        frame.tries = head == "try";
        Chain& chain = around.chain;
        const bool goes_on = head == "elif" || head == "else" || head == "except" || head == "finally";
        chain = goes_on ? chain : Chain{};
        const Says own =
            head == "if" || head == "elif" || head == "while" ? says(tokens.subspan(1, colon - 1)) : Says::nothing;
        chain.mentions = chain.mentions || own != Says::nothing;
        if (head == "def" || head == "class") {
            frame.guard = ListGuard::none;
        }
        if (own == Says::unset || (goes_on && own != Says::set && chain.if_set)) {
            frame.guard = ListGuard::unset;
        } else if (frame.guard == ListGuard::none && chain.mentions) {
            frame.guard = ListGuard::mentioned;
        }
        frame.leaves_if_set = own == Says::set || (goes_on && chain.if_unset);
        chain.if_set = chain.if_set || own == Says::set;
        chain.if_unset = chain.if_unset || own == Says::unset;
        if (colon + 1 < tokens.size()) {  // the body on the same line
            statements_.push_back({line.begin + colon + 1, line.end, frame.guard});
            if (leaves(tokens[colon + 1]) && frame.leaves_if_set) {
                around.guard = ListGuard::unset;
            }
            continue;
        }
        frames.push_back(frame);
    }
}

}  // namespace wheelarch
