#include "lint/device_code.hpp"

#include <map>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

// `arch-gate a.cu:2` of each hit, in a package of these files.
std::string hits_of(const std::map<std::string, std::string>& files) {
    const TemporaryFolder folder;
    for (const auto& [path, text] : files) {
        folder.write(path, text);
    }
    std::string all;
    for (const LintHit& hit : hits_in_device_code(PackageSources(folder.path(), false))) {
        all += fmt::format("{}{} {}:{}", all.empty() ? "" : ", ", hit.rule->id, hit.path, hit.line);
    }
    return all;
}

const std::string kGate = "#if __CUDA_ARCH__ >= 890\n    p[0] = 1;\n#endif\n";
const std::string kKernel = "__global__ void k(float* p) {\n" + kGate + "}\n";
const std::string kHelper = "__device__ void step(float* p) {\n" + kGate + "}\n";

}  // namespace

TEST_CASE("device code: headers that include each other") {
    CHECK(hits_of({{"a.cuh", "#pragma once\n#include \"b.cuh\"\n" + kKernel}, {"b.cuh", "#include \"a.cuh\"\n"}}) ==
          "arch-gate a.cuh:4");
    CHECK(hits_of({{"k.cu", kKernel + "#ifndef AGAIN\n#define AGAIN\n#include \"k.cu\"\n#endif\n"}}) ==
          "arch-gate k.cu:2");
}

TEST_CASE("device code: a header of the host alone") {
    CHECK(hits_of({{"a.h", kKernel}, {"b.cpp", "#include \"a.h\"\n"}}) == "");
    CHECK(hits_of({{"a.h", kKernel}, {"b.cpp", "#include \"a.h\"\n"}, {"c.cu", "#include \"a.h\"\n"}}) ==
          "arch-gate a.h:2");
    CHECK(hits_of({{"a/a.h", kKernel}, {"b.cpp", "#include \"a.h\"\n"}}) == "");
}

TEST_CASE("device code: what nothing names counts where it is built, or could be") {
    CHECK(hits_of({{"a.cuh", kHelper}}) == "arch-gate a.cuh:2");
    CHECK(hits_of({{"a.cu", kHelper}}) == "arch-gate a.cu:2");
    CHECK(hits_of({{"a.cuh", kHelper}, {"k.cu", "#include \"a.cuh\"\n"}}) == "arch-gate a.cuh:2");
    CHECK(hits_of({{"a.cuh", kHelper}, {"k.cu", "__global__ void other() {}\n"}}) == "");
    CHECK(hits_of({{"a.cuh", kHelper}, {"b.cuh", "#include \"a.cuh\"\n"}, {"k.cu", "void f() {}\n"}}) == "");
    CHECK(hits_of({{"a.cuh", kKernel}, {"k.cu", "__global__ void other() {}\n"}}) == "arch-gate a.cuh:2");
}

TEST_CASE("device code: calls are followed through files without hits") {
    const auto package = [](const std::string& condition, const std::string& middle) {
        return std::map<std::string, std::string>{
            {"z_step.cuh", kHelper},
            {"b.cuh", "#include \"z_step.cuh\"\n__device__ void middle(float* p) { " + middle + "; }\n"},
            {"a.cu", "#include \"b.cuh\"\n#define CALL middle\n__global__ void k(float* p) {\n" + condition +
                         "    CALL(p);\n#endif\n}\n"}};
    };
    CHECK(hits_of(package("#if 1\n", "step(p)")) == "arch-gate z_step.cuh:2");
    CHECK(hits_of(package("#if 0\n", "step(p)")) == "");
    CHECK(hits_of(package("#if 0\n", "other(p)")) == "arch-gate z_step.cuh:2");  // there for others
    CHECK(hits_of(package("#if 1\n", "st\\\nep(p)")) == "arch-gate z_step.cuh:2");
    CHECK(hits_of(package("#if 0\n", "st\\\nep(p)")) == "");
}

}  // namespace wheelarch
