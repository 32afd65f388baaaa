// FP8 numbers: 8.9 and up convert and multiply them in hardware; below, cuda_fp8.h emulates the conversions.
#include "lint/device/feature_names.hpp"
#include "lint/device_hits.hpp"
#include "lint/rule.hpp"

namespace wheelarch {
namespace {

constexpr Arch kFirst{89, '\0'};

bool below_first(ArchMask archs) {
    static const ArchMask below = passes_where([](Arch arch) { return arch.number < kFirst.number; });
    return (archs & below) != kNoPass;
}

// Where hardware would convert or multiply: there the code of lower archs emulates.
bool is_work(const FeatureWord& word) {
    const bool in_device_code =
        word.scope->kind == CodeScope::Kind::device || word.scope->kind == CodeScope::Kind::kernel;
    const bool does = word.made || word.text.starts_with("__nv_cvt_") || word.text.starts_with("SM89_");
    return does && in_device_code;
}

void add(const RuleInput& input, SourcePlace place, std::string_view what, Severity severity,
         std::vector<LintHit>& of_file) {
    add_hit(of_file, input, {fp8_type_rule(), place, what, severity, {{kFirst, ArchNeed::Kind::at_least}}, true});
}

void check(const RuleInput& input, std::vector<LintHit>& of_file) {
    for (const FeatureWord& word : input.device.words) {
        if (below_first(word.archs) && is_fp8_name(word.text)) {
            add(input, word.place, word.text, is_work(word) ? Severity::warning : Severity::notice, of_file);
        }
    }
    for (const InlinePtx& ptx : input.device.ptx) {
        if (ptx.certain && ptx.ptx->names_fp8 && below_first(ptx.archs)) {
            add(input, ptx.place, ptx.ptx->text, Severity::warning, of_file);
        }
    }
}

}  // namespace

const Rule& fp8_type_rule() {
    static constexpr Rule kRule{
        "fp8-type", "FP8 needs code for 8.9; devices of 8.9 that load 8.0 or 8.6 only emulate it",
        "fp8-type", Severity::warning,
        check,      true};
    return kRule;
}

}  // namespace wheelarch
