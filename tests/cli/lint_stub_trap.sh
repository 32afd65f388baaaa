#!/usr/bin/env bash
# The stub trap, from end to end: an FP8 body behind 8.9, a list that has 8.6 and not 8.9. Lint names the place, the arch
# and both ways out; and what nvcc makes of the source is what lint says of it.
. "$(dirname "$0")/lib.sh"
. "$root/tests/cli/lint_lib.sh"
mkdir -p src/example_attn/csrc
cat >src/example_attn/csrc/fp8.cu <<'CUDA'
// Tensor cores multiply FP8 from 8.9 on.
__global__ void product(const unsigned* a, const unsigned* b, float* out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    float c[4] = {};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    out[threadIdx.x] = c[0] + c[1] + c[2] + c[3];
#endif
}
CUDA
lint_farm "12.8=8.0 8.6 9.0+PTX"
expect_exit 1 lint --farm farm --sources src
expect_output <<'TEXT'
example_attn  1 file from src/example_attn
error[arch-gate] example_attn: 8.9 is not declared for CUDA 12.8 (8.0 8.6 9.0+PTX): a device of 8.9 loads sm_86, where it is a stub
    csrc/fp8.cu:3:1  code behind "defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890"
    fix: declare 8.9 in arch_policy['12.8'] in farm/packages/_defaults.yml:5
    or: lint_ignore: [{rule: arch-gate, path: "csrc/fp8.cu", reason: "…"}] in the package's YAML lets it pass
1 package: 1 error, 0 warnings, 0 notices; 0 let pass
TEXT

# Declared: one way out.
lint_farm "12.8=8.0 8.6 8.9 9.0+PTX"
expect_exit 0 lint --farm farm --sources src
expect_output <<'TEXT'
example_attn  1 file from src/example_attn
1 package: 0 errors, 0 warnings, 0 notices; 0 let pass
TEXT

# The list of aarch64 is one of its own; there it is let pass, with a reason, and nothing is said any more.
lint_farm "12.8=8.0 8.6 8.9 9.0+PTX" "aarch64:12.8=8.0 9.0 12.0+PTX"
expect_exit 1 lint --farm farm --sources src --json lint.json
check_json lint.json '[f["rows"] for f in d["packages"][0]["findings"]] == [["CUDA 12.8 on linux_aarch64"]]' \
  'd["packages"][0]["findings"][0]["needs"] == ["8.9"] and d["errors"] == 1'
cat >>farm/packages/example_attn.yml <<'YAML'
lint_ignore:
  - rule: arch-gate
    path: "csrc/*.cu"
    reason: the wheels for ARM are for data centres of 8.0 and 9.0
YAML
expect_exit 0 lint --farm farm --sources src
expect_line out "  let pass: arch-gate csrc/fp8.cu:3:1: the wheels for ARM are for data centres of 8.0 and 9.0"

# What really happens: a device of 8.9 loads the code of 8.6 from a wheel without 8.9, and there is none in it.
need_nvcc
cubins src/example_attn/csrc/fp8.cu 80 86 89 90
is_stub 80 && is_stub 86 || fail "there is code below 8.9"
! is_stub 89 && ! is_stub 90 || fail "no code from 8.9 on"
