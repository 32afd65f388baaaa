#include "witness/toolkit.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <system_error>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/process.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

// Sub-folders of `parent` that begin with `prefix`, the last in order first: cu13 before cu12.
std::vector<fs::path> folders(const fs::path& parent, std::string_view prefix) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
        if (entry.path().filename().string().starts_with(prefix)) {
            found.push_back(entry.path());
        }
    }
    std::sort(found.rbegin(), found.rend());
    return found;
}

#ifdef _WIN32
std::vector<fs::path> package_folders(const fs::path& prefix) {
    return {prefix / "Lib" / "site-packages"};
}

// python.exe lies in it, or, in a virtual environment, in its folder `Scripts`.
std::vector<fs::path> python_prefixes() {
    const fs::path python = find_on_path("python");
    return python.empty() ? std::vector<fs::path>()
                          : std::vector{python.parent_path(), python.parent_path().parent_path()};
}
#else
std::vector<fs::path> package_folders(const fs::path& prefix) {
    std::vector<fs::path> found = folders(prefix / "lib", "python3");
    std::transform(found.begin(), found.end(), found.begin(),
                   [](const fs::path& python) { return python / "site-packages"; });
    return found;
}

std::vector<fs::path> python_prefixes() {
    const fs::path python = find_on_path("python3");
    return python.empty() ? std::vector<fs::path>() : std::vector{python.parent_path().parent_path()};
}
#endif

void add_python_environment(std::vector<fs::path>& candidates, const fs::path& prefix) {
    for (const fs::path& packages : package_folders(prefix)) {
        for (const fs::path& toolkit : folders(packages / "nvidia", "cu")) {
            candidates.push_back(toolkit / "bin");
        }
        candidates.push_back(packages / "triton/backends/nvidia/bin");
    }
}

}  // namespace

std::vector<fs::path> toolkit_folders(const std::string& program) {
    std::vector<fs::path> candidates;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        // A relative one would lead into the working folder.
        if (const fs::path value = environment(variable); value.is_absolute()) {
            candidates.push_back(value / "bin");
        }
    }
    if (const fs::path on_path = find_on_path(program); !on_path.empty()) {
        candidates.push_back(on_path.parent_path());
    }
    for (const fs::path& toolkit : folders("/usr/local", "cuda")) {
        candidates.push_back(toolkit / "bin");
    }
    for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        if (const fs::path value = environment(variable); value.is_absolute()) {
            add_python_environment(candidates, value);
        }
    }
    for (const fs::path& prefix : python_prefixes()) {
        add_python_environment(candidates, prefix);
    }
    return candidates;
}

std::string nvcc_release() {
    for (const fs::path& folder : toolkit_folders("nvcc")) {
        const fs::path program = folder / program_file("nvcc");
        std::error_code ignored;
        if (!fs::is_regular_file(program, ignored)) {
            continue;
        }
        try {
            const ProcessResult result = run_program(program, {"--version"}, {std::chrono::seconds(60), 1 << 16});
            constexpr std::string_view kMark = ", V";  // "Cuda compilation tools, release 13.0, V13.0.88"
            const std::size_t at = result.output.find(kMark);
            const std::size_t end = result.output.find_first_not_of("0123456789.", at + kMark.size());
            if (result.exit_code == 0 && at != std::string::npos) {
                return result.output.substr(at + kMark.size(), end - at - kMark.size());
            }
        } catch (const Error&) {
            continue;  // one that does not start compiled nothing
        }
    }
    return {};
}

}  // namespace wheelarch
