#!/usr/bin/env bash
# A body behind the macro of 9.0a is a stub for 9.0: lint says so, and nvcc does it. 12.0a does not stand for it.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/lint_lib.sh"
mkdir -p src/example_attn
cat >src/example_attn/hopper.cu <<'CUDA'
__global__ void scale(float* out) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    out[threadIdx.x] *= 2.0f;
#endif
}
CUDA
lint_farm "12.8=9.0;12.0a"
expect_exit 1 lint --farm farm --sources src
expect_line out "error[feature-macro] example_attn: 9.0a is not declared for CUDA 12.8 (9.0;12.0a): a device of 9.0 loads sm_90, where it is a stub"
expect_line out '    hopper.cu:2:1  code behind "__CUDA_ARCH_FEAT_SM90_ALL"'
expect_line out "1 package: 1 error, 0 warnings, 0 notices; 0 let pass"
lint_farm "12.8=9.0a;12.0a"
expect_exit 0 lint --farm farm --sources src
expect_line out "1 package: 0 errors, 0 warnings, 0 notices; 0 let pass"

need_nvcc
cubins src/example_attn/hopper.cu 90 90a 120a
is_stub 90 && is_stub 120a || fail "there is code without the macro"
! is_stub 90a || fail "no code for 9.0a"
