// CallTeller: tells the call graph what a file declares, and what is named where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lint/device/scopes.hpp"
#include "lint/device/walked_file.hpp"

namespace wheelarch {

class CallTeller {
public:
    // `scopes` as they are at the token that is told.
    CallTeller(WalkedFile& file, const Scopes& scopes) : file_(file), calls_(file.package.calls), scopes_(scopes) {}

    // May it be declared? Of a word that may be later, the first walk keeps that it is there.
    bool tells(std::string_view word);
    void tell(const CudaToken& token, Scopes::Declaration declaration);
    void tell_in_macro(std::string_view macro, std::string_view word);

private:
    void declare(Scopes::Declaration declaration);
    void mention(std::string_view word);

    WalkedFile& file_;
    CallGraph& calls_;
    const Scopes& scopes_;
    CallGraph::Place place_;          // of the scope
    std::size_t changes_ = SIZE_MAX;  // of scopes, when it was found
};

}  // namespace wheelarch
