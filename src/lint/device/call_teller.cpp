#include "lint/device/call_teller.hpp"

namespace wheelarch {

bool CallTeller::tells(std::string_view word) {
    const std::uint64_t hash = word_hash(word);
    const bool is_declared = calls_.may_be_declared(hash);
    if (!is_declared && file_.wants_facts && !file_.out.undeclared.gave_up()) {
        file_.out.undeclared.insert(hash);
    }
    return is_declared;
}

void CallTeller::declare(Scopes::Declaration declaration) {
    if (declaration == Scopes::Declaration::alias) {
        calls_.declare(scopes_.alias());
    } else if (declaration == Scopes::Declaration::function || declaration == Scopes::Declaration::type) {
        calls_.declare(scopes_.scope().name);
        calls_.declare(scopes_.scope().owner);
    }
}

void CallTeller::tell(const CudaToken& token, Scopes::Declaration declaration) {
    using Declaration = Scopes::Declaration;
    if (declaration == Declaration::none) {
        if (token.kind == CudaToken::Kind::word && scopes_.in_function() && tells(token.text)) {
            mention(token.text);
        }
        return;
    }
    if (file_.wants_facts) {
        declare(declaration);
    }
    const CodeScope& scope = scopes_.scope();
    for (const std::string_view word : scopes_.words()) {
        if (!tells(word)) {
            continue;
        }
        const bool is_used = declaration == Declaration::instantiation || declaration == Declaration::value;
        const bool has_body = declaration == Declaration::function || declaration == Declaration::type;
        if (declaration == Declaration::alias) {
            calls_.alias(scopes_.alias(), word, file_.passes());
        } else if (is_used && scope.owner.empty()) {
            calls_.use(word, file_.passes());
        } else if (!has_body || (word != scope.name && word != scope.owner)) {
            mention(word);
        }
    }
}

void CallTeller::tell_in_macro(std::string_view macro, std::string_view word) {
    if (tells(word)) {
        calls_.mention(macro, word, file_.passes());
    }
}

void CallTeller::mention(std::string_view word) {
    if (changes_ != scopes_.scope_changes()) {
        place_ = calls_.place_of(scopes_.scope());
        changes_ = scopes_.scope_changes();
    }
    calls_.mention(place_, word, file_.passes());
}

}  // namespace wheelarch
