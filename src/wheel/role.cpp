#include "wheel/role.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace wheelarch {
namespace {

// What NVIDIA's and torch's own packages ship, by the part of the name that stays: `libcudart-9335f6a2.so.12`,
// `cudart64_12.dll` and `libcudart_static.a` are all cudart. Whole names, not beginnings: `libnccl_ops.so` is
// somebody's own.
constexpr std::array kNvidiaLibraries = {
    "accinj",
    "cublas",
    "cublaslt",
    "cublasmp",
    "cudadevrt",
    "cudart",
    "cudensitymat",
    "cudla",
    "cudnn",
    "cudnn_adv",
    "cudnn_adv_infer",
    "cudnn_adv_train",
    "cudnn_cnn",
    "cudnn_cnn_infer",
    "cudnn_cnn_train",
    "cudnn_engines_precompiled",
    "cudnn_engines_runtime_compiled",
    "cudnn_engines_tensor_ir",
    "cudnn_ext",
    "cudnn_graph",
    "cudnn_heuristic",
    "cudnn_ops",
    "cudnn_ops_infer",
    "cudnn_ops_train",
    "cudss",
    "cufft",
    "cufftmp",
    "cufftw",
    "cufile",
    "cufile_rdma",
    "cuinj",
    "culibos",
    "cupauliprop",
    "cupti",
    "curand",
    "cusolver",
    "cusolvermg",
    "cusolvermp",
    "cusparse",
    "cusparselt",
    "custabilizer",
    "custatevec",
    "cutensor",
    "cutensormg",
    "cutensornet",
    "nccl",
    "nccl_net",
    "nppc",
    "nppial",
    "nppicc",
    "nppicom",
    "nppidei",
    "nppif",
    "nppig",
    "nppim",
    "nppist",
    "nppisu",
    "nppitc",
    "npps",
    "nvblas",
    "nvcomp",
    "nvcomp_device",
    "nvfatbin",
    "nvimgcodec",
    "nvinfer",
    "nvinfer_builder_resource",
    "nvinfer_dispatch",
    "nvinfer_lean",
    "nvinfer_plugin",
    "nvinfer_safe",
    "nvinfer_vc_plugin",
    "nvjitlink",
    "nvjpeg",
    "nvjpeg2k",
    "nvonnxparser",
    "nvparsers",
    "nvperf_host",
    "nvperf_target",
    "nvptxcompiler",
    "nvrtc",
    "nvshmem",
    "nvshmem_device",
    "nvshmem_host",
    "nvtiff",
    "nvtoolsext",
    "nvtx",
    "nvvm",
    "pcsamplingutil",
};
constexpr std::array kTorchLibraries = {
    "c10",        "c10_cuda",          "caffe2_nvrtc",      "shm",           "torch",        "torch_cpu",
    "torch_cuda", "torch_cuda_linalg", "torch_global_deps", "torch_nvshmem", "torch_python",
};

std::string_view last_part(std::string_view path) {
    return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

void take_end(std::string& text, std::string_view end) {
    if (text.ends_with(end)) {
        text.erase(text.size() - end.size());
    }
}

// `cudart` of the names above; empty if it is no library. On Linux a library's name begins with `lib`, which those of
// extension modules (`nccl.cpython-312-x86_64-linux-gnu.so`) do not.
std::string library_stem(std::string_view file_name) {
    std::string stem = lower_case(file_name);
    const bool linux_library =
        stem.starts_with("lib") &&
        (stem.ends_with(".so") || stem.find(".so.") != std::string::npos || stem.ends_with(".a"));
    if (!linux_library && !stem.ends_with(".dll") && !stem.ends_with(".lib")) {
        return {};
    }
    stem.erase(0, linux_library ? 3 : 0);
    stem.resize(std::min(stem.size(), stem.find_first_of(".-")));
    // The release in Windows names: nvJitLink_120_0.dll, cublas64_12.dll.
    for (std::size_t at = stem.rfind('_'); at != std::string::npos; at = stem.rfind('_')) {
        if (stem.find_first_not_of("0123456789", at + 1) != std::string::npos) {
            break;
        }
        stem.resize(at);
    }
    take_end(stem, "64");
    take_end(stem, "_static");
    // TensorRT has one such library for each arch: libnvinfer_builder_resource_sm80.so.10.8.0.
    constexpr std::string_view kPerArch = "nvinfer_builder_resource";
    return stem.starts_with(kPerArch) ? std::string(kPerArch) : stem;
}

template <std::size_t N>
bool is_one_of(const std::string& stem, const std::array<const char*, N>& names) {
    return std::find(names.begin(), names.end(), stem) != names.end();
}

bool glob(std::string_view pattern, std::string_view text) {
    // Backtracks to the latest star only, except that `**` keeps its place when a later `*` cannot cross a slash.
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos, star_text = 0;
    std::size_t deep = std::string_view::npos, deep_text = 0;
    bool whole_folders = false;  // it was `**/`, which stands for any number of folders, none too
    while (t < text.size()) {
        if (pattern.substr(p).starts_with("**")) {
            whole_folders = (p == 0 || pattern[p - 1] == '/') && pattern.substr(p + 2).starts_with('/');
            p += whole_folders ? 3 : 2;
            deep = p, deep_text = t;
            star = std::string_view::npos;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = ++p, star_text = t;
        } else if (p < pattern.size() && (pattern[p] == text[t] || (pattern[p] == '?' && text[t] != '/'))) {
            ++p, ++t;
        } else if (star != std::string_view::npos && text[star_text] != '/') {
            p = star, t = ++star_text;
        } else if (deep != std::string_view::npos) {
            deep_text = whole_folders ? text.find('/', deep_text) : deep_text;
            if (deep_text == std::string_view::npos) {
                return false;
            }
            p = deep, t = ++deep_text;
            star = std::string_view::npos;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

std::string_view name(Role role) {
    switch (role) {
        case Role::extension: return "extension";
        case Role::vendored: return "vendored";
        case Role::host: return "host";
    }
    return "host";
}

bool matches(std::string_view pattern, std::string_view path) {
    return glob(pattern, pattern.find('/') == std::string_view::npos ? last_part(path) : path);
}

bool matches_any(const std::vector<std::string>& patterns, std::string_view path) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return matches(pattern, path); });
}

bool is_runtime(std::string_view path, std::string_view distribution) {
    const std::string stem = library_stem(last_part(path));
    const std::string owner = lower_case(distribution);
    return (is_one_of(stem, kNvidiaLibraries) && !owner.starts_with("nvidia")) ||
           (is_one_of(stem, kTorchLibraries) && owner != "torch");
}

bool is_repaired_in(std::string_view path) {
    return path.substr(0, path.size() - last_part(path).size()).find(".libs/") != std::string_view::npos;
}

}  // namespace wheelarch
