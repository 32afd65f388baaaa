// Code under `__CUDA_ARCH__ >= 890`: a device of 8.9 for which nothing but 8.6 was built loads the kernel of 8.6, which
// is empty there.
#include <algorithm>
#include <optional>

#include "lint/device_hits.hpp"
#include "lint/rule.hpp"

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

void check(const RuleInput& input, std::vector<LintHit>& of_file) {
    for (const Gate& gate : input.device.gates) {
        DeviceHit hit{arch_gate_rule(), gate.place, gate.text, Severity::error, {}};
        if (gate.refuses) {
            if (const auto floor = floor_of(gate)) {
                hit.needs = {{*floor, ArchNeed::Kind::floor}};
            }
        } else {
            hit.needs = gate_steps(gate.outer, gate.inner);
            hit.fallback = gate.fallback;
            hit.severity = gate.fallback ? Severity::warning : Severity::error;
        }
        if (!hit.needs.empty()) {
            add_hit(of_file, input, hit);
        }
    }
}

}  // namespace

const Rule& arch_gate_rule() {
    static constexpr Rule kRule{
        "arch-gate", "code for some archs only is a stub where the list has lower ones of the same major",
        "arch-gate", Severity::error,
        check,       true};
    return kRule;
}

}  // namespace wheelarch
