// DeviceWalk: one C, C++ or CUDA file, token by token, into its facts and its macros.
//
// What stands open is kept by others: conditions by Regions, functions and classes by Scopes. While nothing is open
// that needs more, only words at which something may start are read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "lint/device/call_graph.hpp"
#include "lint/device/conditions.hpp"
#include "lint/device/cuda_lexer.hpp"
#include "lint/device/device_facts.hpp"
#include "lint/device/regions.hpp"
#include "lint/device/scopes.hpp"
#include "lint/text_search.hpp"

namespace wheelarch {

// Lines and columns; each is found from the one before.
class SourceLines {
public:
    explicit SourceLines(std::string_view text) : text_(text) {}

    SourcePlace at(std::size_t offset) {
        const std::size_t first = std::min(offset, offset_);
        const std::size_t between = count_byte(text_.substr(first, std::max(offset, offset_) - first), '\n');
        if (between != 0) {
            line_ = static_cast<unsigned>(offset < offset_ ? line_ - between : line_ + between);
            start_ = offset == 0 ? 0 : text_.rfind('\n', offset - 1) + 1;  // npos + 1 is 0
        }
        offset_ = offset;
        return {line_, static_cast<unsigned>(offset - start_) + 1};
    }

private:
    std::string_view text_;
    std::size_t offset_ = 0;
    std::size_t start_ = 0;  // of its line
    unsigned line_ = 1;
};

// What the files of a package share.
struct PackageRead {
    MacroIndex macros;
    PtxTexts ptx;
    CallGraph calls;
    std::deque<CodeScope> scopes;  // of facts
    std::size_t undeclared = 0;    // words, of all files
};

struct DeviceRead {
    explicit DeviceRead(PackageRead& package) : macros(package.macros) {}

    DeviceFacts facts;
    MacroTable macros;
    std::deque<std::string> spliced_names;  // of macros, and what Scopes keep
    bool splits = false;                    // as in Regions
    bool has_blocks = false;                // code within an `if` or the like that asks for the arch
    FileWords undeclared;                   // words that named nothing of the package when they were read
    // Conditions and constants by where their text begins; those of which nothing is known are left out.
    std::unordered_map<const char*, Truth> truths;
};

// Gives the macros of a header that `by` includes; null if it is not the package's or is being read.
using FindMacros = std::function<const MacroTable*(const std::string& path, const std::string& by)>;

inline constexpr std::size_t kMostFacts = 20'000;  // of each kind, in one file

inline bool begins_asm(std::string_view word) {
    return word == "asm" || word == "__asm__" || word == "__asm";
}

inline bool is_target_macro(std::string_view word) {
    return word == "NV_IF_TARGET" || word == "NV_IF_ELSE_TARGET" || word == "NV_DISPATCH_TARGET";
}

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

    // Nothing is open: but for scopes, only words at which something starts matter.
    bool is_quiet() const;
    // Over what matters to nobody, in plain code.
    bool advance_idly();
    std::string_view between(std::size_t begin, std::size_t end) const;

    // The name of a macro for as long as `out_` lives.
    std::string_view kept(std::string_view name);

    // The rest of the directive, as written.
    std::string_view rest_of_line();
    void directive();

    // Most conditions ask for no arch, and nobody asks where they are.
    SourcePlace place_if(bool by_arch, std::size_t offset);
    void open(std::string_view name, std::size_t offset);
    static std::string_view first_word(std::string_view text);

    // Of `#if` and the like; of `#ifdef`.
    Truth condition(std::string_view text);
    Truth condition_of_name(std::string_view name);
    std::optional<Truth> of_first_walk(std::string_view text) const;
    Truth noted(std::string_view text, const Truth& truth);
    // Many are written again and again.
    Truth evaluated(std::string_view text);
    Truth truth_of(std::string_view name, std::string_view text);
    void define(bool removes, const std::string& guard);
    void macro_token();
    void include();
    void include_header(std::string_view path);
    void code_token();
    void fact_token();

