#include "lint/device/fact_scopes.hpp"

#include <string>

namespace wheelarch {

void FactScopes::note_code(const CodeScope* scope, bool certain) {
    DeviceFacts& facts = file_.out.facts;
    for (; ptx_ < facts.ptx.size(); ++ptx_) {
        facts.ptx[ptx_].scope = scope;
        facts.ptx[ptx_].certain = certain;
    }
    for (; words_ < facts.words.size(); ++words_) {
        facts.words[words_].scope = scope;
    }
}

void FactScopes::note_new() {
    const CodeScope* scope = kept_scope();
    note_code(scope, !scopes_.in_static_branch());
    for (; gates_ < file_.out.facts.gates.size(); ++gates_) {
        Gate& gate = file_.out.facts.gates[gates_];
        gate.scope = scope;
        // Whoever uses them has a gate of its own, or does not compile.
        gate.fallback = gate.fallback || (gate.definitions && !gate.refuses && !scopes_.in_function());
    }
}

const CodeScope* FactScopes::kept_scope() {
    if (changes_ != scopes_.scope_changes()) {
        changes_ = scopes_.scope_changes();
        kept_ = &file_.package.scopes.emplace_back(scopes_.scope());
        file_.package.calls.note(*kept_);
    }
    return kept_;
}

void FactScopes::note_macro(std::string_view macro) {
    if (ptx_ != file_.out.facts.ptx.size() || words_ != file_.out.facts.words.size()) {
        file_.package.calls.macro(macro);
        note_code(&file_.package.scopes.emplace_back(CodeScope{CodeScope::Kind::device, std::string(macro), ""}), true);
    }
}

}  // namespace wheelarch
