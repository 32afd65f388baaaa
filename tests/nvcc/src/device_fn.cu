// The callee of the separable-compilation fixture.
__device__ float twice(float v) { return v + v; }
