// An fp8-style kernel: the body exists from 8.9 on, below that the kernel is an empty stub.
#include <cuda_runtime.h>

__global__ void quantize(const float* in, unsigned char* out, float scale) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  float sum = 0.0f;
  for (int k = 0; k < 64; ++k) sum += __sinf(in[i + k] * scale);
  for (int k = 0; k < 8; ++k) out[i + k] = static_cast<unsigned char>(sum * static_cast<float>(k));
#endif
}

extern "C" int fixture_quantize(const float* in, unsigned char* out) {
  quantize<<<1, 32>>>(in, out, 0.5f);
  return static_cast<int>(cudaGetLastError());
}
