#include "lint/device_rules.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "lint/loaded.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kLongest = 120;  // of LintHit::what
constexpr std::size_t kMostParts = 6;  // of one message

std::string one_line(std::string_view text) {
    std::string words;
    bool blank = false;
    for (const char c : text) {
        const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
        words += is_blank && !blank && !words.empty() ? " " : "";
        words += is_blank ? "" : std::string(1, c);
        blank = is_blank;
    }
    words.erase(words.find_last_not_of(' ') + 1);
    return printable(words.size() > kLongest ? words.substr(0, kLongest - 3) + "..." : words);
}

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

std::string what_happens(const std::string& device, const Loaded& loaded, std::string_view lower_code) {
    if (loaded.how == Loaded::How::left_out) {
        return fmt::format("a device of {} finds nothing to run, as its major begins at {}", device,
                           sass_name(loaded.arch));
    }
    const bool sass = loaded.how == Loaded::How::lower_sass;
    return fmt::format("a device of {} {} {}, where {}", device, sass ? "loads" : "compiles its code from",
                       sass ? sass_name(loaded.arch) : ptx_name(loaded.arch), lower_code);
}

std::optional<Problem> problem_of(const ArchNeed& need, const LintHit& hit, const ArchSet& declared,
                                  std::string_view lower_code) {
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
                   what_happens(device, loaded, lower_code)};
}

// `a; b; and 3 more`.
std::string joined(std::vector<std::string> parts) {
    if (parts.size() > kMostParts) {
        parts[kMostParts] = fmt::format("and {} more", parts.size() - kMostParts);
        parts.resize(kMostParts + 1);
    }
    return fmt::format("{}", fmt::join(parts, "; "));
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

}  // namespace

void add_hit(std::vector<LintHit>& of_file, const DeviceHit& hit) {
    if (hit.needs.empty()) {
        return;
    }
    const auto same = std::find_if(of_file.begin(), of_file.end(), [&](const LintHit& other) {
        return other.severity == hit.severity && other.fallback == hit.fallback && other.needs == hit.needs;
    });
    if (same != of_file.end()) {
        ++same->more;
        return;
    }
    LintHit added;
    added.line = hit.place.line;
    added.column = hit.place.column;
    added.needs = hit.needs;
    added.fallback = hit.fallback;
    added.what = one_line(hit.what.substr(0, 4 * kLongest));
    added.severity = hit.severity;
    of_file.push_back(std::move(added));
}

std::optional<LintFinding> judge_needs(const Package& package, const LintHit& hit,
                                       const std::vector<DeclaredList>& lists, std::string_view about,
                                       std::string_view lower_code) {
    std::map<Problem, std::vector<const DeclaredList*>> parts;  // rows with the same problem
    for (const ArchNeed& need : hit.needs) {
        for (const DeclaredList& list : lists) {
            if (auto problem = problem_of(need, hit, list.list.archs, lower_code)) {
                parts[*std::move(problem)].push_back(&list);
            }
        }
    }
    if (parts.empty()) {
        return std::nullopt;
    }
    LintFinding finding = begin_finding(package, hit, about);
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

std::optional<LintFinding> judge_stub(const Package& package, const LintHit& hit,
                                      const std::vector<DeclaredList>& lists) {
    return judge_needs(package, hit, lists, may_be_stub(hit.needs.front().kind) ? "code behind " : "without a guard: ",
                       hit.fallback ? "it runs other code" : "it is a stub");
}

}  // namespace wheelarch
