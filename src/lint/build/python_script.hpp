// A Python build script as far as it can be known without running it: its statements, what of the script comes from
// TORCH_CUDA_ARCH_LIST, and under which conditions on it a statement runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lint/build/python_lexer.hpp"

namespace wheelarch {

inline constexpr std::string_view kTorchList = "TORCH_CUDA_ARCH_LIST";
// The function of torch that makes flags of it.
inline constexpr std::string_view kTorchFlags = "_get_cuda_arch_flags";

enum class ListGuard : std::uint8_t {
    none,       // it runs whatever the list is
    mentioned,  // a condition around it looks at the list
    unset,      // it runs only without a list: `if KEY not in os.environ`
};

struct PyStatement {
    std::size_t begin = 0;  // tokens of the script
    std::size_t end = 0;
    ListGuard guard = ListGuard::none;
};

class PyScript {
public:
    // `text` must outlive the object. Lines of thousands of tokens are tables, and left out.
    explicit PyScript(std::string_view text);

    using Range = std::span<const PyToken>;

    const std::vector<PyStatement>& statements() const noexcept { return statements_; }
    Range tokens(const PyStatement& statement) const {
        return Range(tokens_).subspan(statement.begin, statement.end - statement.begin);
    }
    Range all() const noexcept { return tokens_; }

    // May a script of this text be one that builds()? Asked before it is read.
    static bool may_build(std::string_view text);
    // Does it import or use what builds extensions: setuptools, CUDAExtension and the like?
    bool builds() const noexcept { return builds_; }
    // Is it the name of a list variable, as a string or by a constant?
    bool is_key(const PyToken& token) const;
    // Does it look at the list, or at what the script made of it?
    bool reads_list(Range range) const;
    // The value for a list variable in `NAME = {"TORCH_CUDA_ARCH_LIST": "8.0", …}`, if it is such a name; empty if the
    // value is not written out.
    std::optional<std::string> table(const PyToken& token) const;
    // A string as it stands; an f-string whose fields are one name that a loop gives the items of a literal list: as it
    // is with each.
    std::vector<std::string> texts(const PyToken& token) const;
    // Text that can be known, if it is short: strings, their sums, `";".join([...])`, and names for such.
    std::optional<std::string> literal(Range range) const;

private:
    void find_names();
    void find_statements();
    std::optional<std::vector<std::string>> literal_items(Range range) const;
    void note_loop(Range after_for);
    void note_assignment(Range line);
    void note_table(std::string_view name, Range value);
    void note_function(std::size_t line);
    void note_call(Range line);
    bool holds_list(Range range) const;

    // Is it the name of something that comes from the list, where it stands?
    bool is_derived(const PyToken& token) const;
    std::size_t scope_of(const PyToken& token) const;
    void find_scopes();

    struct Line {
        std::size_t begin = 0;
        std::size_t end = 0;  // without the newline
        unsigned indent = 0;
        std::size_t scope = 0;  // the line of the innermost `def` around it, counted from 1; 0: none
    };

    std::vector<PyToken> tokens_;
    std::vector<Line> lines_;
    std::vector<PyStatement> statements_;
    std::set<std::string_view> keys_;                             // names for the variable's name
    std::set<std::pair<std::size_t, std::string_view>> derived_;  // names of what comes from the list, by scope
    std::map<std::string_view, std::string> texts_;
    std::map<std::string_view, std::vector<std::string>> items_;
    std::map<std::string_view, std::string> tables_;
    std::map<std::string_view, std::vector<std::string>> loops_;  // without items if they are not known
    struct Function {
        std::size_t scope = 0;
        std::vector<std::string_view> parameters;
    };
    std::map<std::string_view, Function> functions_;
    bool builds_ = false;
};

// The place of the first of `op` that is not inside brackets; the size if there is none.
std::size_t find_outside(PyScript::Range range, std::string_view op);
// The place of the bracket that closes the one at `open`; the size if there is none.
std::size_t closing_bracket(PyScript::Range range, std::size_t open);

}  // namespace wheelarch
