// DeviceWalk: conditions in the code (`if constexpr`, static_assert), constants that they ask for, and who calls what.
#include <algorithm>
#include <string>

#include "lint/device/device_walk.hpp"
#include "lint/device/feature_names.hpp"

namespace wheelarch {
namespace {

using Kind = CudaToken::Kind;

}  // namespace

void DeviceWalk::scope_token() {
    if (token_.kind == Kind::word && !scopes_.in_function()) {
        token_.text = kept(token_.text);
    }
    const bool was_in_function = scopes_.in_function();
    const bool declares = scopes_.in_declaration();
    const Scopes::Declaration declaration = scopes_.take(token_);
    if (wants_facts() && regions_.watching()) {
        watch_declaration(declaration, declares, was_in_function);
    }
    if (wants_facts()) {
        declare(declaration);
    }
    tell_calls(declaration);
}

void DeviceWalk::declare(Scopes::Declaration declaration) {
    if (declaration == Scopes::Declaration::alias) {
        calls_.declare(scopes_.alias());
    } else if (declaration == Scopes::Declaration::function || declaration == Scopes::Declaration::type) {
        calls_.declare(scopes_.scope().name);
        calls_.declare(scopes_.scope().owner);
    }
}

// Of a word that may be declared later, the first walk keeps that it is there.
bool DeviceWalk::tells(std::string_view word) {
    const std::uint64_t hash = word_hash(word);
    const bool is_declared = calls_.may_be_declared(hash);
    if (!is_declared && wants_facts() && !out_.undeclared.gave_up()) {
        out_.undeclared.insert(hash);
    }
    return is_declared;
}

void DeviceWalk::tell_calls(Scopes::Declaration declaration) {
    const ArchMask passes = regions_.may() & built_for_;
    if (declaration == Scopes::Declaration::none) {
        if (token_.kind == Kind::word && scopes_.in_function() && tells(token_.text)) {
            mention_here(token_.text, passes);
        }
        return;
    }
    for (const std::string_view word : scopes_.words()) {
        if (!tells(word)) {
            continue;
        }
        switch (declaration) {
            case Scopes::Declaration::instantiation:
            case Scopes::Declaration::value: use_at_scope(word, passes); break;
            case Scopes::Declaration::alias: calls_.alias(scopes_.alias(), word, passes); break;
            case Scopes::Declaration::function:
            case Scopes::Declaration::type:
                if (word != scopes_.scope().name && word != scopes_.scope().owner) {
                    mention_here(word, passes);
                }
                break;
            case Scopes::Declaration::other: mention_here(word, passes); break;
            case Scopes::Declaration::none: break;
        }
    }
}

// A function is as much as its body does, a class as much as its members.
void DeviceWalk::watch_declaration(Scopes::Declaration declaration, bool declares, bool was_in_function) {
    const bool ends = declares && token_.is(";");
    switch (declaration) {
        case Scopes::Declaration::none:
            if (was_in_function && !scopes_.in_function()) {
                regions_.end_function();
            }
            return;
        case Scopes::Declaration::function:
            if (scopes_.scope().kind != CodeScope::Kind::device) {
                regions_.substance();
            }
            break;
        case Scopes::Declaration::type: break;
        case Scopes::Declaration::instantiation: regions_.substance(); [[fallthrough]];
        case Scopes::Declaration::alias: regions_.code(); break;
        case Scopes::Declaration::value:
        case Scopes::Declaration::other:
            if (ends && (scopes_.is_call() || scopes_.in_initialiser() || begins_asm(scopes_.words().front()))) {
                regions_.substance();
            }
            if (ends) {
                regions_.declaration(scopes_.words().front());
            } else if (declares && scopes_.words().front() == "enum") {
                regions_.code();
            }
            break;
    }
    if (declares) {
        regions_.definition();
    }
}

void DeviceWalk::mention_here(std::string_view word, ArchMask passes) {
    if (place_changes_ != scopes_.scope_changes()) {
        place_ = calls_.place_of(scopes_.scope());
        place_changes_ = scopes_.scope_changes();
    }
    calls_.mention(place_, word, passes);
}

void DeviceWalk::use_at_scope(std::string_view word, ArchMask passes) {
    if (scopes_.scope().owner.empty()) {
        calls_.use(word, passes);
    } else {
        mention_here(word, passes);
    }
}

void DeviceWalk::note_branch(std::string_view name) {
    if (name == "if" || name == "ifdef" || name == "ifndef") {
        scopes_.open_branch();
    } else if (name.starts_with("el")) {
        scopes_.next_branch();
    } else if (name == "endif") {
        scopes_.close_branch();
    }
}

void DeviceWalk::note_new_facts() {
    noted_ = out_.facts.ptx.size() + out_.facts.words.size() + out_.facts.gates.size();
    for (; noted_ptx_ < out_.facts.ptx.size(); ++noted_ptx_) {
        out_.facts.ptx[noted_ptx_].scope = kept_scope();
        out_.facts.ptx[noted_ptx_].certain = !scopes_.in_static_branch();
    }
    for (; noted_words_ < out_.facts.words.size(); ++noted_words_) {
        out_.facts.words[noted_words_].scope = kept_scope();
    }
    for (; noted_gates_ < out_.facts.gates.size(); ++noted_gates_) {
        Gate& gate = out_.facts.gates[noted_gates_];
        gate.scope = kept_scope();
        // Whoever uses them has a gate of its own, or does not compile.
        gate.fallback = gate.fallback || (gate.definitions && !gate.refuses && !scopes_.in_function());
    }
}

const CodeScope* DeviceWalk::kept_scope() {
    if (kept_changes_ != scopes_.scope_changes()) {
        kept_changes_ = scopes_.scope_changes();
        kept_scope_ = &package_.scopes.emplace_back(scopes_.scope());
        calls_.note(*kept_scope_);
    }
    return kept_scope_;
}

void DeviceWalk::note_macro(std::string_view macro) {
    if (noted_ptx_ == out_.facts.ptx.size() && noted_words_ == out_.facts.words.size()) {
        return;
    }
    const CodeScope* scope = &package_.scopes.emplace_back(CodeScope{CodeScope::Kind::device, std::string(macro), ""});
    calls_.macro(macro);
    for (; noted_ptx_ < out_.facts.ptx.size(); ++noted_ptx_) {
        out_.facts.ptx[noted_ptx_].scope = scope;
    }
    for (; noted_words_ < out_.facts.words.size(); ++noted_words_) {
        out_.facts.words[noted_words_].scope = scope;
    }
}

void DeviceWalk::target_token() {
    if (target_macro_ == TargetMacro::none) {
        if (is_target_macro(token_.text)) {
            target_macro_ = token_.is("NV_DISPATCH_TARGET") ? TargetMacro::several : TargetMacro::one;
            target_parens_ = target_arguments_ = 0;
        }
    } else if (token_.is("(")) {
        if (++target_parens_ == 1) {
            target_begin_ = token_.offset + 1;
        }
    } else if (token_.is(")") && target_parens_ > 1) {
        --target_parens_;
    } else if (token_.is(",") && target_parens_ == 1) {
        end_target_argument();
    } else if (target_parens_ == 0 || token_.is(")")) {
        if (target_arguments_ != 0) {
            regions_.close_block();
        }
        target_macro_ = TargetMacro::none;
    }
}

// Conditions and code by turns; for one condition, the code of the others may follow.
void DeviceWalk::end_target_argument() {
    const std::size_t argument = target_arguments_++;
    std::string_view text = between(target_begin_, token_.offset);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    target_begin_ = token_.offset + 1;
    out_.has_blocks = true;
    if (argument == 0) {
        regions_.open(condition(text), lines_.at(token_.offset - text.size()), text, false);
    } else if (target_macro_ == TargetMacro::one) {
        regions_.next(always(), lines_.at(token_.offset), "else", false);
    } else if (argument % 2 == 0) {
        regions_.next(condition(text), lines_.at(token_.offset - text.size()), text, false);
    }
}

void DeviceWalk::block_token() {
    if (token_.kind == Kind::word) {
        block_word();
    } else if (token_.kind == Kind::punct) {
        block_punct();
    } else if (condition_ == Condition::body) {
        condition_ = Condition::statement;
    }
}

void DeviceWalk::block_punct() {
    switch (token_.text[0]) {
        case '(': open_paren(); break;
        case ')':
            if (condition_ == Condition::text && parens_ == 1) {
                end_condition();
            }
            parens_ -= parens_ > 0 ? 1 : 0;
            return;
        case '{': open_brace(); return;
        case '}': close_brace(); return;
        case ';': end_statement(); return;
        case '=':
            if (constant_ == Constant::name && token_.text.size() == 1) {
                constant_ = Constant::value;
                condition_begin_ = token_.offset + 1;
                asks_ = false;
            }
            break;
        default: break;
    }
    if (condition_ == Condition::body) {
        condition_ = Condition::statement;
    }
}

void DeviceWalk::open_paren() {
    ++parens_;
    if (condition_ == Condition::head) {
        condition_ = Condition::text;
        condition_begin_ = token_.offset + 1;
    }
}

void DeviceWalk::block_word() {
    const char first = token_.text[0];
    if (condition_ == Condition::none && constant_ == Constant::none && first != 'i' && first != 's' && first != 'c') {
        return;
    }
    if (condition_ == Condition::after_block) {
        if (token_.is("else")) {
            regions_.next(always(), lines_.at(token_.offset), "else", false);
            condition_ = Condition::body;
            return;
        }
        regions_.close_block();
        condition_ = Condition::none;
    }
    if (condition_ == Condition::body) {
        condition_ = Condition::statement;
    }
    if (token_.is("if") || token_.is("static_assert")) {
        if (condition_ == Condition::none) {
            condition_ = Condition::head;
            is_assert_ = token_.is("static_assert");
            asks_ = false;
            condition_place_ = token_.offset;
            parens_ = 0;
        }
    } else if (token_.is("constexpr") && condition_ == Condition::none) {
        constant_ = Constant::name;
    } else if (constant_ == Constant::name) {
        constant_name_ = kept(token_.text);
    } else if (condition_ == Condition::text || constant_ == Constant::value) {
        asks_ = asks_ || passes_defining(token_.text) || first_ != nullptr ||
                out_.macros.find(token_.text) != nullptr || token_.text.starts_with("CU");
    } else if (condition_ == Condition::head && !token_.is("constexpr")) {
        condition_ = Condition::none;
    }
}

void DeviceWalk::end_condition() {
    condition_ = Condition::none;
    if (!asks_) {
        return;
    }
    std::string_view text = between(condition_begin_, token_.offset);
    if (is_assert_) {
        text = text.substr(0, text.rfind(','));
    }
    const Truth truth = condition(text);
    if (!truth.by_arch) {
        return;
    }
    out_.has_blocks = true;
    const SourcePlace place = lines_.at(condition_place_);
    if (is_assert_) {
        // As `#if !(…)`, `#error`.
        regions_.open(negated(truth), place, text, false);
        regions_.error_directive();
        regions_.close_block();
        return;
    }
    regions_.open(truth, place, text, false);
    braces_ = 0;
    condition_ = Condition::body;
}

void DeviceWalk::open_brace() {
    constant_ = Constant::none;
    if (condition_ == Condition::body) {
        condition_ = Condition::block;
    } else if (condition_ == Condition::after_block) {
        regions_.close_block();
        condition_ = Condition::none;
    }
    ++braces_;
}

void DeviceWalk::close_brace() {
    braces_ -= braces_ > 0 ? 1 : 0;
    constant_ = Constant::none;
    if (condition_ == Condition::block && braces_ == 0) {
        condition_ = Condition::after_block;
    } else if (condition_ == Condition::after_block || condition_ == Condition::statement) {
        regions_.close_block();
        condition_ = Condition::none;
    }
    parens_ = 0;
}

void DeviceWalk::end_statement() {
    if (condition_ == Condition::statement) {
        condition_ = Condition::after_block;
    } else if (condition_ == Condition::after_block || condition_ == Condition::body) {
        regions_.close_block();
        condition_ = Condition::none;
    }
    if (constant_ == Constant::value && asks_) {
        MacroDefinition definition;
        definition.body = between(condition_begin_, token_.offset);
        definition.may = regions_.may();
        definition.must = regions_.must();
        if (condition(definition.body).by_arch && first_ == nullptr) {
            out_.macros.define(constant_name_, definition);
            ++macro_changes_;
        }
    }
    constant_ = Constant::none;
}

}  // namespace wheelarch
