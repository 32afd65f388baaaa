// FP8 numbers: 8.9 and up convert and multiply them in hardware; below, cuda_fp8.h emulates the conversions.
#include <algorithm>
#include <utility>

#include "lint/device/feature_names.hpp"
#include "lint/device_rules.hpp"

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

void check(const DeviceFacts& facts, std::vector<LintHit>& of_file) {
    const auto add = [&](SourcePlace place, std::string_view what, Severity severity) {
        add_hit(of_file, {place, what, severity, {{kFirst, ArchNeed::Kind::at_least}}, true});
    };
    for (const FeatureWord& word : facts.words) {
        if (below_first(word.archs) && is_fp8_name(word.text)) {
            add(word.place, word.text, is_work(word) ? Severity::warning : Severity::notice);
        }
    }
    for (const InlinePtx& ptx : facts.ptx) {
        if (ptx.certain && ptx.ptx->names_fp8 && below_first(ptx.archs)) {
            add(ptx.place, ptx.ptx->text, Severity::warning);
        }
    }
}

// One hit for all places that only name FP8; none if there are others.
void join_names(const Rule& self, const PackageSources&, std::vector<LintHit>& hits) {
    const auto only_named = [&](const LintHit& hit) { return hit.rule == &self && hit.severity == Severity::notice; };
    const bool computes = std::any_of(hits.begin(), hits.end(),
                                      [&](const LintHit& hit) { return hit.rule == &self && !only_named(hit); });
    const auto first = std::find_if(hits.begin(), hits.end(), only_named);
    if (first == hits.end()) {
        return;
    }
    LintHit one = *first;
    for (auto hit = first + 1; hit != hits.end(); ++hit) {
        if (only_named(*hit)) {
            one.more += 1 + hit->more;
            ++one.more_files;
        }
    }
    const auto place = first - hits.begin();
    std::erase_if(hits, only_named);
    if (!computes) {
        hits.insert(hits.begin() + place, std::move(one));
    }
}

std::optional<LintFinding> judge(const Package& package, const LintHit& hit, const std::vector<DeclaredList>& lists) {
    return judge_needs(package, hit, lists, "FP8: ",
                       hit.severity == Severity::notice ? "it is emulated, if kernels use it" : "it is emulated");
}

}  // namespace

extern const Rule kFp8Type{
    .id = "fp8-type",
    .reason = "FP8 needs code for 8.9; devices of 8.9 that load 8.0 or 8.6 only emulate it",
    .severity = Severity::warning,
    .about_host = true,  // the host names it where it asks for a type of torch
    .in_device_code = check,
    .in_package = join_names,
    .judge = judge,
};

}  // namespace wheelarch
