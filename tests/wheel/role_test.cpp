#include "wheel/role.hpp"

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

TEST_CASE("roles have names") {
    CHECK(name(Role::extension) == "extension");
    CHECK(name(Role::vendored) == "vendored");
    CHECK(name(Role::host) == "host");
}

TEST_CASE("a pattern without a slash is matched against the file's name") {
    CHECK(matches("*.so", "pkg/_C.so"));
    CHECK(matches("_C.so", "pkg/deep/_C.so"));
    CHECK(matches("_?.so", "pkg/_C.so"));
    CHECK_FALSE(matches("_C", "pkg/_C.so"));
    CHECK_FALSE(matches("pkg*", "pkg/_C.so"));
    CHECK(matches("**", "pkg/_C.so"));
    CHECK(matches("*", "pkg/_C.so"));
}

TEST_CASE("a pattern with a slash is matched against the whole path") {
    CHECK(matches("pkg/*.so", "pkg/_C.so"));
    CHECK_FALSE(matches("pkg/*.so", "pkg/deep/_C.so"));
    CHECK_FALSE(matches("pkg/*", "pkg/deep/_C.so"));
    CHECK_FALSE(matches("pkg?_C.so/", "pkg/_C.so"));
    CHECK_FALSE(matches("*/_C.so", "pkg/deep/_C.so"));
    CHECK(matches("pkg/?C.so", "pkg/_C.so"));
    CHECK_FALSE(matches("a/b?c", "a/b/c"));
}

TEST_CASE("two stars cross folders") {
    CHECK(matches("pkg/**", "pkg/deep/_C.so"));
    CHECK(matches("**/_C.so", "pkg/deep/_C.so"));
    CHECK(matches("**/*.so", "pkg/deep/er/_C.so"));
    CHECK(matches("pkg/**/x/*.so", "pkg/a/x/b/x/_C.so"));
    CHECK(matches("**.libs/*", "pkg.libs/libfoo.so"));
    CHECK_FALSE(matches("**/sm90/*", "pkg/sm80/common.so"));
    CHECK_FALSE(matches("pkg/**/*.so", "pkg/deep/_C.pyd"));
}

TEST_CASE("two stars and a slash stand for any number of folders, none too") {
    CHECK(matches("**/_C.so", "_C.so"));
    CHECK(matches("pkg/**/*.so", "pkg/_C.so"));
    CHECK(matches("pkg/**/*.so", "pkg/a/b/_C.so"));
    CHECK(matches("**/sm90/**/*.so", "pkg/sm90/_C.so"));
    CHECK(matches("**/sm90/**/*.so", "pkg/sm80/sm90/a/_C.so"));
    CHECK_FALSE(matches("**/_C.so", "pkg/my_C.so"));
    CHECK_FALSE(matches("**/C.so", "pkg/_C.so"));
    CHECK_FALSE(matches("pkg/**/*.so", "pkgs/_C.so"));
    CHECK_FALSE(matches("**/sm90/**/*.so", "pkg/xsm90/_C.so"));
    CHECK(matches("pkg/x**/*.so", "pkg/xy/z/_C.so"));  // not a folder of its own: any characters
}

TEST_CASE("stars backtrack") {
    CHECK(matches("*a*b*c", "xaxbxc"));
    CHECK(matches("*ab", "aab"));
    CHECK(matches("*.cpython-3*.so", "_C.cpython-312-x86_64-linux-gnu.so"));
    CHECK_FALSE(matches("*a*b*c", "xaxbx"));
    CHECK(matches("**a/*b", "xa/ya/zb"));
    // Not exponential in the number of stars.
    CHECK_FALSE(matches("a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", std::string(2000, 'a')));
    CHECK_FALSE(matches("/**a**a**a**a**a**a**a**a**a**a**b", "/" + std::string(2000, 'a')));
}

TEST_CASE("any of several patterns") {
    CHECK(matches_any({"*.pyd", "*.so"}, "pkg/_C.so"));
    CHECK_FALSE(matches_any({"*.pyd", "*.dll"}, "pkg/_C.so"));
    CHECK_FALSE(matches_any({}, "pkg/_C.so"));
    CHECK_FALSE(matches("", "pkg/_C.so"));
}

