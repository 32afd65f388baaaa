// Code under `__CUDA_ARCH_FEAT_SM90_ALL` and its like, and library types whose kernels are: plain 9.0 builds a stub.
#include "lint/device/feature_names.hpp"
#include "lint/device_rules.hpp"

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

// Each number of which only archs with a suffix are in `inner`, though `outer` has it without.
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

void check(const DeviceFacts& facts, std::vector<LintHit>& of_file) {
    for (const Gate& gate : facts.gates) {
        if (!gate.refuses) {
            add_hit(of_file, {gate.place, gate.text, gate.fallback ? Severity::warning : Severity::error,
                              gate_suffixes(gate.outer, gate.inner), gate.fallback});
        }
    }
    for (const FeatureWord& word : facts.words) {
        add_hit(of_file, {word.place, word.text, Severity::error, open_needs(library_needs(word.text), word.archs)});
    }
}

}  // namespace

extern const Rule kFeatureMacro{
    .id = "feature-macro",
    .reason = "code for targets with a suffix (9.0a, 10.0f) is a stub in the plain target",
    .in_device_code = check,
    .judge = judge_stub,
};

}  // namespace wheelarch
