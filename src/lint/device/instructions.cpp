#include "lint/device/instructions.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace wheelarch {
namespace {

// Which archs have an instruction, from `number` on.
enum class Has {
    all,       // every arch
    sm90a,     // 9.0a alone
    suffixed,  // every arch from 9.0 on, with a suffix
    tensor5,   // 10.x and 11.0 with a suffix: the fifth tensor core and its memory
    sm120,     // 12.x with a suffix
    family10,  // 10.x with a suffix
    narrow,    // 10.x, 11.0 and 12.x with a suffix
};

struct Instruction {
    std::string_view opcode;                    // the words that it begins with
    std::array<std::string_view, 2> modifiers;  // each must be among the later words, or begin one if it ends in `*`
    std::uint32_t number;
    Has has;
};

// The first that fits counts, so that the special stands before the general.
constexpr Instruction kInstructions[] = {
    {"tcgen05", {}, 100, Has::tensor5},
    {"wgmma", {}, 90, Has::sm90a},
    {"setmaxnreg", {}, 90, Has::suffixed},
    {"tensormap.replace", {}, 90, Has::suffixed},
    {"tensormap.cp_fenceproxy", {}, 90, Has::all},
    {"clusterlaunchcontrol", {}, 100, Has::all},
    {"ldmatrix", {"m16n16"}, 100, Has::narrow},
    {"ldmatrix", {"m8n16"}, 100, Has::narrow},
    {"ldmatrix", {}, 75, Has::all},
    {"stmatrix", {"m16n8"}, 100, Has::narrow},
    {"stmatrix", {}, 90, Has::all},
    {"movmatrix", {}, 75, Has::all},
    {"mma", {"kind::f8f6f4"}, 100, Has::narrow},
    {"mma", {"kind::*"}, 120, Has::sm120},
    {"mma", {"block_scale"}, 120, Has::sm120},
    {"mma", {"e4m3"}, 89, Has::all},
    {"mma", {"e5m2"}, 89, Has::all},
    {"mma.sp", {}, 80, Has::all},
    {"mma", {"bf16"}, 80, Has::all},
    {"mma", {"tf32"}, 80, Has::all},
    {"mma", {"f64"}, 80, Has::all},
    {"mma", {"m16n8k4"}, 80, Has::all},
    {"mma", {"m16n8k8"}, 75, Has::all},
    {"mma", {"m16n8k16"}, 80, Has::all},
    {"mma", {"m16n8k32"}, 80, Has::all},
    {"mma", {"m16n8k64"}, 80, Has::all},
    {"mma", {"m16n8k128"}, 80, Has::all},
    {"mma", {"m16n8k256"}, 80, Has::all},
    {"mma", {"m8n8k16"}, 75, Has::all},
    {"mma", {"m8n8k32"}, 75, Has::all},
    {"mma", {"m8n8k128"}, 75, Has::all},
    {"mma", {}, 70, Has::all},
    {"wmma", {"bf16"}, 80, Has::all},
    {"wmma", {"tf32"}, 80, Has::all},
    {"wmma", {"s4"}, 75, Has::all},
    {"wmma", {"u4"}, 75, Has::all},
    {"wmma", {"s8"}, 72, Has::all},
    {"wmma", {"u8"}, 72, Has::all},
    {"wmma", {}, 70, Has::all},
    {"cp.async.bulk", {}, 90, Has::all},
    {"cp.reduce.async.bulk", {}, 90, Has::all},
    {"cp.async", {}, 80, Has::all},
    {"mbarrier.try_wait", {}, 90, Has::all},
    {"mbarrier.expect_tx", {}, 90, Has::all},
    {"mbarrier.complete_tx", {}, 90, Has::all},
    {"mbarrier.arrive.expect_tx", {}, 90, Has::all},
    {"mbarrier", {"shared::cluster"}, 90, Has::all},
    {"mbarrier", {}, 80, Has::all},
    {"fence.proxy.async", {}, 90, Has::all},
    {"fence.proxy.tensormap*", {}, 90, Has::all},
    {"fence.mbarrier_init", {}, 90, Has::all},
    {"fence", {}, 70, Has::all},
    {"barrier.cluster", {}, 90, Has::all},
    {"mapa", {}, 90, Has::all},
    {"getctarank", {}, 90, Has::all},
    {"elect", {}, 90, Has::all},
    {"griddepcontrol", {}, 90, Has::all},
    {"multimem", {}, 90, Has::all},
    {"st.async", {}, 90, Has::all},
    {"red.async", {}, 90, Has::all},
    {"st.bulk", {}, 100, Has::all},
    {"cvt.pack", {}, 72, Has::all},
    {"cvt", {"e4m3x2"}, 89, Has::all},
    {"cvt", {"e5m2x2"}, 89, Has::all},
    {"cvt", {"e2m1x2"}, 100, Has::narrow},
    {"cvt", {"e2m3x2"}, 100, Has::narrow},
    {"cvt", {"e3m2x2"}, 100, Has::narrow},
    {"cvt", {"ue8m0x2"}, 100, Has::narrow},
    {"cvt", {"tf32"}, 80, Has::all},
    {"cvt", {"relu"}, 80, Has::all},
    {"cvt", {"bf16x2"}, 80, Has::all},
    {"cvt", {"bf16", "f32"}, 80, Has::all},
    {"cvt", {"f16x2", "f32"}, 80, Has::all},
    {"redux", {"f32"}, 100, Has::family10},
    {"redux", {}, 80, Has::all},
    {"match", {}, 70, Has::all},
    {"nanosleep", {}, 70, Has::all},
    {"tanh", {"bf16*"}, 90, Has::all},
    {"tanh", {}, 75, Has::all},
    {"ex2", {"bf16*"}, 90, Has::all},
    {"ex2", {"f16*"}, 75, Has::all},
    {"fma", {"f32x2"}, 100, Has::all},
    {"add", {"f32x2"}, 100, Has::all},
    {"mul", {"f32x2"}, 100, Has::all},
    {"fma", {"relu"}, 80, Has::all},
    {"fma", {"bf16*"}, 80, Has::all},
    {"add", {"bf16*"}, 90, Has::all},
    {"sub", {"bf16*"}, 90, Has::all},
    {"mul", {"bf16*"}, 90, Has::all},
    {"min", {"bf16*"}, 80, Has::all},
    {"max", {"bf16*"}, 80, Has::all},
    {"min", {"f16*"}, 80, Has::all},
    {"max", {"f16*"}, 80, Has::all},
    {"atom", {"bf16*"}, 90, Has::all},
    {"red", {"bf16*"}, 90, Has::all},
    {"atom", {"v4"}, 90, Has::all},
    {"red", {"v4"}, 90, Has::all},
    {"atom", {"v2"}, 90, Has::all},
    {"red", {"v2"}, 90, Has::all},
    {"atom", {"b128"}, 90, Has::all},
    {"createpolicy", {}, 80, Has::all},
    {"discard", {}, 80, Has::all},
    {"applypriority", {}, 80, Has::all},
    {"ld", {"v8"}, 100, Has::all},
    {"st", {"v8"}, 100, Has::all},
    {"ld", {"L2::cache_hint"}, 80, Has::all},
    {"st", {"L2::cache_hint"}, 80, Has::all},
    {"ld", {"L2::256B"}, 80, Has::all},
    {"ld", {"L2::128B"}, 75, Has::all},
    {"ld", {"L2::64B"}, 75, Has::all},
    {"ld", {"L1::*"}, 70, Has::all},
    {"st", {"L1::*"}, 70, Has::all},
    {"dp4a", {}, 61, Has::all},
    {"dp2a", {}, 61, Has::all},
};

bool is_in(const Instruction& instruction, Arch arch) {
    const bool suffix = arch.suffix != '\0';
    const std::uint32_t major = arch.major();
    switch (instruction.has) {
        case Has::all: return arch.number >= instruction.number;
        case Has::sm90a: return arch == Arch{90, 'a'};
        case Has::suffixed: return suffix;
        case Has::tensor5: return suffix && (major == 10 || major == 11);
        case Has::sm120: return suffix && major == 12;
        case Has::family10: return suffix && major == 10;
        case Has::narrow: return suffix && major >= 10;
    }
    return false;
}

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == ':' || c == '?' || c == '%' || c == '$';
}