TEST_CASE("runtimes of CUDA and torch, as they are called in wheels") {
    for (const char* path : {
             "pkg.libs/libcudart-a7b20f20.so.12.1.105",
             "pkg/libcublas.so.12",
             "pkg/libcublasLt.so.12",
             "pkg/lib/libnccl.so.2",
             "pkg/libcudnn_engines_precompiled.so.9",
             "pkg/libnvrtc-builtins.so.13.0",
             "pkg/libnvJitLink.so.13",
             "pkg/libcufft.so.11",
             "pkg/libcusparse.so.12",
             "pkg/libcusolverMg.so.11",
             "pkg/libcurand.so.10",
             "pkg/libnppig.so.12",
             "pkg/libcudadevrt.a",
             "pkg.libs/libcudart-9335f6a2.so.12.0.107",
             "pkg/cupti64_2025.1.0.dll",
             "pkg/cublas64_12.dll",
             "pkg/cublasLt64_12.dll",
             "pkg/cudart64_12.dll",
             "pkg/nvrtc64_120_0.dll",
             "pkg/cudart.lib",
             "torch/lib/libtorch_cuda.so",
             "pkg/libtorch_cuda_linalg.so",
             "pkg/libtorch.so",
             "pkg/libtorch_cpu.so",
             "pkg/libc10_cuda.so",
             "pkg/libc10.so",
             "pkg/torch_cuda.dll",
             "pkg/c10_cuda.dll",
             "pkg/libtorch_python.so",
             "pkg/libcaffe2_nvrtc.so",
             "pkg/libnvinfer.so.10",
             "pkg/libnvinfer_builder_resource_sm80.so.10.8.0",
             "pkg/nvinfer_10.dll",
             "pkg/libnvonnxparser.so.10",
             "pkg/libcublasmp.so.0",
         }) {
        CAPTURE(path);
        CHECK(is_runtime(path, "flash_attn"));
        CHECK(is_runtime(path, ""));
    }
}

TEST_CASE("what only sounds like a runtime") {
    for (const char* path : {
             "pkg/_C.cpython-312-x86_64-linux-gnu.so",
             "pkg/libggml-cuda.so",
             "pkg/libbitsandbytes_cuda130.so",
             "pkg/torchvision/_C.so",
             "pkg/libtorchvision.so",
             "pkg/libtorchaudio.so",
             "pkg/flash_attn_2_cuda.so",
             "pkg/libcublas.txt",
             "pkg/libcudart.py",
             "libcublas/_C.so",
             "nccl/_C.so",
             "pkg/mynccl.so",
             "pkg/libnccl_ops.so",
             "pkg/libcufft_kernels.so.1",
             "pkg/nccl_ops.dll",
             "pkg/nccl_ops.cpython-312-x86_64-linux-gnu.so",
             "pkg/cudnn.abi3.so",
             "pkg/npp_filters.so",
             "pkg/nccl.cp312-win_amd64.pyd",
         }) {
        CAPTURE(path);
        CHECK_FALSE(is_runtime(path, "pkg"));
    }
}

TEST_CASE("a runtime is no runtime in the package that publishes it") {
    CHECK_FALSE(is_runtime("nvidia/cublas/lib/libcublas.so.12", "nvidia_cublas_cu12"));
    CHECK_FALSE(is_runtime("nvidia/nccl/lib/libnccl.so.2", "NVIDIA_nccl_cu13"));
    CHECK_FALSE(is_runtime("torch/lib/libtorch_cuda.so", "torch"));
    CHECK(is_runtime("torch/lib/libcudart.so.12", "torch"));
    CHECK(is_runtime("torch/lib/libtorch_cuda.so", "torchvision"));
}

TEST_CASE("folders of repaired wheels") {
    CHECK(is_repaired_in("pkg.libs/libfoo-1234.so"));
    CHECK(is_repaired_in("sub/pkg.libs/libfoo-1234.so"));
    CHECK_FALSE(is_repaired_in("pkg/libs/libfoo.so"));
    CHECK_FALSE(is_repaired_in("pkg/foo.libs"));
    CHECK_FALSE(is_repaired_in("libfoo.so"));
}

}  // namespace
}  // namespace wheelarch
