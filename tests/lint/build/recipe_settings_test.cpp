// What Makefiles, Dockerfiles, TOML, YAML and presets of CMake say of archs.
#include <string>

#include <doctest/doctest.h>

#include "support/build_probe.hpp"

namespace wheelarch {
namespace {

using Kind = BuildSetting::Kind;
using Language = SourceFile::Language;

std::string makefile(Kind kind, std::string_view text) {
    return seen(kind, Language::makefile, "Makefile", text);
}
std::string dockerfile(Kind kind, std::string_view text) {
    return seen(kind, Language::dockerfile, "Dockerfile", text);
}

}  // namespace

TEST_CASE("makefile: the list is overwritten") {
    CHECK(makefile(Kind::overrides, "export TORCH_CUDA_ARCH_LIST := 7.0\nall:\n\tpython setup.py\n") ==
          "1:8 7.0 warning");
    CHECK(makefile(Kind::overrides, "A = 1 \\\n  2\nTORCH_CUDA_ARCH_LIST = 7.0 # why\n") == "3:1 7.0 warning");
    CHECK(makefile(Kind::overrides, "all:\n\t@TORCH_CUDA_ARCH_LIST=7.0 \\\n\t  make x\n\tunset CUDAARCHS\n") ==
          "2:3 7.0 warning | 4:8  warning");
    CHECK(makefile(Kind::overrides, "wheel: TORCH_CUDA_ARCH_LIST = 7.0\n") == "1:8 7.0 warning");
    CHECK(makefile(Kind::overrides, "TORCH_CUDA_ARCH_LIST += 9.0\n") == "1:1 +9.0 warning");
    CHECK(makefile(Kind::overrides, "ifdef TORCH_CUDA_ARCH_LIST\nTORCH_CUDA_ARCH_LIST = 7.0\nendif\n") ==
          "2:1 7.0 warning");
}

TEST_CASE("makefile: the list is only given where there is none") {
    CHECK(makefile(Kind::overrides, "TORCH_CUDA_ARCH_LIST ?= 7.0\n") == "");
    CHECK(makefile(Kind::overrides, "ifndef TORCH_CUDA_ARCH_LIST\nTORCH_CUDA_ARCH_LIST = 7.0\nendif\n") == "");
    CHECK(makefile(Kind::overrides, "ifeq ($(TORCH_CUDA_ARCH_LIST),)\n  TORCH_CUDA_ARCH_LIST = 7.0\nendif\n") == "");
    CHECK(makefile(Kind::overrides, "ifdef TORCH_CUDA_ARCH_LIST\nA = 1\nelse\nTORCH_CUDA_ARCH_LIST = 7.0\nendif\n") ==
          "");
    CHECK(makefile(Kind::overrides, "all:\n\techo TORCH_CUDA_ARCH_LIST=7.0\n# TORCH_CUDA_ARCH_LIST = 7.0\n") == "");
    CHECK(makefile(Kind::overrides, "X = $(shell test TORCH_CUDA_ARCH_LIST=7.0)\n") == "");
}

TEST_CASE("makefile: targets are named") {
    CHECK(makefile(Kind::targets, "NVCC_FLAGS += -gencode arch=compute_70,code=sm_70\n") == "1:1 7.0 warning");
    CHECK(makefile(Kind::targets, "lib.so: k.cu\n\tnvcc -arch=sm_80 -shared k.cu\n") == "2:2 8.0+PTX warning");
    CHECK(makefile(Kind::targets, "lib.so: k.cu\n\tnvcc -arch=sm_$(ARCH) -shared k.cu\n") == "");
    CHECK(makefile(Kind::targets, "ARCH ?= -arch=sm_80\n") == "");
}

TEST_CASE("dockerfile: the list is overwritten") {
    CHECK(dockerfile(Kind::overrides, "FROM x\nENV A=1 TORCH_CUDA_ARCH_LIST=\"7.0 8.0\"\n") == "2:9 7.0 8.0 notice");
    CHECK(dockerfile(Kind::overrides, "env TORCH_CUDA_ARCH_LIST 7.0 8.0\n") == "1:5 7.0 8.0 notice");
    CHECK(dockerfile(Kind::overrides,
                     "RUN cd x && \\\n  # as in\n  TORCH_CUDA_ARCH_LIST=7.0 pip wheel .\nCMD [\"x\"]\n") ==
          "3:3 7.0 notice");
    CHECK(dockerfile(Kind::targets, "RUN nvcc -arch=native k.cu\n") == "1:5 native notice");
}

TEST_CASE("dockerfile: a default, and what only says it") {
    CHECK(dockerfile(Kind::overrides,
                     "ARG TORCH_CUDA_ARCH_LIST=\"7.0\"\nENV TORCH_CUDA_ARCH_LIST=${TORCH_CUDA_ARCH_LIST}\n") == "");
    CHECK(dockerfile(Kind::overrides, "# ENV TORCH_CUDA_ARCH_LIST=7.0\nLABEL x=\"TORCH_CUDA_ARCH_LIST=7.0\"\n") == "");
    CHECK(dockerfile(Kind::overrides, "RUN echo TORCH_CUDA_ARCH_LIST=7.0\n") == "");
}

TEST_CASE("toml and yaml: only keys whose text is run") {
    const auto toml = [](std::string_view text) {
        return seen(Kind::overrides, Language::toml, "pyproject.toml", text);
    };
    CHECK(toml("[tool.x]\ndescription = \"TORCH_CUDA_ARCH_LIST=7.0\"\n") == "");
    CHECK(toml("[tool.x]\nbefore-build = \"export TORCH_CUDA_ARCH_LIST=7.0\"\n") == "2:16 7.0 warning");
    const auto yaml = [](std::string_view text) { return seen(Kind::overrides, Language::yaml, "meta.yaml", text); };
    CHECK(yaml("about:\n  summary: set TORCH_CUDA_ARCH_LIST=7.0\n") == "");
    CHECK(yaml("build:\n  script: TORCH_CUDA_ARCH_LIST=7.0 pip install .\n") == "2:11 7.0 warning");
}

TEST_CASE("presets of CMake") {
    const auto presets = [](std::string_view text) {
        return seen(Kind::overrides, Language::yaml, "CMakePresets.json", text);
    };
    CHECK(presets(R"({"configurePresets": [{"cacheVariables": {"CMAKE_CUDA_ARCHITECTURES": "70"}}]})") ==
          "1:43 70 warning");
    CHECK(presets(R"({"cacheVariables": {"CMAKE_CUDA_ARCHITECTURES": {"type": "STRING", "value": "70"}}})") ==
          "1:21 70 warning");
    CHECK(presets(R"({"cacheVariables": {"CMAKE_CUDA_ARCHITECTURES": "$env{CUDAARCHS}"}})") == "");
}

TEST_CASE("toml and yaml: environments of build tools") {
    const auto toml = [](std::string_view text) {
        return seen(Kind::overrides, Language::toml, "pyproject.toml", text);
    };
    CHECK(toml("[tool.cibuildwheel.environment]\nTORCH_CUDA_ARCH_LIST = \"8.0;8.6\"\n") == "2:1 8.0;8.6 warning");
    CHECK(toml("[tool.cibuildwheel]\nenvironment = { TORCH_CUDA_ARCH_LIST=\"8.0\", A=\"1\" }\n") == "2:17 8.0 warning");
    CHECK(toml("environment = \"TORCH_CUDA_ARCH_LIST='8.0' X=1\"\n") == "1:15 8.0 warning");
    CHECK(toml("cmake.args = [\"-DCMAKE_CUDA_ARCHITECTURES=80\"]\n") == "1:15 80 warning");
    CHECK(toml("CMAKE_CUDA_ARCHITECTURES = {env=\"CUDAARCHS\", default=\"80\"}\n") == "");
    CHECK(toml("# TORCH_CUDA_ARCH_LIST = \"8.0\"\n") == "");
    const auto yaml = [](std::string_view text) { return seen(Kind::overrides, Language::yaml, "meta.yaml", text); };
    CHECK(yaml("build:\n  env:\n    TORCH_CUDA_ARCH_LIST: \"8.0\"\n") == "3:5 8.0 warning");
    CHECK(yaml("build:\n  script_env:\n    - TORCH_CUDA_ARCH_LIST=8.0\n") == "3:7 8.0 warning");
    CHECK(yaml("build:\n  script_env:\n    - TORCH_CUDA_ARCH_LIST\n") == "");
    CHECK(yaml("env: {TORCH_CUDA_ARCH_LIST: \"${{ inputs.list }}\"}\n") == "");
    CHECK(yaml("{% set a = 1 %}\nTORCH_CUDA_ARCH_LIST: \"8.0\"\n") == "");
}

}  // namespace wheelarch
