#include "lint/device/code_conditions.hpp"

#include <algorithm>

#include "lint/device/feature_names.hpp"

namespace wheelarch {
namespace {

using Kind = CudaToken::Kind;

// May a condition with this word ask for the arch? The second walk knows which do.
bool may_ask(const WalkedFile& file, std::string_view word) {
    return !file.wants_facts || passes_defining(word) || file.macros.table().find(word) != nullptr ||
           word.starts_with("CU");
}

}  // namespace

void BlockConditions::take(const CudaToken& token) {
    if (token.kind == Kind::word) {
        word(token);
    } else if (token.kind == Kind::punct) {
        punct(token);
    } else if (state_ == State::body) {
        state_ = State::statement;
    }
}

void BlockConditions::word(const CudaToken& token) {
    const char first = token.text[0];
    if (state_ == State::none && first != 'i' && first != 's') {
        return;
    }
    if (state_ == State::after_block) {
        if (token.is("else")) {
            file_.regions.next(always(), file_.lines.at(token.offset), "else", false);
            state_ = State::body;
            return;
        }
        end_block();
    }
    if (state_ == State::body) {
        state_ = State::statement;
    }
    if (token.is("if") || token.is("static_assert")) {
        if (state_ == State::none) {
            state_ = State::head;
            is_assert_ = token.is("static_assert");
            asks_ = false;
            place_ = token.offset;
            parens_ = 0;
        }
    } else if (state_ == State::text) {
        asks_ = asks_ || may_ask(file_, token.text);
    } else if (state_ == State::head && !token.is("constexpr")) {
        state_ = State::none;
    }
}

void BlockConditions::punct(const CudaToken& token) {
    switch (token.text[0]) {
        case '(':
            ++parens_;
            if (state_ == State::head) {
                state_ = State::text;
                begin_ = token.offset + 1;
            }
            break;
        case ')':
            if (state_ == State::text && parens_ == 1) {
                end_condition(token.offset);
            }
            parens_ -= parens_ > 0 ? 1 : 0;
            return;
        case '{':
            if (state_ == State::body) {
                state_ = State::block;
            } else if (state_ == State::after_block) {
                end_block();
            }
            ++braces_;
            return;
        case '}': close_brace(); return;
        case ';':
            if (state_ == State::statement) {
                state_ = State::after_block;
            } else if (state_ == State::after_block || state_ == State::body) {
                end_block();
            }
            return;
        default: break;
    }
    if (state_ == State::body) {
        state_ = State::statement;
    }
}

void BlockConditions::end_block() {
    file_.regions.close_block();
    state_ = State::none;
}

void BlockConditions::end_condition(std::size_t end) {
    state_ = State::none;
    if (!asks_) {
        return;
    }
    std::string_view text = file_.between(begin_, end);
    if (is_assert_) {
        text = text.substr(0, text.rfind(','));
    }
    const Truth truth = file_.macros.condition(text);
    if (!truth.by_arch) {
        return;
    }
    file_.out.has_blocks = true;
    const SourcePlace place = file_.lines.at(place_);
    if (is_assert_) {
        // As `#if !(…)`, `#error`.
        file_.regions.open(negated(truth), place, text, false);
        file_.regions.error_directive();
        file_.regions.close_block();
        return;
    }
    file_.regions.open(truth, place, text, false);
    braces_ = 0;
    state_ = State::body;
}

void BlockConditions::close_brace() {
    braces_ -= braces_ > 0 ? 1 : 0;
    if (state_ == State::block && braces_ == 0) {
        state_ = State::after_block;
    } else if (state_ == State::after_block || state_ == State::statement) {
        end_block();
    }
    parens_ = 0;
}

void ArchConstants::take(const CudaToken& token, bool may_begin) {
    if (token.kind == Kind::word) {
        if (may_begin && token.is("constexpr")) {
            state_ = State::name;
        } else if (state_ != State::none) {
            word(token);
        }
    } else if (state_ == State::none || token.kind != Kind::punct) {
        return;
    } else if (token.is("{") || token.is("}")) {
        state_ = State::none;
    } else if (token.is(";")) {
        end(token.offset);
    } else if (state_ == State::name && token.is("=")) {
        state_ = State::value;
        begin_ = token.offset + 1;
        asks_ = false;
    }
}

void ArchConstants::word(const CudaToken& token) {
    if (state_ == State::name) {
        name_ = file_.kept(token);
    } else {
        asks_ = asks_ || may_ask(file_, token.text);
    }
}

void ArchConstants::end(std::size_t end) {
    if (state_ == State::value && asks_) {
        MacroDefinition definition;
        definition.body = file_.between(begin_, end);
        definition.may = file_.regions.may();
        definition.must = file_.regions.must();
        if (file_.macros.condition(definition.body).by_arch) {
            file_.macros.define(name_, definition);
        }
    }
    state_ = State::none;
}

void TargetMacros::take(const CudaToken& token) {
    if (state_ == State::none) {
        if (begins(token.text)) {
            state_ = token.is("NV_DISPATCH_TARGET") ? State::several : State::one;
            parens_ = arguments_ = 0;
        }
    } else if (token.is("(")) {
        if (++parens_ == 1) {
            begin_ = token.offset + 1;
        }
    } else if (token.is(")") && parens_ > 1) {
        --parens_;
    } else if (token.is(",") && parens_ == 1) {
        end_argument(token.offset);
    } else if (parens_ == 0 || token.is(")")) {
        if (arguments_ != 0) {
            file_.regions.close_block();
        }
        state_ = State::none;
    }
}

// Conditions and code by turns; for one condition, the code of the others may follow.
void TargetMacros::end_argument(std::size_t end) {
    const std::size_t argument = arguments_++;
    std::string_view text = file_.between(begin_, end);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    begin_ = end + 1;
    file_.out.has_blocks = true;
    if (argument == 0) {
        file_.regions.open(file_.macros.condition(text), file_.lines.at(end - text.size()), text, false);
    } else if (state_ == State::one) {
        file_.regions.next(always(), file_.lines.at(end), "else", false);
    } else if (argument % 2 == 0) {
        file_.regions.next(file_.macros.condition(text), file_.lines.at(end - text.size()), text, false);
    }
}

}  // namespace wheelarch
