#include "lint/loaded.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "policy/coverage.hpp"

namespace wheelarch {
namespace {

// Does code for `arch` run on a device of `number`, as far as suffixes go? `f` is for the family: later minors too.
bool runs_on(Arch arch, std::uint32_t number) {
    if (arch.suffix == 'a') {
        return arch.number == number;
    }
    return arch.number <= number && (arch.suffix == '\0' || arch.major() == number / 10);
}

// How much an arch says: `a` more than `f`, and both more than none.
int rank(Arch arch) {
    return arch.suffix == 'a' ? 2 : arch.suffix != '\0' ? 1 : 0;
}

// The best of `archs` for the device: the highest number, and of one number the one that says most. A list may name
// both 9.0 and 9.0a, each for a part of the files.
std::optional<Arch> best(const std::set<Arch>& archs, std::uint32_t number, bool same_major) {
    std::optional<Arch> found;
    for (const Arch arch : archs) {
        if (runs_on(arch, number) && (!same_major || arch.major() == number / 10) &&
            (!found || std::pair(arch.number, rank(arch)) > std::pair(found->number, rank(*found)))) {
            found = arch;
        }
    }
    return found;
}

bool fits(Arch arch, const ArchNeed& need) {
    switch (need.kind) {
        case ArchNeed::Kind::at_least:
            return arch.number >= need.at.number ||
                   (passes_where([&](Arch known) { return known == arch; }) & need.enough) != kNoPass;
        case ArchNeed::Kind::floor:
        case ArchNeed::Kind::not_plain:
        case ArchNeed::Kind::not_in: return arch.number >= need.at.number;
        case ArchNeed::Kind::exact_suffix: return arch.suffix == 'a' && arch.number == need.at.number;
        case ArchNeed::Kind::family: return arch.suffix != '\0';
    }
    return false;
}

}  // namespace

Loaded load_for(const ArchSet& declared, const ArchNeed& need) {
    const std::uint32_t device = need.at.number;
    if (const auto sass = best(declared.sass, device, true)) {
        return {fits(*sass, need) ? Loaded::How::fits : Loaded::How::lower_sass, *sass};
    }
    if (const auto ptx = best(declared.ptx, device, false)) {
        return {fits(*ptx, need) ? Loaded::How::fits : Loaded::How::lower_ptx, *ptx};
    }
    const auto later = declared.sass.lower_bound({device, '\0'});
    const bool serves_lower = need.kind == ArchNeed::Kind::at_least && later != declared.sass.begin();
    const bool serves_later = later != declared.sass.end() && later->major() == device / 10;
    return serves_lower && serves_later ? Loaded{Loaded::How::left_out, *later} : Loaded{};
}

bool has_cards(std::uint32_t number) {
    const std::vector<Gpu>& gpus = known_gpus();
    return std::any_of(gpus.begin(), gpus.end(),
                       [&](const Gpu& gpu) { return !gpu.embedded && gpu.capability.number == number; });
}

std::optional<std::string> plain_in(const ArchSet& declared, std::uint32_t number) {
    const Arch plain{number, '\0'};
    if (declared.sass.contains(plain)) {
        return torch_name(plain);
    }
    return declared.ptx.contains(plain) ? std::optional(torch_name(plain) + " as PTX") : std::nullopt;
}

std::optional<std::string> lowest_in(const ArchSet& declared, ArchMask passes) {
    for (std::size_t pass = 0; const auto arch = arch_of_pass(pass); ++pass) {
        if (!has_pass(passes, pass)) {
            continue;
        }
        if (declared.sass.contains(*arch)) {
            return torch_name(*arch);
        }
        if (declared.ptx.contains(*arch)) {
            return torch_name(*arch) + " as PTX";
        }
    }
    return std::nullopt;
}

std::optional<std::string> lowest_below(const ArchSet& declared, std::uint32_t number) {
    const auto below = [&](const std::set<Arch>& archs) {
        return !archs.empty() && archs.begin()->number < number ? std::optional(*archs.begin()) : std::nullopt;
    };
    const auto sass = below(declared.sass);
    const auto ptx = below(declared.ptx);
    if (sass && (!ptx || *sass <= *ptx)) {
        return torch_name(*sass);
    }
    return ptx ? std::optional(torch_name(*ptx) + " as PTX") : std::nullopt;
}

}  // namespace wheelarch
