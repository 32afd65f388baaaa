#!/usr/bin/env bash
# What does a device do with code that is gated on its arch, by what the program was built for? This is what the severities
# of `wheelarch lint` stand on. Not in CI: needs a GPU of compute capability 9.0 and nvcc.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

program() {  # program CONDITION [ELSE-BODY]
  cat <<CUDA
#include <cstdio>
__global__ void kernel(int* out) {
#if $1
  *out = 42;
${2:+#else
  $2}
#endif
}
int main() {
  int *out, result = 7;
  cudaMalloc(&out, sizeof *out);
  cudaMemcpy(out, &result, sizeof result, cudaMemcpyHostToDevice);
  kernel<<<1, 1>>>(out);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("%s, %s\n", cudaGetErrorString(error), result == 42 ? "gated code ran" : result == 7 ? "nothing ran" : "other code ran");
}
CUDA
}

try() {  # try TITLE CONDITION ELSE-BODY FLAGS...
  local title=$1
  program "$2" "$3" >program.cu
  shift 3
  nvcc "$@" program.cu -o program
  printf '%-66s %s\n' "$title" "$(./program)"
}
sass() { printf -- '-gencode=arch=compute_%s,code=sm_%s ' "$1" "$1"; }
ptx() { printf -- '-gencode=arch=compute_%s,code=compute_%s ' "$1" "$1"; }
gate='__CUDA_ARCH__ >= 900'
feature='defined(__CUDA_ARCH_FEAT_SM90_ALL)'
# shellcheck disable=SC2046 # the flags are words
{
  try "gate >= 900, list 8.0" "$gate" "" $(sass 80)
  try "gate >= 900, list 8.0+PTX" "$gate" "" $(sass 80) $(ptx 80)
  try "gate >= 900, list 8.0+PTX, other code below" "$gate" "*out = 1;" $(sass 80) $(ptx 80)
  try "gate >= 900, list 9.0" "$gate" "" $(sass 90)
  try "gate >= 900, list 9.0a" "$gate" "" $(sass 90a)
  try "__CUDA_ARCH_FEAT_SM90_ALL, list 9.0" "$feature" "" $(sass 90)
  try "__CUDA_ARCH_FEAT_SM90_ALL, list 9.0+PTX" "$feature" "" $(sass 90) $(ptx 90)
  try "__CUDA_ARCH_FEAT_SM90_ALL, list 9.0;9.0a" "$feature" "" $(sass 90) $(sass 90a)
  try "__CUDA_ARCH_FEAT_SM90_ALL, list 9.0a;9.0 (other order)" "$feature" "" $(sass 90a) $(sass 90)
  try "__CUDA_ARCH_FEAT_SM90_ALL, list 9.0a" "$feature" "" $(sass 90a)
  try "gate >= 890, list 9.0" "__CUDA_ARCH__ >= 890" "" $(sass 90)
  try "gate >= 890, list 8.0;8.9+PTX" "__CUDA_ARCH__ >= 890" "" $(sass 80) $(sass 89) $(ptx 89)
}
