// Translation unit B: another ordinary kernel, so that one library holds two regions.
#include <cuda_runtime.h>

__global__ void add(float* x, const float* y) { x[threadIdx.x] += y[threadIdx.x]; }

extern "C" int fixture_add(float* x, const float* y) {
  add<<<1, 32>>>(x, y);
  return static_cast<int>(cudaGetLastError());
}
