#include "lint/judge.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "lint/loaded.hpp"
#include "policy/arch_list.hpp"
#include "policy/cuda_archs.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kMostParts = 6;  // of one message

// What is wrong with one list.
struct Problem {
    Severity severity = Severity::error;
    std::string need;  // `8.9`
    std::string says;  // `a device of 8.9 loads sm_86, where it is a stub`
    auto operator<=>(const Problem&) const = default;
};

Severity milder(Severity severity) {
    return severity == Severity::error ? Severity::warning : Severity::notice;
}

std::string need_name(const ArchNeed& need) {
    Arch arch = need.at;
    switch (need.kind) {
        case ArchNeed::Kind::exact_suffix: arch.suffix = 'a'; return torch_name(arch);
        case ArchNeed::Kind::family: {
            arch.suffix = 'a';
            const std::string exact = torch_name(arch);
            arch.suffix = 'f';
            return fmt::format("{} or {}", exact, torch_name(arch));
        }
        case ArchNeed::Kind::not_plain:
        case ArchNeed::Kind::not_in:
            return need.at.suffix == 'a' ? torch_name(need.at) : need_name({need.at, ArchNeed::Kind::family});
        case ArchNeed::Kind::at_least:
        case ArchNeed::Kind::floor: break;
    }
    arch.suffix = '\0';
    return torch_name(arch);
}

// A stub, where the others do not compile at all.
bool may_be_stub(ArchNeed::Kind kind) {
    return kind != ArchNeed::Kind::floor && kind != ArchNeed::Kind::not_plain && kind != ArchNeed::Kind::not_in;
}

// What the list has that the source does not compile for.
std::optional<std::string> not_compiled(const ArchNeed& need, const ArchSet& declared) {
    switch (need.kind) {
        case ArchNeed::Kind::floor: return lowest_below(declared, need.at.number);
        case ArchNeed::Kind::not_in: return lowest_in(declared, need.enough);
        default: return plain_in(declared, need.at.number);
    }
}

bool names(const ArchSet& declared, std::uint32_t number) {
    const auto is = [&](Arch arch) { return arch.number == number; };
    return std::any_of(declared.sass.begin(), declared.sass.end(), is) ||
           std::any_of(declared.ptx.begin(), declared.ptx.end(), is);
}

// What there is of the code on a device that loads something lower.
std::string_view lower_code(const LintHit& hit) {
    if (hit.rule == "fp8-type") {
        return hit.severity == Severity::notice ? "it is emulated, if kernels use it" : "it is emulated";
    }
    return hit.fallback ? "it runs other code" : "it is a stub";
}

std::string what_happens(const std::string& device, const Loaded& loaded, const LintHit& hit) {
    if (loaded.how == Loaded::How::left_out) {
        return fmt::format("a device of {} finds nothing to run, as its major begins at {}", device,
                           sass_name(loaded.arch));
    }
    const bool sass = loaded.how == Loaded::How::lower_sass;
    return fmt::format("a device of {} {} {}, where {}", device, sass ? "loads" : "compiles its code from",
                       sass ? sass_name(loaded.arch) : ptx_name(loaded.arch), lower_code(hit));
}

std::optional<Problem> problem_of(const ArchNeed& need, const LintHit& hit, const ArchSet& declared) {
    const std::string device = torch_name({need.at.number, '\0'});
    if (!may_be_stub(need.kind)) {
        const auto wrong = not_compiled(need, declared);
        return wrong ? std::optional(Problem{hit.severity, need_name(need),
                                             fmt::format("the list has {}, for which it does not compile", *wrong)})
                     : std::nullopt;
    }
    if (!has_cards(need.at.number) && !names(declared, need.at.number)) {
        return std::nullopt;
    }
    const Loaded loaded = load_for(declared, need);
    const bool is_skipped = loaded.how == Loaded::How::left_out && hit.fallback;
    if (loaded.how == Loaded::How::fits || loaded.how == Loaded::How::nothing || is_skipped) {
        return std::nullopt;
    }
    const Severity severity = loaded.how == Loaded::How::lower_sass ? Severity::error : Severity::warning;
    return Problem{std::min(hit.fallback ? milder(severity) : severity, hit.severity), need_name(need),
                   what_happens(device, loaded, hit)};
}