    // Who calls what.
    void scope_token();
    void declare(Scopes::Declaration declaration);
    bool tells(std::string_view word);
    void tell_calls(Scopes::Declaration declaration);
    void watch_declaration(Scopes::Declaration declaration, bool declares, bool was_in_function);
    void mention_here(std::string_view word, ArchMask passes);
    void use_at_scope(std::string_view word, ArchMask passes);
    void note_branch(std::string_view name);
    void note_scopes() {
        if (noted_ != out_.facts.ptx.size() + out_.facts.words.size() + out_.facts.gates.size()) {
            note_new_facts();
        }
    }
    void note_new_facts();
    const CodeScope* kept_scope();
    void note_macro(std::string_view macro);
    bool wants_facts() const { return first_ == nullptr; }
    std::string feature_text() const;
    void feature_word();
    const MacroTable& macros() const { return first_ == nullptr ? out_.macros : first_->macros; }
    void asm_token();
    void end_asm();
    void add_ptx(std::string_view text);
    void add_ptx_of_macro(std::string_view name);

    // `NV_IF_TARGET(NV_PROVIDES_SM_90, (…), (…))` and the like, of nv/target.
    void target_token();
    void end_target_argument();

    // `if (…)`, `if constexpr (…)`, static_assert and constants, of which only those that ask for the arch matter.
    void block_token();
    void block_punct();
    void open_paren();
    void block_word();
    void end_condition();
    void open_brace();
    void close_brace();
    void end_statement();

    enum class TargetMacro { none, one, several };  // conditions
    enum class InAsm { no, head, text };
    // One `if` that asks for the arch is followed at a time; those inside it are part of its body.
    enum class Condition { none, head, text, body, block, statement, after_block };
    enum class Constant { none, name, value };

    const SourceFile& file_;
    const FindMacros* find_macros_ = nullptr;  // in the first walk
    const DeviceRead* first_ = nullptr;        // in the second
    DeviceRead& out_;
    PackageRead& package_;
    CallGraph& calls_;
    ArchMask built_for_;
    CudaLexer lexer_;
    SourceLines lines_;
    Regions regions_;
    CudaToken token_;
    struct Known {
        Truth truth;
        std::size_t changes;  // of macros, before it was evaluated
    };
    std::unordered_map<std::string_view, Known> conditions_;
    std::size_t macro_changes_ = 0;
    std::size_t evaluated_ = 0;  // tokens
    std::string guard_;          // of an #ifndef on the line before
    std::size_t includes_ = 0;
    bool in_macro_ = false;

    Scopes scopes_;
    CallGraph::Place place_;                   // of the scope
    std::size_t place_changes_ = SIZE_MAX;     // of scopes, when it was found
    const CodeScope* kept_scope_ = &kOutside;  // in `package_`
    std::size_t kept_changes_ = 0;             // of scopes, when it was kept
    std::size_t noted_ptx_ = 0;
    std::size_t noted_words_ = 0;
    std::size_t noted_gates_ = 0;
    std::size_t noted_ = 0;  // all of them

    InAsm in_asm_ = InAsm::no;
    std::size_t asm_place_ = 0;
    std::string ptx_;
    std::size_t ptx_macros_ = 0;  // looked through

    TargetMacro target_macro_ = TargetMacro::none;
    std::size_t target_parens_ = 0;
    std::size_t target_arguments_ = 0;  // that have ended
    std::size_t target_begin_ = 0;      // of the argument

    Condition condition_ = Condition::none;
    Constant constant_ = Constant::none;
    bool asks_ = false;
    bool is_assert_ = false;
    std::size_t condition_begin_ = 0;
    std::size_t condition_place_ = 0;
    std::size_t parens_ = 0;  // open since the condition began
    std::size_t braces_ = 0;  // open since it ended
    std::string_view constant_name_;
};

}  // namespace wheelarch
