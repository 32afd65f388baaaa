#include "lint/device_hits.hpp"

#include <algorithm>
#include <string>

#include "base/text.hpp"
#include "lint/loaded.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kLongest = 120;  // of LintHit::what

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

}  // namespace

void add_hit(std::vector<LintHit>& hits, LintHit hit) {
    // Those of a file stand together, at the end.
    const auto of_others =
        std::find_if(hits.rbegin(), hits.rend(), [&](const LintHit& other) { return other.path != hit.path; });
    const auto same = std::find_if(of_others.base(), hits.end(), [&](const LintHit& other) {
        return other.rule == hit.rule && other.severity == hit.severity && other.needs == hit.needs &&
               other.fallback == hit.fallback;
    });
    if (same != hits.end()) {
        ++same->more;
    } else {
        hit.what = one_line(hit.what);
        hits.push_back(std::move(hit));
    }
}

LintHit device_hit(const Rule& rule, const RuleInput& input, SourcePlace place, std::string_view what) {
    LintHit hit;
    hit.rule = rule.id;
    hit.path = input.file.path;
    hit.line = place.line;
    hit.column = place.column;
    hit.what = what.substr(0, 4 * kLongest);
    hit.severity = rule.severity;
    return hit;
}

std::vector<ArchNeed> gate_steps(ArchMask outer, ArchMask inner) {
    std::vector<ArchNeed> needs;
    bool left_out = false;  // the plain arch before
    for (std::size_t pass = 0; const auto arch = arch_of_pass(pass); ++pass) {
        if (arch->suffix != '\0' || !has_pass(outer, pass)) {
            continue;
        }
        const bool in = has_pass(inner, pass);
        if (in && left_out) {
            const ArchMask below = passes_where([&](Arch other) { return other.number < arch->number; });
            needs.push_back({*arch, ArchNeed::Kind::at_least, inner & below});
        }
        left_out = !in || (left_out && !has_cards(arch->number));
    }
    return needs;
}

std::vector<ArchNeed> gate_suffixes(ArchMask outer, ArchMask inner) {
    std::vector<ArchNeed> needs;
    std::size_t plain = 0;  // the pass of the plain arch
    for (std::size_t pass = 0; const auto arch = arch_of_pass(pass); ++pass) {
        if (arch->suffix == '\0') {
            plain = pass;
            continue;
        }
        const bool plain_is_left_out = has_pass(outer, plain) && !has_pass(inner, plain);
        if (!plain_is_left_out || !has_pass(inner, pass)) {
            continue;
        }
        if (arch->suffix == 'a') {
            needs.push_back({*arch, ArchNeed::Kind::exact_suffix});
        } else if (!needs.empty() && needs.back().at.number == arch->number) {
            needs.back() = {*arch, ArchNeed::Kind::family};
        } else {
            needs.push_back({*arch, ArchNeed::Kind::family});
        }
    }
    return needs;
}

}  // namespace wheelarch
