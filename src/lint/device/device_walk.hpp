// DeviceWalk: one C, C++ or CUDA file, token by token, into its facts and its macros.
//
// The walk knows directives; all else is told to collectors, each of which keeps what it has begun. While none of them
// has begun anything, only words at which something may start are read.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "lint/device/call_teller.hpp"
#include "lint/device/code_conditions.hpp"
#include "lint/device/fact_scopes.hpp"
#include "lint/device/inline_ptx.hpp"
#include "lint/device/scopes.hpp"
#include "lint/device/walked_file.hpp"

namespace wheelarch {

// Gives the macros of a header that `by` includes; null if it is not the package's or is being read.
using FindMacros = std::function<const MacroTable*(const std::string& path, const std::string& by)>;

class DeviceWalk {
public:
    // The walk for facts, which tells the call graph what is there and, of what is there so far, what is called where;
    // the file is built for these passes.
    DeviceWalk(const SourceFile& file, const FindMacros& find_macros, ArchMask built_for, PackageRead& package,
               DeviceRead& out);
    // The walk behind it, which takes the truths of the first, and tells of what was there later, too. `out` is of no
    // use but to the walk.
    DeviceWalk(const SourceFile& file, const DeviceRead& first, ArchMask built_for, PackageRead& package,
               DeviceRead& out);
    void run();

private:
    void run_for_calls();
    bool advance();
    // No collector is within something: but for scopes, only words at which something starts matter.
    bool is_quiet() const;
    // Over what matters to nobody, in plain code.
    bool advance_idly();

    // The rest of the directive, as written.
    std::string_view rest_of_line();
    void directive();
    // Most conditions ask for no arch, and nobody asks where they are.
    SourcePlace place_if(bool by_arch, std::size_t offset);
    void open(std::string_view name, std::size_t offset);
    void define(bool removes, const std::string& guard);
    void parameters(MacroDefinition& definition, std::size_t name_end);
    void include();
    void include_header(std::string_view path);

    void code_token();
    void fact_token();
    void scope_token();
    void watch_declaration(Scopes::Declaration declaration, bool declares, bool was_in_function);
    void watch_statement(std::string_view first);

    const std::string& path_;
    const FindMacros* find_macros_;  // null in the second walk
    bool for_calls_;                 // nothing else is to be found
    WalkedFile file_;
    CudaLexer lexer_;
    CudaToken token_;
    Scopes scopes_;
    CallTeller calls_{file_, scopes_};
    FactScopes fact_scopes_{file_, scopes_};
    InlinePtxCollector ptx_{file_};
    BlockConditions conditions_{file_};
    ArchConstants constants_{file_};
    TargetMacros target_macros_{file_};
    std::string guard_;  // of an #ifndef on the line before
    std::size_t includes_ = 0;
};

}  // namespace wheelarch
