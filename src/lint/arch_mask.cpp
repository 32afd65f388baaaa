#include "lint/arch_mask.hpp"

#include "policy/cuda_archs.hpp"

namespace wheelarch {

std::size_t pass_count() {
    return archs_of_passes().size() + 1;
}

ArchMask every_pass() {
    return (ArchMask{1} << pass_count()) - 1;
}

const std::vector<Arch>& archs_of_passes() {
    static const std::vector<Arch>& archs = known_archs();
    return archs;
}

std::optional<Arch> arch_of_pass(std::size_t pass) {
    const std::vector<Arch>& archs = archs_of_passes();
    return pass < archs.size() ? std::optional(archs[pass]) : std::nullopt;
}

ArchMask devices(ArchMask passes) {
    return passes & (every_pass() >> 1U);
}

}  // namespace wheelarch
