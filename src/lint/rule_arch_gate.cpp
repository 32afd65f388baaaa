// Code under `__CUDA_ARCH__ >= 890`: a device of 8.9 for which nothing but 8.6 was built loads the kernel of 8.6, which
// is empty there.
#include <algorithm>
#include <optional>

#include "lint/device_rules.hpp"
#include "lint/loaded.hpp"
#include "lint/text_search.hpp"

namespace wheelarch {
namespace {

// The lowest number that is not refused, if all below it are.
std::optional<Arch> floor_of(const Gate& gate) {
    std::optional<Arch> lowest;
    bool refused_below = false;
    for (std::size_t pass = 0; const auto arch = arch_of_pass(pass); ++pass) {
        if (!has_pass(gate.outer, pass) || arch->suffix != '\0') {
            continue;
        }
        const bool refused = has_pass(gate.inner, pass);
        if (refused && lowest) {
            return std::nullopt;
        }
        refused_below = refused_below || refused;
        if (!refused && !lowest) {
            lowest = arch;
        }
    }
    return refused_below ? lowest : std::nullopt;
}

// Where code that is compiled for `inner` of `outer` only begins anew: each number whose lower neighbour in `outer` is
// left out, and those behind it up to one that cards have.
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

void check(const DeviceFacts& facts, std::vector<LintHit>& of_file) {
    for (const Gate& gate : facts.gates) {
        DeviceHit hit{gate.place, gate.text};
        if (gate.refuses) {
            if (const auto floor = floor_of(gate)) {
                hit.needs = {{*floor, ArchNeed::Kind::floor}};
            }
        } else {
            hit.needs = gate_steps(gate.outer, gate.inner);
            hit.fallback = gate.fallback;
            hit.severity = gate.fallback ? Severity::warning : Severity::error;
        }
        add_hit(of_file, hit);
    }
}

// A package that asks for it has other code for the rest.
void know_what_was_compiled(const Rule& self, const PackageSources& sources, std::vector<LintHit>& hits) {
    const bool knows = std::any_of(sources.files().begin(), sources.files().end(), [](const SourceFile& file) {
        return may_be_device_code(file) && has_part(file.text, "__CUDA_ARCH_LIST__");
    });
    for (LintHit& hit : hits) {
        hit.fallback = hit.fallback || (knows && hit.rule == &self);
    }
}

}  // namespace

extern const Rule kArchGate{
    .id = "arch-gate",
    .reason = "code for some archs only is a stub where the list has lower ones of the same major",
    .in_device_code = check,
    .in_package = know_what_was_compiled,
    .judge = judge_stub,
};

}  // namespace wheelarch
