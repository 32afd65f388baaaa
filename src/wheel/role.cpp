#include "wheel/role.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace wheelarch {
namespace {

// Library names after `lib`, as the CUDA toolkit, its libraries' own packages and torch ship them. On Windows the same
// stems are followed by `64_12` and the like.
constexpr std::array kNvidiaStems = {
    "cublas",  "cublaslt",  "cudart", "cudadevrt", "cudnn",    "cufft",      "cufile",        "cuinj",
    "culibos", "cupti",     "curand", "cusolver",  "cusparse", "cutensor",   "nccl",          "npp",
    "nvblas",  "nvjitlink", "nvjpeg", "nvrtc",     "nvshmem",  "nvtoolsext", "nvptxcompiler", "nvfatbin",
};
constexpr std::array kTorchStems = {"torch_cuda", "torch_cpu",    "torch_python", "torch_global_deps", "torch.",
                                    "c10",        "caffe2_nvrtc", "shm.",         "shm_windows"};

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return result;
}

std::string_view last_part(std::string_view path) {
    return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

template <std::size_t N>
bool has_stem(std::string_view file_name, const std::array<const char*, N>& stems) {
    std::string stem = lower(file_name);
    if (stem.starts_with("lib")) {
        stem.erase(0, 3);
    }
    return std::any_of(stems.begin(), stems.end(), [&](const char* known) { return stem.starts_with(known); });
}

bool is_library(std::string_view file_name) {
    const std::string name = lower(file_name);
    return name.ends_with(".so") || name.find(".so.") != std::string::npos || name.ends_with(".dll") ||
           name.ends_with(".a") || name.ends_with(".lib");
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
    const std::string_view file_name = last_part(path);
    const std::string owner = lower(distribution);
    if (!is_library(file_name)) {
        return false;
    }
    return (has_stem(file_name, kNvidiaStems) && !owner.starts_with("nvidia")) ||
           (has_stem(file_name, kTorchStems) && owner != "torch");
}

bool is_repaired_in(std::string_view path) {
    return path.substr(0, path.size() - last_part(path).size()).find(".libs/") != std::string_view::npos;
}

}  // namespace wheelarch
