// Failures that people reported of real packages, restated: what lint says of each, with the list that was declared.
#include <memory>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lint/lint.hpp"
#include "policy/yaml.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

DeclaredList declared_for_12_8(const std::string& list) {
    return {list, parse_arch_list(list, ""), "arch_list in packages/x.yml:1", {"12.8"}, "CUDA 12.8"};
}

// `error arch-gate x.cu:2: 8.9`, one for each finding.
std::string found(const std::string& path, const std::string& text, const std::string& list) {
    const TemporaryFolder folder;
    folder.write(path, text);
    const auto package = read_package(
        *parse_yaml("name: example\n", std::make_shared<const std::string>("packages/x.yml")), "example", Layout::flat);
    PackageLint lint;
    add_tree(lint, package, PackageSources(folder.path(), false), {declared_for_12_8(list)});
    finish(lint, package);
    std::string all;
    for (const LintFinding& one : lint.findings) {
        all +=
            fmt::format("{}{} {} {}:{}:", all.empty() ? "" : " | ", name(one.severity), one.rule, one.path, one.line);
        for (const std::string& need : one.needs) {
            all += " " + need;
        }
    }
    return all;
}

std::string kernel(std::string_view gate, std::string_view body = "work();") {
    return fmt::format("__global__ void k() {{\n#if {}\n    {}\n#endif\n}}\n", gate, body);
}

}  // namespace

TEST_CASE("reported: setup.py assigns a list of 2018 (B14)") {
    const std::string head = "import os\n";
    const std::string assigned = "\"3.7+PTX;5.0;6.0;6.1;6.2;7.0;7.5\"";
    CHECK(found("setup.py", head + "os.environ[\"TORCH_CUDA_ARCH_LIST\"] = " + assigned + "\n", "8.0;8.6") ==
          "error arch-list-override setup.py:2:");
    CHECK(found("setup.py", head + "os.environ.setdefault('TORCH_CUDA_ARCH_LIST', " + assigned + ")\n", "8.0;8.6") ==
          "");
}

TEST_CASE("reported: a flag that holds `arch` keeps torch from adding its own (B15)") {
    CHECK(found("setup.py", "CUDAExtension('x', [], extra_compile_args={'nvcc': ['-O2', '-arch=compute_50']})\n",
                "5.0;7.0") == "warning explicit-target setup.py:1:");
    CHECK(found("setup.py", "CUDAExtension('x', [], extra_compile_args={'nvcc': ['-march=native']})\n", "5.0;7.0") ==
          "warning explicit-target setup.py:1:");
}

TEST_CASE("reported: items made into numbers, and what is none is dropped (B16)") {
    const std::string script =
        "import os, setuptools\nfor item in os.environ['TORCH_CUDA_ARCH_LIST'].split(';'):\n    try:\n"
        "        archs.append(float(item))\n    except ValueError:\n        pass\n";
    CHECK(found("setup.py", script, "8.0;8.6;8.9;9.0a") == "warning arch-list-number setup.py:4:");
    CHECK(found("setup.py", script, "8.0;8.6") == "notice arch-list-number setup.py:4:");
}

TEST_CASE("reported: three targets where no GPU is found (B17)") {
    CHECK(found("setup.py",
                "import setuptools, torch\nnvcc_args = ['-O3']\nif not torch.cuda.is_available():\n"
                "    nvcc_args.extend(['-gencode=arch=compute_75,code=sm_75',\n"
                "        '-gencode=arch=compute_80,code=sm_80', '-gencode=arch=compute_89,code=sm_89'])\n",
                "7.5;8.0;8.6;9.0+PTX;10.0;12.0+PTX") == "warning explicit-target setup.py:4:");
}

TEST_CASE("reported: targets of its own, whatever is asked for (B23)") {
    CHECK(found("setup.py",
                "import setuptools\ncc_flag = []\ncc_flag.append('-gencode')\n"
                "cc_flag.append('arch=compute_75,code=sm_75')\n",
                "8.6+PTX") == "warning explicit-target setup.py:4:");
}

