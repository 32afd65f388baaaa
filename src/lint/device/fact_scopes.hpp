// FactScopes: gives each new fact the function, class or macro that it stands in.
#pragma once

#include <cstddef>

#include "lint/device/scopes.hpp"
#include "lint/device/walked_file.hpp"

namespace wheelarch {

class FactScopes {
public:
    FactScopes(WalkedFile& file, const Scopes& scopes) : file_(file), scopes_(scopes) {}

    // Facts since the last call stand where `scopes` are.
    void note() {
        const DeviceFacts& facts = file_.out.facts;
        if (ptx_ + words_ + gates_ != facts.ptx.size() + facts.words.size() + facts.gates.size()) {
            note_new();
        }
    }
    // They stand in the text of a macro.
    void note_macro(std::string_view macro);

private:
    void note_new();
    void note_code(const CodeScope* scope, bool certain);
    const CodeScope* kept_scope();

    WalkedFile& file_;
    const Scopes& scopes_;
    const CodeScope* kept_ = &kOutside;  // in the package
    std::size_t changes_ = 0;            // of scopes, when it was kept
    std::size_t ptx_ = 0;                // noted so far
    std::size_t words_ = 0;
    std::size_t gates_ = 0;
};

}  // namespace wheelarch