// Does `words`, dotted, begin with the dotted `opcode`?
bool begins(std::string_view words, std::string_view opcode) {
    if (opcode.ends_with('*')) {
        return words.starts_with(opcode.substr(0, opcode.size() - 1));
    }
    return words.starts_with(opcode) && (words.size() == opcode.size() || words[opcode.size()] == '.');
}

bool has_modifier(std::string_view words, std::string_view modifier) {
    for (std::size_t dot = words.find('.'); dot != std::string_view::npos; dot = words.find('.', dot + 1)) {
        if (begins(words.substr(dot + 1), modifier)) {
            return true;
        }
    }
    return false;
}

InstructionArchs archs_of(const Instruction& instruction) {
    InstructionArchs result;
    result.archs = passes_where([&](Arch arch) { return is_in(instruction, arch); });
    result.floor = {{instruction.number, '\0'}, ArchNeed::Kind::floor};
    if (instruction.has == Has::all) {
        return result;
    }
    for (std::size_t pass = 0; const auto arch = arch_of_pass(pass); ++pass) {
        if (arch->suffix == 'a' && has_pass(result.archs, pass)) {
            result.suffixes.push_back(arch->number < 100 ? ArchNeed{*arch, ArchNeed::Kind::exact_suffix}
                                                         : ArchNeed{{arch->number, 'f'}, ArchNeed::Kind::family});
        }
    }
    return result;
}