TEST_CASE("reported: FP8 behind 8.9, and no 8.9 (B47)") {
    const std::string source = kernel("__CUDA_ARCH__ >= 890");
    CHECK(found("x.cu", source, "8.0 8.6 9.0+PTX") == "error arch-gate x.cu:2: 8.9");
    CHECK(found("x.cu", source, "8.0 9.0 12.0+PTX") == "error arch-gate x.cu:2: 8.9");
    CHECK(found("x.cu", source, "8.0 8.9 9.0+PTX") == "");
}

TEST_CASE("reported: bodies behind the macros of targets with a suffix (B48)") {
    CHECK(found("x.cu", kernel("defined(__CUDA_ARCH_FEAT_SM90_ALL)"), "9.0;12.0a") ==
          "error feature-macro x.cu:2: 9.0a");
    CHECK(found("x.cu", kernel("defined(__CUDA_ARCH_SPECIFIC__)"), "9.0;12.0a") == "error feature-macro x.cu:2: 9.0a");
    CHECK(found("x.cu", kernel("defined(__CUDA_ARCH_FAMILY_SPECIFIC__)"), "9.0;12.0a") ==
          "error feature-macro x.cu:2: 9.0a");
    CHECK(found("x.cu", kernel("defined(CUTLASS_ARCH_MMA_SM90A_ENABLED)"), "9.0;12.0a") ==
          "error feature-macro x.cu:2: 9.0a");
    CHECK(found("x.cu", kernel("defined(__CUDA_ARCH_FEAT_SM90_ALL)"), "9.0a;12.0a") == "");
}

TEST_CASE("reported: a device of 6.0 has 5.2 alone, below the gate (B50)") {
    CHECK(found("x.cu", kernel("__CUDA_ARCH__ >= 600"), "5.2;6.1;7.0;7.5") == "warning arch-gate x.cu:2: 6.0");
    CHECK(found("x.cu", kernel("__CUDA_ARCH__ >= 600"), "5.2+PTX;6.1;7.0;7.5") == "warning arch-gate x.cu:2: 6.0");
}

TEST_CASE("reported: PTX of a low arch keeps the branch of the low arch (B51)") {
    CHECK(found("x.cu", kernel("__CUDA_ARCH__ >= 700"), "5.2+PTX") == "warning arch-gate x.cu:2: 7.0");
}

TEST_CASE("reported: block-scaled MMA in the plain target (B54)") {
    CHECK(found("x.cu", "using Op = cutlass::arch::OpClassBlockScaledTensorOp;\n", "12.0") ==
          "error feature-macro x.cu:1: 12.0a or 12.0f 12.1a or 12.1f");
    CHECK(found("x.cu", "using Op = cutlass::arch::OpClassBlockScaledTensorOp;\n", "12.0a") == "");
    const std::string source =
        "__global__ void k() {\n    "
        "asm(\"mma.sync.aligned.kind::mxf4.block_scale.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0 "
        "{%0};\" ::);\n}\n";
    CHECK(found("x.cu", source, "12.0") == "error instruction x.cu:2: 12.0a or 12.0f");
    CHECK(found("x.cu", source, "12.0f") == "");
}

TEST_CASE("reported: wgmma in the plain target (B55)") {
    const std::string source = "__global__ void k() {\n    asm(\"wgmma.fence.sync.aligned;\" ::);\n}\n";
    CHECK(found("x.cu", source, "9.0") == "error instruction x.cu:2: 9.0a");
    CHECK(found("x.cu", source, "9.0a") == "");
}

TEST_CASE("reported: inline PTX without a condition (B57)") {
    const std::string source =
        "__global__ void k() {\n    asm(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" ::);\n}\n";
    CHECK(found("x.cu", source, "7.0;7.5;8.0") == "error instruction x.cu:2: 7.5");
    CHECK(found("x.cu", source, "7.5;8.0") == "");
}

