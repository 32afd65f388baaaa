#include "lint/arch_mask.hpp"

#include "policy/cuda_archs.hpp"

namespace wheelarch {

std::size_t pass_count() {
    static const std::size_t count = known_archs().size() + 1;
    return count;
}

ArchMask every_pass() {
    return (ArchMask{1} << pass_count()) - 1;
}

std::optional<Arch> arch_of_pass(std::size_t pass) {
    static const std::vector<Arch>& archs = known_archs();
    return pass < archs.size() ? std::optional(archs[pass]) : std::nullopt;
}

ArchMask devices(ArchMask passes) {
    return passes & (every_pass() >> 1U);
}

}  // namespace wheelarch