struct KnownInstruction {
    const Instruction* instruction;
    InstructionArchs archs;
};

// Those whose opcode begins with a byte, in the order of the table.
const std::vector<KnownInstruction>& instructions_at(char first) {
    static const auto by_first = [] {
        std::array<std::vector<KnownInstruction>, 256> all;
        for (const Instruction& one : kInstructions) {
            all[static_cast<unsigned char>(one.opcode.front())].push_back({&one, archs_of(one)});
        }
        return all;
    }();
    return by_first[static_cast<unsigned char>(first)];
}

const InstructionArchs* find_instruction(std::string_view words) {
    const std::vector<KnownInstruction>& known = instructions_at(words.front());
    const auto found = std::find_if(known.begin(), known.end(), [&](const KnownInstruction& one) {
        const auto& modifiers = one.instruction->modifiers;
        return begins(words, one.instruction->opcode) &&
               std::all_of(modifiers.begin(), modifiers.end(), [&](std::string_view modifier) {
                   return modifier.empty() || has_modifier(words, modifier);
               });
    });
    return found == known.end() ? nullptr : &found->archs;
}

// Calls `use` with the first word of each statement, behind a predicate or a label.
template <typename Use>
void for_each_instruction(std::string_view text, const Use& use) {
    bool starts = true;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '/' && text.substr(at).starts_with("//")) {
            const std::size_t end = std::min(text.find('\n', at), text.find("\\n", at));
            at = std::min(end, text.size());
        } else if (c == '/' && text.substr(at).starts_with("/*")) {
            const std::size_t end = text.find("*/", at + 2);
            at = end == std::string_view::npos ? text.size() : end + 2;
        } else if (c == '\\') {
            at += 2;
        } else if (c == ';' || c == '{' || c == '}') {
            starts = true;
            ++at;
        } else if (c == '@') {
            // A predicate: its register is no instruction.
            ++at;
            at += at < text.size() && text[at] == '!' ? 1 : 0;
            while (at < text.size() && is_word(text[at])) {
                ++at;
            }
        } else if (is_word(c)) {
            const std::size_t begin = at;
            while (at < text.size() && is_word(text[at])) {
                ++at;
            }
            const std::string_view word = text.substr(begin, at - begin);
            if (starts && !word.ends_with(':')) {
                use(word);
                starts = false;
            }
        } else {
            ++at;
        }
    }
}

}  // namespace

std::vector<PtxNeed> ptx_needs(std::string_view text) {
    std::vector<PtxNeed> needs;
    for_each_instruction(text, [&](std::string_view words) {
        if (const InstructionArchs* has_it = find_instruction(words)) {
            needs.push_back({words.substr(0, 100), has_it});
        }
    });
    return needs;
}

const PtxText& PtxTexts::keep(const std::string& text) {
    const auto [place, is_new] = texts_.try_emplace(text);
    if (is_new) {
        const std::string_view kept = place->first;
        const auto names = [&](std::string_view format) { return kept.find(format) != std::string_view::npos; };
        place->second = {kept, ptx_needs(kept), names(".e4m3") || names(".e5m2")};
    }
    return place->second;
}

}  // namespace wheelarch
