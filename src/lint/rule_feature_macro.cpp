// Code under `__CUDA_ARCH_FEAT_SM90_ALL` and its like, and library types whose kernels are: plain 9.0 builds a stub.
#include "lint/device/feature_names.hpp"
#include "lint/device_hits.hpp"
#include "lint/rule.hpp"

namespace wheelarch {
namespace {

// Of `needs`, those for whose plain arch the place is compiled, too.
std::vector<ArchNeed> open_needs(const std::vector<ArchNeed>& needs, ArchMask archs) {
    std::vector<ArchNeed> open;
    for (const ArchNeed& need : needs) {
        const ArchMask plain = passes_where([&](Arch arch) { return arch == Arch{need.at.number, '\0'}; });
        if ((archs & plain) != kNoPass) {
            open.push_back(need);
        }
    }
    return open;
}

void check(const RuleInput& input, std::vector<LintHit>& of_file) {
    for (const Gate& gate : input.device.gates) {
        const Severity severity = gate.fallback ? Severity::warning : Severity::error;
        DeviceHit hit{feature_macro_rule(), gate.place, gate.text, severity, {}, gate.fallback};
        hit.needs = gate.refuses ? std::vector<ArchNeed>() : gate_suffixes(gate.outer, gate.inner);
        if (!hit.needs.empty()) {
            add_hit(of_file, input, hit);
        }
    }
    for (const FeatureWord& word : input.device.words) {
        const std::vector<ArchNeed> needs = open_needs(library_needs(word.text), word.archs);
        if (!needs.empty()) {
            add_hit(of_file, input, {feature_macro_rule(), word.place, word.text, Severity::error, needs});
        }
    }
}

}  // namespace

const Rule& feature_macro_rule() {
    static constexpr Rule kRule{
        "feature-macro", "code for targets with a suffix (9.0a, 10.0f) is a stub in the plain target",
        "feature-macro", Severity::error,
        check,           true};
    return kRule;
}

}  // namespace wheelarch