// Rows with the same problem, in one part of a message.
using Parts = std::map<Problem, std::vector<const DeclaredList*>>;

std::string rows_text(const std::vector<const DeclaredList*>& lists) {
    std::vector<std::string> texts;
    for (const DeclaredList* list : lists) {
        texts.push_back(fmt::format("{} ({})", list->rows, shortened(list->text)));
    }
    return enumerate(texts, kMostParts);
}

std::string patched(const Package& package) {
    return package.fields.contains("patch_script") && !package.fields.at("patch_script").empty()
               ? fmt::format(" (if {} mends it, say so there)", printable(package.fields.at("patch_script")))
               : "";
}

std::string more_text(const LintHit& hit) {
    if (hit.more_files != 0) {
        return fmt::format(" (and in {}, in {})", count_of(hit.more, "more place"),
                           count_of(hit.more_files, "other file"));
    }
    return hit.more == 0 ? "" : fmt::format(" (and in {} of the file)", count_of(hit.more, "more place"));
}

// The source's own words, and what of them is to be judged.
std::string subject(const LintHit& hit) {
    return fmt::format("{}\"{}\"{}",
                       hit.needs.empty()                     ? ""
                       : hit.rule == "fp8-type"              ? "FP8: "
                       : may_be_stub(hit.needs.front().kind) ? "code behind "
                                                             : "without a guard: ",
                       hit.what, more_text(hit));
}

