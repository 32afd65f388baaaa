// A lint rule, what it is shown and what it says. docs/lint-rules.md explains each rule.
//
// A rule sees one file and knows nothing of arch lists: it says what a list must hold for the source to be more than a
// stub, and the judge holds that against the list of each row.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "base/arch.hpp"
#include "base/finding.hpp"
#include "lint/arch_mask.hpp"

namespace wheelarch {

// What a list must hold for a piece of source to do its work.
struct ArchNeed {
    enum class Kind {
        at_least,      // code for `at` and up only: a device of `at` must not load something lower (8.6 for an 8.9)
        exact_suffix,  // code for `at` with the suffix `a` only: `at` without it is a stub
        family,        // as exact_suffix, and `f` will do
        floor,         // does not compile below `at`: nothing lower may be in the list, SASS or PTX
        not_plain,     // does not compile for `at` without a suffix: it may not be in the list
        not_in,        // is for `at`, and does not compile for the archs of `enough`: none may be in the list
    };

    Arch at;  // without suffix, except exact_suffix (`a`) and family (`f`)
    Kind kind = Kind::at_least;
    // at_least: code for these is enough for a device of `at`, though lower.
    ArchMask enough = kNoPass;

    auto operator<=>(const ArchNeed&) const = default;
};

struct LintHit {
    std::string rule;
    std::string path;  // of the file, as in SourceFile
    unsigned line = 0;
    unsigned column = 0;  // in bytes, from 1
    // Each counts by itself, and only for a list that has code for devices of its `at`. Empty: the hit stands for every
    // list. No two hits of a file have the same rule, severity, needs and fallback: the first stands for all.
    std::vector<ArchNeed> needs;
    // Devices below the gate run other code instead (an #else, an emulation): slower, not a stub.
    bool fallback = false;
    std::size_t more = 0;        // further places in the file that this hit stands for
    std::size_t more_files = 0;  // further files of the package that it stands for
    std::string list;            // the arch list that a build script sets; empty for device code
    std::string what;            // the source's own words, at most 120 bytes, one line, printable
    Severity severity = Severity::error;
};

struct SourceFile {
    enum class Language { cuda, cpp, python, cmake, shell, makefile, dockerfile, toml, yaml, other };

    std::string path;       // relative to the package's sources, `/` between
    std::string_view text;  // must outlive the file
    Language language = Language::other;
};

// C and C++ too, as headers are.
inline bool may_be_device_code(const SourceFile& file) {
    return file.language == SourceFile::Language::cuda || file.language == SourceFile::Language::cpp;
}

struct BuildSetting;
struct DeviceFacts;

struct RuleInput {
    const SourceFile& file;
    const DeviceFacts& device;  // device_facts.hpp; empty for a language other than cuda and cpp
    // build_settings.hpp, in order of place; null for who asks rules about device code.
    const std::vector<BuildSetting>* build = nullptr;
};

struct Rule {
    std::string_view id;      // lower-case words with hyphens; stable
    std::string_view reason;  // one line
    std::string_view page;    // a heading's anchor in docs/lint-rules.md
    Severity severity;        // the highest that it gives
    void (*check)(const RuleInput&, std::vector<LintHit>& of_file);
    bool device_code = false;  // it looks at RuleInput::device
};

// Every rule, in the order of docs/lint-rules.md.
const std::vector<const Rule*>& rules();
// Null for an id that is not there.
const Rule* find_rule(std::string_view id);

// One rule a file: src/lint/rule_<id>.cpp.
const Rule& arch_gate_rule();
const Rule& feature_macro_rule();
const Rule& fp8_type_rule();
const Rule& instruction_rule();
const Rule& explicit_target_rule();
const Rule& arch_list_override_rule();
const Rule& arch_list_number_rule();
const Rule& compress_mode_rule();
const Rule& stale_ignore_rule();

}  // namespace wheelarch