TEST_CASE("sources that a script of CMake builds for archs of their own") {
    const TemporaryFolder folder;
    folder.write("csrc/wide.cu", "#include \"wide.h\"\n__global__ void k() { fence(); }\n");
    folder.write("csrc/wide.h", "__device__ void fence() { asm(\"wgmma.fence.sync.aligned;\" ::); }\n");
    folder.write("csrc/narrow.cu", "__global__ void n() { asm(\"cp.async.wait_all;\" ::); }\n");
    folder.write("CMakeLists.txt",
                 "archs_of(WIDE_ARCHS \"9.0a\" \"${ALL}\")\nset(WIDE_SRCS \"csrc/wide.cu\")\n"
                 "if(WIDE_ARCHS)\n  targets_for(SRCS \"${WIDE_SRCS}\" ARCHS \"${WIDE_ARCHS}\")\nendif()\n"
                 "add_library(x ${WIDE_SRCS} csrc/narrow.cu)\n");
    const auto package = read_package(
        *parse_yaml("name: example\n", std::make_shared<const std::string>("packages/x.yml")), "example", Layout::flat);
    PackageLint lint;
    add_tree(lint, package, PackageSources(folder.path(), false), {declared_for_12_8("7.5;8.0;9.0")});
    REQUIRE(lint.findings.size() == 1);
    CHECK(lint.findings[0].path == "csrc/narrow.cu");
}

TEST_CASE("device code where it is none: sources of the host, a package that knows what it was compiled for") {
    CHECK(found("x.cpp", "void f() { asm volatile(\"fence\"); }\n", "6.0") == "");
    CHECK(found("x.cu", kernel("__CUDA_ARCH__ >= 890") + "int archs[] = {__CUDA_ARCH_LIST__};\n", "8.0") ==
          "warning arch-gate x.cu:2: 8.9");
}

TEST_CASE("FP8 that is named has one notice a package; where it is computed with, a warning a file") {
    const TemporaryFolder folder;
    folder.write("a.cpp", "auto type = torch::kFloat8_e4m3fn;\n");
    folder.write("b.cu", "using Element = cutlass::float_e4m3_t;\n");
    const auto package = read_package(
        *parse_yaml("name: example\n", std::make_shared<const std::string>("packages/x.yml")), "example", Layout::flat);
    PackageLint named;
    add_tree(named, package, PackageSources(folder.path(), false), {declared_for_12_8("8.0;9.0")});
    REQUIRE(named.findings.size() == 1);
    CHECK(named.findings[0].severity == Severity::notice);
    CHECK(
        message_of(named.findings[0]) ==
        "FP8: \"kFloat8_e4m3fn\" (and in 1 more place, in 1 other file): 8.9 is not declared for CUDA 12.8 (8.0;9.0): "
        "a device of 8.9 loads sm_80, where it is emulated, if kernels use it");
    folder.write("c.cu", "__global__ void k(float x) { use(__nv_fp8_e4m3(x)); }\n");
    PackageLint computed;
    add_tree(computed, package, PackageSources(folder.path(), false), {declared_for_12_8("8.0;9.0")});
    REQUIRE(computed.findings.size() == 1);
    CHECK(computed.findings[0].path == "c.cu");
    CHECK(computed.findings[0].severity == Severity::warning);
}

TEST_CASE("boards count where they are declared") {
    CHECK(found("x.cu", kernel("__CUDA_ARCH__ >= 870"), "8.0;9.0") == "error arch-gate x.cu:2: 8.9");
    CHECK(found("x.cu", kernel("__CUDA_ARCH__ == 720"), "7.0;7.5") == "");
    CHECK(found("x.cu", kernel("__CUDA_ARCH__ == 720 || __CUDA_ARCH__ == 750"), "7.0;7.2;7.5") == "");
}

TEST_CASE("the setup.py of a further package in the sources") {
    const TemporaryFolder folder;
    const std::string own = "import setuptools\nflags = ['-gencode=arch=compute_80,code=sm_80']\n";
    folder.write("setup.py", "import setuptools\n");
    folder.write("hopper/setup.py", own);
    const auto read = [](const std::string& yaml) {
        return read_package(
            *parse_yaml("name: example\n" + yaml, std::make_shared<const std::string>("packages/x.yml")), "example",
            Layout::flat);
    };
    PackageLint whole;
    add_tree(whole, read(""), PackageSources(folder.path(), false), {declared_for_12_8("8.0;9.0")});
    CHECK(whole.findings.empty());
    PackageLint part;
    add_tree(part, read("build_subdir: hopper\n"), PackageSources(folder.path(), false),
             {declared_for_12_8("8.0;9.0")});
    REQUIRE(part.findings.size() == 1);
    CHECK(part.findings[0].path == "hopper/setup.py");
}

}  // namespace wheelarch
