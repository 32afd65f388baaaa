// A lint rule: what it asks, how it judges, and its words. docs/lint-rules.md explains each rule.
//
// A question sees one file and knows no arch list: a hit says what a list must hold for the source to be more than a
// stub. The rule's judgement holds that against the list of each row.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "lint/arch_need.hpp"
#include "lint/declared.hpp"
#include "lint/lint_finding.hpp"
#include "lint/source_file.hpp"
#include "lint/sources.hpp"
#include "policy/package.hpp"

namespace wheelarch {

struct BuildSetting;
struct DeviceFacts;
struct Rule;

struct LintHit {
    const Rule* rule = nullptr;
    std::string path;  // of the file, as in SourceFile
    unsigned line = 0;
    unsigned column = 0;  // in bytes, from 1
    // Of device code. Each counts by itself, and only for a list that has code for devices of its `at`. No two hits of
    // a file have the same rule, severity, needs and fallback: the first stands for all.
    std::vector<ArchNeed> needs;
    // Devices below the gate run other code instead (an #else, an emulation): slower, not a stub.
    bool fallback = false;
    std::size_t more = 0;        // further places in the file that this hit stands for
    std::size_t more_files = 0;  // further files of the package that it stands for
    std::string list;            // the arch list that a build script sets; empty for device code
    std::string what;            // the source's own words, at most 120 bytes, one line, printable
    Severity severity = Severity::error;
};

struct Rule {
    std::string_view id;      // lower-case words with hyphens; stable; the anchor of its heading in docs/lint-rules.md
    std::string_view reason;  // one line
    Severity severity = Severity::error;  // the highest that it gives
    std::string_view way_out = {};        // the only one; empty: declare what is needed, or lint_ignore
    bool about_host = false;              // what only the host's compiler sees counts, too

    // What it asks: each is null in a rule that does not ask it. Whoever calls adds the rule and the path to hits.
    void (*in_device_code)(const DeviceFacts&, std::vector<LintHit>& of_file) = nullptr;
    void (*in_build_file)(const std::vector<BuildSetting>&, std::vector<LintHit>& of_file) = nullptr;
    // Of the whole package, when the hits in device code of all rules are there.
    void (*in_package)(const Rule& self, const PackageSources&, std::vector<LintHit>&) = nullptr;
    std::optional<LintFinding> (*in_policy)(const Package&, const std::vector<DeclaredList>&) = nullptr;
    LintFinding (*on_unused_ignore)(const Package&, const LintIgnore&) = nullptr;

    // What a hit means for a package with these lists; none: nothing. Never null in a rule that gives hits.
    std::optional<LintFinding> (*judge)(const Package&, const LintHit&, const std::vector<DeclaredList>&) = nullptr;
};

// Every rule, in the order of docs/lint-rules.md.
const std::vector<const Rule*>& rules();
// Null for an id that is not there.
const Rule* find_rule(std::string_view id);
// Moves what a rule found in a file behind the others.
void add_hits(std::vector<LintHit>& hits, const Rule& rule, const SourceFile& file, std::vector<LintHit>& of_file);

}  // namespace wheelarch
