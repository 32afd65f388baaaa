// The caller: needs a device link (-rdc=true) to reach device_fn.cu.
#include <cuda_runtime.h>

extern __device__ float twice(float v);

__global__ void double_all(float* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }

extern "C" int fixture_double(float* x) {
  double_all<<<1, 32>>>(x);
  return static_cast<int>(cudaGetLastError());
}
