// Inline PTX that not every arch has, without a condition around it that keeps the others out.
#include <utility>

#include "lint/device/instructions.hpp"
#include "lint/device_rules.hpp"

namespace wheelarch {
namespace {

ArchMask plain(std::uint32_t number) {
    return passes_where([&](Arch arch) { return arch == Arch{number, '\0'}; });
}

void check_need(const InlinePtx& ptx, const PtxNeed& need, std::vector<LintHit>& of_file) {
    const auto& [archs, floor, suffixes] = *need.has_it;
    const ArchMask lacking = ptx.archs & ~archs;
    if (lacking == kNoPass) {
        return;
    }
    const Severity severity = ptx.in_macro ? Severity::warning : Severity::error;
    const auto add = [&](std::vector<ArchNeed> needs) {
        add_hit(of_file, {ptx.place, need.instruction, severity, std::move(needs)});
    };
    const ArchMask below = passes_where([&](Arch arch) { return arch.number < floor.at.number; });
    if ((lacking & below) != kNoPass) {
        add({floor});
    }
    std::vector<ArchNeed> not_plain;
    // Later archs, and others' suffixes.
    ArchMask others = lacking & ~below;
    for (const ArchNeed& suffix : suffixes) {
        const ArchMask one = plain(suffix.at.number);
        if ((lacking & one) != kNoPass) {
            not_plain.push_back({suffix.at, ArchNeed::Kind::not_plain});
        }
        others &= ~one;
    }
    add(std::move(not_plain));
    if (others != kNoPass && !suffixes.empty()) {
        add({{suffixes.front().at, ArchNeed::Kind::not_in, others}});
    }
}

void check(const DeviceFacts& facts, std::vector<LintHit>& of_file) {
    for (const InlinePtx& ptx : facts.ptx) {
        if (!ptx.certain || ptx.archs == kNoPass) {
            continue;
        }
        for (const PtxNeed& need : ptx.ptx->needs) {
            check_need(ptx, need, of_file);
        }
    }
}

}  // namespace

extern const Rule kInstruction{
    .id = "instruction",
    .reason = "inline PTX that a listed arch does not have does not compile for it",
    .in_device_code = check,
    .judge = judge_stub,
};

}  // namespace wheelarch
