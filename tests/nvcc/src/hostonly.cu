// A .cu without device code: nvcc still writes a kernel-less cubin and an empty PTX for each arch.
extern "C" int fixture_host(int x) { return x + 1; }
