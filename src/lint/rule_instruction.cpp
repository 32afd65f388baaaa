// Inline PTX that not every arch has, without a condition around it that keeps the others out.
#include "lint/device_hits.hpp"
#include "lint/instructions.hpp"
#include "lint/rule.hpp"

namespace wheelarch {
namespace {

ArchMask plain(std::uint32_t number) {
    return passes_where([&](Arch arch) { return arch == Arch{number, '\0'}; });
}

void check_need(const RuleInput& input, const InlinePtx& ptx, const PtxNeed& need, std::vector<LintHit>& hits) {
    LintHit hit = device_hit(instruction_rule(), input, ptx.place, need.instruction);
    hit.severity = ptx.in_macro ? Severity::warning : Severity::error;
    const ArchMask lacking = ptx.archs & ~need.archs;
    const ArchMask below = passes_where([&](Arch arch) { return arch.number < need.floor.at.number; });
    if ((lacking & below) != kNoPass) {
        hit.needs = {need.floor};
        add_hit(hits, hit);
    }
    hit.needs.clear();
    for (const ArchNeed& suffix : need.suffixes) {
        if ((lacking & plain(suffix.at.number)) != kNoPass) {
            hit.needs.push_back({suffix.at, ArchNeed::Kind::not_plain});
        }
    }
    if (!hit.needs.empty()) {
        add_hit(hits, hit);
    }
    // Later archs, and others' suffixes.
    ArchMask others = lacking & ~below;
    for (const ArchNeed& suffix : need.suffixes) {
        others &= ~plain(suffix.at.number);
    }
    if (others != kNoPass && !need.suffixes.empty()) {
        hit.needs = {{need.suffixes.front().at, ArchNeed::Kind::not_in, others}};
        add_hit(hits, hit);
    }
}

void check(const RuleInput& input, std::vector<LintHit>& hits) {
    for (const InlinePtx& ptx : input.device.ptx) {
        if (!ptx.certain) {
            continue;
        }
        for (const PtxNeed& need : ptx_needs(ptx.text)) {
            check_need(input, ptx, need, hits);
        }
    }
}

}  // namespace

const Rule& instruction_rule() {
    static constexpr Rule kRule{"instruction", "inline PTX that a listed arch does not have does not compile for it",
                                "instruction", Severity::error,
                                check,         true};
    return kRule;
}

}  // namespace wheelarch
