#include "policy/package_parts.hpp"

namespace wheelarch {

const std::vector<std::string>& package_keys() {
    static const std::vector<std::string> keys = {
        "arch_list",
        "arch_list_aarch64",
        "arch_list_by_cuda",
        "arch_list_by_cuda_aarch64",
        "build_epoch",
        "build_matrix",
        "bumps",
        "count_embedded",
        "device_code",
        "expect_archs",
        "expect_archs_aarch64",
        "expect_archs_by_cuda",
        "expect_archs_by_cuda_aarch64",
        "expect_hollow",
        "expect_members",
        "jit",
        "links_torch",
        "lint_ignore",
        "min_pytorch",
        "sequential_checkpoint",
        "sharding",
        "sharding_platforms",
        "wheel_python",
    };
    return keys;
}

const std::vector<std::string>& build_matrix_keys() {
    static const std::vector<std::string> keys = {"combinations", "cuda_versions", "platforms", "python_versions",
                                                  "pytorch_versions"};
    return keys;
}

const std::vector<std::string>& combination_keys() {
    static const std::vector<std::string> keys = {"arch_list", "cuda", "python_versions", "pytorch", "source_tag"};
    return keys;
}

const std::vector<std::string>& policy_keys() {
    static const std::vector<std::string> keys = {
        "arch_exceptions", "arch_policy", "arch_policy_aarch64", "build_epoch", "bumps", "combinations",
        "defaults",        "ledger",      "platforms",           "ptx_tail"};
    return keys;
}

}  // namespace wheelarch
