// Translation unit A: one ordinary kernel.
#include <cuda_runtime.h>

__global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }

extern "C" int fixture_scale(float* x) {
  scale<<<1, 32>>>(x, 2.0f);
  return static_cast<int>(cudaGetLastError());
}