// `a; b; and 3 more`.
std::string joined(std::vector<std::string> parts) {
    if (parts.size() > kMostParts) {
        parts[kMostParts] = fmt::format("and {} more", parts.size() - kMostParts);
        parts.resize(kMostParts + 1);
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

LintFinding begin_finding(const Package& package, const LintHit& hit) {
    LintFinding finding;
    finding.rule = hit.rule;
    finding.package = package.name;
    finding.path = hit.path;
    finding.line = hit.line;
    finding.column = hit.column;
    finding.what = hit.what;
    finding.subject = subject(hit);
    return finding;
}

std::string need_text(const LintHit& hit, const Problem& problem, const std::string& rows) {
    const ArchNeed::Kind kind = hit.needs.front().kind;
    return may_be_stub(kind) ? fmt::format("{} is not declared for {}: {}", problem.need, rows, problem.says)
                             : fmt::format("it needs {}{}, and for {} {}", problem.need,
                                           kind == ArchNeed::Kind::floor ? " at least" : "", rows, problem.says);
}

std::string need_fix(const LintHit& hit, const std::vector<std::string>& needs, const std::string& sources) {
    const ArchNeed::Kind kind = hit.needs.front().kind;
    if (kind == ArchNeed::Kind::not_in) {
        return fmt::format("put a condition on the arch around it, by a patch, or declare {} alone in {}",
                           fmt::join(needs, ", "), sources);
    }
    return fmt::format("{} {} in {}{}", kind == ArchNeed::Kind::floor ? "declare nothing below" : "declare",
                       fmt::join(needs, ", "), sources,
                       kind == ArchNeed::Kind::not_plain ? ", in place of what has no suffix" : "");
}

// Device code: archs that must be declared, or must not.
std::optional<LintFinding> judge_needs(const Package& package, const LintHit& hit,
                                       const std::vector<DeclaredList>& lists) {
    Parts parts;
    for (const ArchNeed& need : hit.needs) {
        for (const DeclaredList& list : lists) {
            if (auto problem = problem_of(need, hit, list.list.archs)) {
                parts[*std::move(problem)].push_back(&list);
            }
        }
    }
    if (parts.empty()) {
        return std::nullopt;
    }
    LintFinding finding = begin_finding(package, hit);
    finding.severity = Severity::notice;
    std::set<std::string> needs;
    std::set<std::string> rows;
    std::set<std::string> sources;
    std::vector<std::string> texts;
    for (const auto& [problem, where] : parts) {
        finding.severity = std::max(finding.severity, problem.severity);
        needs.insert(problem.need);
        for (const DeclaredList* list : where) {
            rows.insert(list->rows);
            sources.insert(list->source);
        }
        texts.push_back(need_text(hit, problem, rows_text(where)));
    }
    finding.needs = {needs.begin(), needs.end()};
    finding.rows = {rows.begin(), rows.end()};
    finding.problem = joined(std::move(texts));
    finding.fix = need_fix(hit, finding.needs, printable(enumerate({sources.begin(), sources.end()}, 3)));
    return finding;
}

// What a list in a build file holds, if it can be read.
std::optional<ArchSet> set_archs(const std::string& list) {
    try {
        return list.empty() ? std::nullopt : std::optional(parse_arch_list(list, "").archs);
    } catch (const Error&) {
        return std::nullopt;
    }
}

// `what is asked for and 9.0a (sm_90a)`; of a hit whose list is a change of it.
std::string changed_text(const LintHit& hit, const std::optional<ArchSet>& archs) {
    const std::string items = shortened(hit.list.substr(1));
    return fmt::format("what is asked for {} {}{}", hit.list.front() == '+' ? "and" : "without", items,
                       archs ? fmt::format(" ({})", to_text(*archs)) : "");
}

// Does a build with these archs, all of it or what it adds or takes away, give what is declared?
bool is_as_declared(const LintHit& hit, const ArchSet& archs, const ArchSet& declared) {
    if (hit.list.starts_with('+')) {
        return minus(archs, declared).empty();
    }
    return hit.list.starts_with('-') ? minus(archs, declared) == archs : archs == declared;
}

// A build file that sets the list or the targets: the archs that it would build, and those that are declared.
LintFinding judge_setting(const Package& package, const LintHit& hit, const std::vector<DeclaredList>& lists) {
    const bool changes = hit.list.starts_with('+') || hit.list.starts_with('-');
    const std::optional<ArchSet> built = set_archs(changes ? hit.list.substr(1) : hit.list);
    LintFinding finding = begin_finding(package, hit);
    std::vector<const DeclaredList*> differing;
    for (const DeclaredList& list : lists) {
        if (!built || !is_as_declared(hit, *built, list.list.archs)) {
            differing.push_back(&list);
            finding.rows.push_back(list.rows);
        }
    }
    finding.severity = differing.empty() ? Severity::notice : hit.severity;
    const bool overrides = hit.rule == "arch-list-override";
    const std::string builds = hit.list.empty()
                                   ? (overrides ? "a list that is not written out" : "targets that are not written out")
                               : changes ? changed_text(hit, built)
                               : built   ? fmt::format("{} ({})", shortened(hit.list), to_text(*built))
                                         : shortened(hit.list);
    finding.problem =
        fmt::format("{}; the {} has {}, {}",
                    changes     ? "changes the arch list"
                    : overrides ? "sets the arch list, whatever is asked for"
                                : "names targets, so the arch list is not used",
                    overrides || hit.more == 0 ? "build" : "file", builds,
                    differing.empty() ? "which is what is declared"
                                      : fmt::format("which is not what is declared: {}", rows_text(differing)));
    if (!differing.empty()) {
        finding.fix =
            fmt::format("take it out of the sources by a patch{}, or declare with expect_archs what the binary holds",
                        patched(package));
    }
    return finding;
}

// Numbers are made of items; it matters where an item is none.
LintFinding judge_number(const Package& package, const LintHit& hit, const std::vector<DeclaredList>& lists) {
    LintFinding finding = begin_finding(package, hit);
    std::vector<const DeclaredList*> suffixed;
    for (const DeclaredList& list : lists) {
        const ArchSet& archs = list.list.archs;
        if (std::any_of(archs.sass.begin(), archs.sass.end(), [](Arch arch) { return arch.suffix != '\0'; })) {
            suffixed.push_back(&list);
            finding.rows.push_back(list.rows);
        }
    }
    finding.severity = suffixed.empty() ? Severity::notice : hit.severity;
    finding.problem = fmt::format(
        "makes a number of an item of the list, which 9.0a is not, nor 8.0+PTX if it does not cut that off{}",
        suffixed.empty() ? "" : fmt::format("; declared is {}", rows_text(suffixed)));
    finding.fix = fmt::format("let the script keep the suffix, by a patch{}", patched(package));
    return finding;
}

// A hit that stands for every list.
LintFinding judge_any(const Package& package, const LintHit& hit, const std::vector<DeclaredList>& lists) {
    LintFinding finding = begin_finding(package, hit);
    finding.severity = hit.severity;
    for (const DeclaredList& list : lists) {
        finding.rows.push_back(list.rows);
    }
    const Rule* rule = find_rule(hit.rule);
    finding.problem = rule == nullptr ? hit.rule : std::string(rule->reason);
    return finding;
}

}  // namespace

std::string place_of(const LintFinding& finding) {
    const std::string at = finding.line == 0     ? ""
                           : finding.column == 0 ? fmt::format(":{}", finding.line)
                                                 : fmt::format(":{}:{}", finding.line, finding.column);
    return fmt::format("{} → {}{}", printable(finding.package), printable(finding.path), at);
}

std::string message_of(const LintFinding& finding) {
    return fmt::format("{}{}{}", finding.subject, finding.subject.empty() ? "" : ": ", finding.problem);
}

std::string ignore_entry(const std::string& rule, const std::string& path) {
    // Without a slash it would be a name in any folder.
    const std::string_view root = path.find('/') == std::string::npos && path.find('*') == std::string::npos ? "/" : "";
    return fmt::format("lint_ignore: [{{rule: {}, {}reason: \"…\"}}]", rule,
                       path.empty() ? "" : fmt::format("path: \"{}{}\", ", root, printable(path)));
}

Finding as_finding(const LintFinding& finding) {
    std::string fix = finding.fix;
    if (finding.rule != stale_ignore_rule().id) {
        fix += fmt::format("{}let it pass in the package's YAML by {}", fix.empty() ? "" : "; or ",
                           ignore_entry(finding.rule, finding.in_policy ? "" : finding.path));
    }
    return {finding.rule, finding.severity, place_of(finding), message_of(finding), fix};
}

std::vector<LintFinding> judge(const Package& package, const std::vector<LintHit>& hits,
                               const std::vector<DeclaredList>& lists) {
    std::vector<LintFinding> findings;
    for (const LintHit& hit : hits) {
        if (!hit.needs.empty()) {
            if (auto finding = judge_needs(package, hit, lists)) {
                findings.push_back(*std::move(finding));
            }
        } else if (hit.rule == "arch-list-override" || hit.rule == "explicit-target") {
            findings.push_back(judge_setting(package, hit, lists));
        } else if (hit.rule == "arch-list-number") {
            findings.push_back(judge_number(package, hit, lists));
        } else {
            findings.push_back(judge_any(package, hit, lists));
        }
    }
    return findings;
}

std::vector<LintFinding> judge_flags(const Package& package, const std::vector<DeclaredList>& lists) {
    constexpr CudaVersion kFirst{12, 8};
    const auto flags = package.fields.find("nvcc_flags");
    if (flags == package.fields.end() || flags->second.find("-compress-mode") == std::string::npos) {
        return {};
    }
    LintFinding finding;
    finding.rule = "compress-mode";
    finding.package = package.name;
    finding.path = package.place.file ? *package.place.file : "";
    finding.in_policy = true;
    std::set<std::string> older;
    for (const DeclaredList& list : lists) {
        for (const std::string& cuda : list.cudas) {
            if (parse_cuda_version(cuda) < kFirst) {
                older.insert(cuda);
            }
        }
    }
    if (older.empty()) {
        return {};
    }
    finding.rows = {fmt::format("CUDA {}", fmt::join(older, ", "))};
    finding.what = shortened(flags->second);
    finding.problem =
        fmt::format("nvcc_flags has -compress-mode, which nvcc knows from CUDA 12.8 on; there are rows of {}",
                    finding.rows.front());
    finding.fix = "use -Xfatbin -compress-all, which all know, or build those rows without";
    return {finding};
}

const Rule& compress_mode_rule() {
    static const Rule rule = {"compress-mode", "nvcc_flags has -compress-mode for a CUDA whose nvcc does not know it",
                              "compress-mode", Severity::error, [](const RuleInput&, std::vector<LintHit>&) {}};
    return rule;
}

}  // namespace wheelarch
