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

void add_hit(std::vector<LintHit>& of_file, const RuleInput& input, const DeviceHit& hit) {
    const auto same = std::find_if(of_file.begin(), of_file.end(), [&](const LintHit& other) {
        return other.rule == hit.rule.id && other.severity == hit.severity && other.fallback == hit.fallback &&
               other.needs == hit.needs;
    });
    if (same != of_file.end()) {
        ++same->more;
        return;
    }
    LintHit added;
    added.rule = hit.rule.id;
    added.path = input.file.path;
    added.line = hit.place.line;
    added.column = hit.place.column;
    added.needs = hit.needs;
    added.fallback = hit.fallback;
    added.what = one_line(hit.what.substr(0, 4 * kLongest));
    added.severity = hit.severity;
    of_file.push_back(std::move(added));
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
