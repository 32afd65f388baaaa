#!/usr/bin/env bash
# What of a program built with -rdc=true does the driver load? Not in CI: needs a GPU of compute capability 9.0 and nvcc.
# The relocatable fatbin (__nv_relfatbin) is the one that lacks or has what the device needs; the linked one never has it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >a.cu <<'CUDA'
#include <cstdio>
__device__ int answer(int x);
__global__ void kernel(int* out) { *out = answer(41); }
int main() {
  int *out, result = 0;
  cudaMalloc(&out, sizeof *out);
  kernel<<<1, 1>>>(out);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("%s %d\n", cudaGetErrorString(error), result);
}
CUDA
echo '__device__ int answer(int x) { return x + 1; }' >b.cu

try() {  # try TITLE COMPILE-FLAGS -- LINK-FLAGS
  local title=$1 compile=()
  shift
  while [ "$1" != -- ]; do compile+=("$1"); shift; done
  shift
  nvcc -rdc=true "${compile[@]}" -c a.cu b.cu
  nvcc "$@" a.o b.o -o program
  printf '%-58s %s\n' "$title" "$(./program)"
}
try "relocatable SASS 80 + PTX 80, linked 80" -gencode=arch=compute_80,code='[sm_80,compute_80]' -- -gencode=arch=compute_80,code='[sm_80,compute_80]'
try "relocatable SASS 80 + PTX 80, linked 80 (no PTX at link)" -gencode=arch=compute_80,code='[sm_80,compute_80]' -- -arch=sm_80
try "relocatable SASS 80 90, linked 80 only" -gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 -- -arch=sm_80
try "relocatable SASS 80, linked 80" -gencode=arch=compute_80,code=sm_80 -- -arch=sm_80
try "relocatable SASS 80 90, linked 80 90" -gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 -- -gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90
