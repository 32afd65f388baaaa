#include <string>

#include <doctest/doctest.h>

#include "support/build_probe.hpp"

namespace wheelarch {
namespace {

using Kind = BuildSetting::Kind;
using Language = SourceFile::Language;

std::string python(Kind kind, std::string_view text) {
    return seen(kind, Language::python, "setup.py", text);
}
std::string overrides(std::string_view text) {
    return python(Kind::overrides, text);
}
std::string targets(std::string_view text) {
    return python(Kind::targets, text);
}
std::string numbers(std::string_view text) {
    return python(Kind::number, text);
}
std::string cmake(Kind kind, std::string_view text) {
    return seen(kind, Language::cmake, "CMakeLists.txt", text);
}
std::string shell(Kind kind, std::string_view text) {
    return seen(kind, Language::shell, "build.sh", text);
}

}  // namespace

TEST_CASE("python: the list is overwritten") {
    CHECK(overrides("import os\nos.environ[\"TORCH_CUDA_ARCH_LIST\"] = \"3.7+PTX;5.0;7.5\"\n") ==
          "2:12 3.7+PTX;5.0;7.5 error");
    CHECK(overrides("environ['TORCH_CUDA_ARCH_LIST'] = '7.5'\n") == "1:9 7.5 error");
    CHECK(overrides("os.putenv('TORCH_CUDA_ARCH_LIST', '7.5')\n") == "1:11 7.5 error");
    CHECK(overrides("os.environ.update({'A': '1', 'TORCH_CUDA_ARCH_LIST': '7.5', 'B': '2'})\n") == "1:30 7.5 error");
    CHECK(overrides("os.environ.update(TORCH_CUDA_ARCH_LIST='7.5', B='2')\n") == "1:19 7.5 error");
    CHECK(overrides("os.environ |= {'TORCH_CUDA_ARCH_LIST': '7.5'}\n") == "1:16 7.5 error");
    CHECK(overrides("KEY = 'TORCH_CUDA_ARCH_LIST'\nLIST = '8.0;8.6'\nos.environ[KEY] = LIST\n") ==
          "3:12 8.0;8.6 error");
    CHECK(overrides("A = ['8.0', '9.0a']\nos.environ['TORCH_CUDA_ARCH_LIST'] = ';'.join(A)\n") ==
          "2:12 8.0;9.0a error");
    CHECK(overrides("os.environ['TORCH_CUDA_ARCH_LIST'] = ('8.0;'\n  '8.6')\n") == "1:12 8.0;8.6 error");
    CHECK(overrides("os.environ['TORCH_CUDA_ARCH_LIST'] = find_archs()\n") == "1:12  error");
    CHECK(overrides("del os.environ['TORCH_CUDA_ARCH_LIST']\n") == "1:16  error");
    CHECK(overrides("env = os.environ.copy()\nenv['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") == "2:5 8.0 error");
    CHECK(overrides("cmake_args += ['-DCMAKE_CUDA_ARCHITECTURES=80;90']\n") == "1:16 80;90 error");
    CHECK(overrides("os.environ['TORCH_CUDA_ARCH_LIST'] = ''\n") == "1:12  warning");
    CHECK(overrides("if torch.version.cuda:\n    os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") == "2:16 8.0 error");
}

TEST_CASE("python: the list is overwritten in other ways") {
    CHECK(overrides("os.environ.__setitem__('TORCH_CUDA_ARCH_LIST', '7.0')\n") == "1:24 7.0 error");
    CHECK(overrides("os.environ['TORCH_CUDA_ARCH_LIST'], x = '7.0', 1\n") == "1:12  error");
    CHECK(overrides("os.environ['TORCH_' 'CUDA_ARCH_LIST'] = '7.0'\n") == "1:12 7.0 error");
    CHECK(overrides("os.environ['TORCH_' + 'CUDA_ARCH_LIST'] = '7.0'\n") == "1:12 7.0 error");
    CHECK(overrides("os.environ['CUDAARCHS'] = '70'\n") == "1:12 70 error");
    CHECK(overrides("os.environ['TORCH_CUDA_ARCH_LIST'] = '7.0' if old else os.environ['TORCH_CUDA_ARCH_LIST']\n") ==
          "1:12 7.0 error");
    CHECK(overrides("E = {'A': '1', 'TORCH_CUDA_ARCH_LIST': '7.0'}\nos.environ.update(E)\n") == "2:19 7.0 error");
    CHECK(overrides("E = {'TORCH_CUDA_ARCH_LIST': '7.0'}\nrun(cmd, env={**os.environ, **E})\n") == "2:31 7.0 error");
    CHECK(overrides("os.system('export TORCH_CUDA_ARCH_LIST=7.0; make')\n") == "1:11 7.0 error");
    CHECK(overrides("subprocess.run('TORCH_CUDA_ARCH_LIST=7.0 make', shell=True)\n") == "1:16 7.0 error");
    CHECK(overrides("torch.utils.cpp_extension._get_cuda_arch_flags = f\n") == "1:27  error");
    CHECK(overrides("setattr(cpp_extension, '_get_cuda_arch_flags', f)\n") == "1:24  error");
}

TEST_CASE("python: what is nearly an overwriting") {
    CHECK(overrides("f(os.environ['TORCH_CUDA_ARCH_LIST'], x)\ny = 1\n") == "");
    CHECK(overrides("x, y = os.environ['TORCH_CUDA_ARCH_LIST'], 1\n") == "");
    CHECK(overrides("os.environ['TORCH_' 'CUDA_ARCH_LIST_OF_MINE'] = '7.0'\n") == "");
    CHECK(overrides("a = os.getenv('TORCH_CUDA_ARCH_LIST')\n"
                    "os.environ['TORCH_CUDA_ARCH_LIST'] = a if a else '7.0'\n") == "");
    CHECK(overrides("E = {'TORCH_CUDA_ARCH_LIST': '7.0'}\nconfig.update(E)\nprint(E)\n") == "");
    CHECK(overrides("E = {'TORCH_CUDA_ARCH_LIST': os.getenv('TORCH_CUDA_ARCH_LIST', '7.0')}\n"
                    "os.environ.update(E)\n") == "");
    CHECK(overrides("os.system('echo TORCH_CUDA_ARCH_LIST=7.0')\n") == "");
    CHECK(overrides("HELP = 'TORCH_CUDA_ARCH_LIST=7.0 make'\n") == "");
    CHECK(overrides("print('-DCMAKE_CUDA_ARCHITECTURES=80')\n") == "");
    CHECK(overrides("flags = torch.utils.cpp_extension._get_cuda_arch_flags()\n") == "");
    CHECK(overrides("old = C._get_cuda_arch_flags\ndef f(*a):\n    return old(*a) + ['-lineinfo']\n"
                    "C._get_cuda_arch_flags = f\n") == "");
}

TEST_CASE("python: something is added to the list") {
    CHECK(overrides("os.environ['TORCH_CUDA_ARCH_LIST'] += ';7.0'\n") == "1:12 +7.0 warning");
    CHECK(overrides("os.environ['TORCH_CUDA_ARCH_LIST'] = os.environ['TORCH_CUDA_ARCH_LIST'] + ';9.0a'\n") ==
          "1:12 +9.0a warning");
    CHECK(overrides("os.environ['TORCH_CUDA_ARCH_LIST'] = os.environ['TORCH_CUDA_ARCH_LIST'] + '+PTX'\n") == "");
}

TEST_CASE("python: the list is overwritten where it is there") {
    CHECK(overrides("if 'TORCH_CUDA_ARCH_LIST' in os.environ:\n    os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") ==
          "2:16 8.0 warning");
    CHECK(overrides("if os.environ.get('TORCH_CUDA_ARCH_LIST') is not None:\n"
                    "    os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") == "2:16 8.0 warning");
}

TEST_CASE("python: the list is only given where there is none") {
    CHECK(overrides("os.environ.setdefault('TORCH_CUDA_ARCH_LIST', '8.0')\n") == "");
    CHECK(overrides("x = os.environ.get('TORCH_CUDA_ARCH_LIST', '8.0')\n") == "");
    CHECK(overrides("if 'TORCH_CUDA_ARCH_LIST' not in os.environ:\n    os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") ==
          "");
    CHECK(overrides("if not os.getenv('TORCH_CUDA_ARCH_LIST'): os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") == "");
    CHECK(overrides("if os.environ.get('TORCH_CUDA_ARCH_LIST', '') == '':\n"
                    "    os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") == "");
    CHECK(overrides("if os.environ.get('TORCH_CUDA_ARCH_LIST') in (None, ''):\n"
                    "    os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") == "");
    CHECK(overrides("a = os.getenv('TORCH_CUDA_ARCH_LIST')\nif a is None:\n"
                    "    if x:\n        os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") == "");
    CHECK(overrides("if os.getenv('TORCH_CUDA_ARCH_LIST'):\n    pass\nelse:\n"
                    "    os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") == "");
    CHECK(overrides("try:\n    a = os.environ['TORCH_CUDA_ARCH_LIST']\nexcept KeyError:\n"
                    "    os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") == "");
    CHECK(overrides("def f():\n    if os.getenv('TORCH_CUDA_ARCH_LIST'):\n        return\n"
                    "    os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") == "");
    CHECK(overrides("os.environ['TORCH_CUDA_ARCH_LIST'] = os.environ.get('TORCH_CUDA_ARCH_LIST', '8.0')\n") == "");
    CHECK(overrides("a = os.getenv('TORCH_CUDA_ARCH_LIST', '8.0').replace(' ', ';')\n"
                    "os.environ['TORCH_CUDA_ARCH_LIST'] = a\n") == "");
}

TEST_CASE("python: comments, documentation and other scripts do not count") {
    CHECK(overrides("# os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") == "");
    CHECK(overrides("\"\"\"Usage:\nos.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n\"\"\"\n") == "");
    CHECK(overrides("print(\"set os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\")\n") == "");
    CHECK(overrides("config['TORCH_CUDA_ARCH_LIST'] = '8.0'\n") == "");
    const std::string script = "import os\nos.environ['TORCH_CUDA_ARCH_LIST'] = '8.0'\n";
    CHECK(seen(Kind::overrides, Language::python, "pkg/run.py", script) == "");
    CHECK(seen(Kind::overrides, Language::python, "pkg/run.py", "from setuptools import setup\n" + script) ==
          "3:12 8.0 error");
}

TEST_CASE("python: targets are named") {
    CHECK(targets("nvcc = ['-gencode', 'arch=compute_80,code=sm_80', '-gencode=arch=compute_90a,code=sm_90a']\n") ==
          "1:21 8.0 warning | 1:51 9.0a warning");
    CHECK(targets("f.append('-gencode arch=compute_75,code=[sm_75,compute_75]')\n") == "1:10 7.5+PTX warning");
    CHECK(targets("f = {'nvcc': ['-O3', '-arch=compute_50']}\n") == "1:22 50-virtual warning");
    CHECK(targets("f = ['-arch', 'sm_86']\n") == "1:6 8.6+PTX warning");
    CHECK(targets("f = ['--gpu-architecture=sm_86']\n") == "1:6 8.6+PTX warning");
    CHECK(targets("f = {'cxx': ['-O3'], 'nvcc': ['-O3', '-Xcompiler=-march=native']}\n") == "1:38  warning");
    CHECK(targets("nvcc_flags += ['-march=native']\n") == "1:16  warning");
}

TEST_CASE("python: targets of this machine, in texts of several flags and of literal lists") {
    CHECK(targets("f = ['-arch=native']\n") == "1:6 native warning");
    CHECK(targets("f = ['-arch', 'all-major']\n") == "1:6 all-major warning");
    CHECK(targets("f = '-O3 -gencode arch=compute_80,code=sm_80'.split()\n") == "1:5 8.0 warning");
    CHECK(targets("for a in ['80', '86']:\n    f += ['-gencode', f'arch=compute_{a},code=sm_{a}']\n") ==
          "2:23 8.0;8.6 warning");
    CHECK(targets("A = (70, 75)\nf = [f'-gencode=arch=compute_{a},code=sm_{a}' for a in A]\n") ==
          "2:6 7.0;7.5 warning");
    CHECK(targets("for a in archs:\n    f += [f'-arch=sm_{a}']\n") == "");
    CHECK(targets("for a in ['80']:\n    x(a)\nfor a in archs:\n    f += [f'-arch=sm_{a}']\n") == "");
    CHECK(targets("f = ['-O3 -search arch']\n") == "");
    const std::string probed = "a, b = torch.cuda.get_device_capability()\nf = [f'-arch=sm_{a}{b}']\n";
    CHECK(targets(probed) == "2:6 native warning");
    CHECK(targets(probed + "l = os.getenv('TORCH_CUDA_ARCH_LIST')\n") == "");
}

TEST_CASE("python: a list that is given to nvcc") {
    CHECK(targets("f = ['-march=native']\nE(extra_compile_args={'cxx': [], 'nvcc': f})\n") == "1:6  warning");
    CHECK(targets("f = []\nf += ['-march=native']\nE(extra_compile_args=dict(nvcc=g + f))\n") == "2:7  warning");
    CHECK(targets("f = ['-march=native']\nload(extra_cuda_cflags=f)\n") == "1:6  warning");
    CHECK(targets("E(extra_compile_args={'nvcc': ['-I/opt/arch/include']})\n") == "1:32  warning");
    CHECK(targets("f = ['-march=native']\ng = []\nE(extra_compile_args={'cxx': f, 'nvcc': g})\n") == "");
}

TEST_CASE("python: targets that are no targets, or of the list") {
    CHECK(targets("f = {'cxx': ['-march=native'], 'nvcc': ['-O3']}\n") == "");
    CHECK(targets("'''\n-gencode arch=compute_80,code=sm_80\n'''\n") == "");
    CHECK(targets("print('-gencode arch=compute_80,code=sm_80')\n") == "");
    CHECK(targets("if '-arch=sm_80' in flags: pass\n") == "");
    CHECK(targets("f = [f'-gencode=arch=compute_{a},code=sm_{a}' for a in archs]\n") == "");
    CHECK(targets("a = os.getenv('TORCH_CUDA_ARCH_LIST')\nif '8.0' in a:\n"
                  "    f.append('-gencode=arch=compute_80,code=sm_80')\n") == "");
    CHECK(targets("if not os.getenv('TORCH_CUDA_ARCH_LIST'):\n    f.append('-arch=sm_80')\n") == "");
    CHECK(targets("f = ['--offload-arch=gfx90a']\n") == "");
    CHECK(targets("parser.add_argument('--arch')\n") == "");
}

TEST_CASE("python: numbers are made of items") {
    CHECK(numbers("for a in os.environ['TORCH_CUDA_ARCH_LIST'].split(';'):\n    x.append(float(a))\n") ==
          "2:14  warning");
    CHECK(numbers("l = os.getenv('TORCH_CUDA_ARCH_LIST')\nn = [int(a.replace('.', '')) for a in l.split()]\n") ==
          "2:6  warning");
    CHECK(numbers("l = os.getenv('TORCH_CUDA_ARCH_LIST')\nn = list(map(int, l.split('.')))\n") == "2:14  warning");
    CHECK(numbers("def f(archs):\n    for cc in archs:\n        x = int(cc[1])\n"
                  "f(os.environ.get('TORCH_CUDA_ARCH_LIST'))\n") == "3:13  warning");
    CHECK(numbers("def get(k):\n    return os.environ[k]\nl = get('TORCH_CUDA_ARCH_LIST')\nn = int(get('JOBS')[0])\n"
                  "def g(k):\n    return int(k)\n") == "");
    CHECK(numbers("l = os.getenv('TORCH_CUDA_ARCH_LIST')\nn = int(os.getenv('MAX_JOBS'))\n") == "");
    CHECK(numbers("l = os.getenv('TORCH_CUDA_ARCH_LIST')\nn = [int(a.rstrip('af')) for a in l.split()]\n") == "");
}

TEST_CASE("cmake: the list is overwritten") {
    CHECK(cmake(Kind::overrides, "set(CMAKE_CUDA_ARCHITECTURES 70 80)\n") == "1:1 70;80 error");
    CHECK(cmake(Kind::overrides, "SET(CMAKE_CUDA_ARCHITECTURES \"70;80\" CACHE STRING \"\" FORCE)\n") ==
          "1:1 70;80 error");
    CHECK(cmake(Kind::overrides, "if(CUDA_VERSION VERSION_LESS 12)\n  set(CMAKE_CUDA_ARCHITECTURES 70)\nendif()\n") ==
          "2:3 70 error");
    CHECK(cmake(Kind::overrides, "set(A 75 80)\nset(CMAKE_CUDA_ARCHITECTURES ${A})\n") == "2:1 75;80 error");
    CHECK(cmake(Kind::overrides, "set(ENV{TORCH_CUDA_ARCH_LIST} \"8.0\")\n") == "1:1 8.0 error");
    CHECK(
        cmake(Kind::overrides, "if(DEFINED CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES 80)\nendif()\n") ==
        "2:3 80 warning");
    CHECK(cmake(Kind::overrides, "set(CMAKE_CUDA_ARCHITECTURES native)\n") == "1:1 native error");
}

TEST_CASE("cmake: the list is only given where there is none") {
    CHECK(cmake(Kind::overrides,
                "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n"
                "  set(CMAKE_CUDA_ARCHITECTURES 70)\nendif()\n") == "");
    CHECK(cmake(Kind::overrides,
                "if(NOT CMAKE_CUDA_ARCHITECTURES)\n  if(X)\n"
                "  set(CMAKE_CUDA_ARCHITECTURES 70)\nendif()\nendif()\n") == "");
    CHECK(cmake(Kind::overrides, "if(DEFINED ENV{CUDAARCHS})\nelse()\n  set(CMAKE_CUDA_ARCHITECTURES 70)\nendif()\n") ==
          "");
    CHECK(cmake(Kind::overrides, "set(CMAKE_CUDA_ARCHITECTURES 70 CACHE STRING \"archs\")\n") == "");
    CHECK(cmake(Kind::overrides,
                "if(NOT DEFINED ENV{CUDAARCHS} AND NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n"
                "  set(CMAKE_CUDA_ARCHITECTURES 70)\nendif()\n") == "");
    CHECK(cmake(Kind::overrides,
                "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n"
                "  list(APPEND CMAKE_CUDA_ARCHITECTURES 70)\nendif()\n") == "");
    CHECK(cmake(Kind::overrides, "list(REMOVE_DUPLICATES CMAKE_CUDA_ARCHITECTURES)\n") == "");
    CHECK(cmake(Kind::overrides,
                "string(REPLACE \".\" \"\" A \"$ENV{TORCH_CUDA_ARCH_LIST}\")\n"
                "set(CMAKE_CUDA_ARCHITECTURES ${A})\n") == "");
    CHECK(cmake(Kind::overrides, "set(CMAKE_CUDA_ARCHITECTURES OFF)\n") == "");
    CHECK(cmake(Kind::overrides, "# set(CMAKE_CUDA_ARCHITECTURES 70)\n#[[\nset(CMAKE_CUDA_ARCHITECTURES 70)\n]]\n") ==
          "");
    CHECK(cmake(Kind::overrides, "message(\"set(CMAKE_CUDA_ARCHITECTURES 70)\")\n") == "");
}

TEST_CASE("cmake: the list is changed, or set for a build within the build") {
    CHECK(cmake(Kind::overrides, "set(CMAKE_CUDA_ARCHITECTURES ${CMAKE_CUDA_ARCHITECTURES} 90)\n") ==
          "1:1 +90 warning");
    CHECK(cmake(Kind::overrides, "set(CMAKE_CUDA_ARCHITECTURES \"${CMAKE_CUDA_ARCHITECTURES};90a\")\n") ==
          "1:1 +90a warning");
    CHECK(cmake(Kind::overrides, "list(APPEND CMAKE_CUDA_ARCHITECTURES 90 100)\n") == "1:1 +90;100 warning");
    CHECK(cmake(Kind::overrides, "list(REMOVE_ITEM CMAKE_CUDA_ARCHITECTURES 80)\n") == "1:1 -80 warning");
    CHECK(cmake(Kind::overrides, "list(APPEND CMAKE_CUDA_ARCHITECTURES ${MORE})\n") == "");
    CHECK(cmake(Kind::overrides, "execute_process(COMMAND cmake -DCMAKE_CUDA_ARCHITECTURES=70 ..)\n") ==
          "1:31 70 warning");
    CHECK(cmake(Kind::overrides, "ExternalProject_Add(x CMAKE_ARGS -DCMAKE_CUDA_ARCHITECTURES=70)\n") ==
          "1:34 70 warning");
    CHECK(cmake(Kind::overrides,
                "ExternalProject_Add(x CMAKE_ARGS "
                "-DCMAKE_CUDA_ARCHITECTURES=${CMAKE_CUDA_ARCHITECTURES})\n") == "");
    CHECK(cmake(Kind::overrides, "message(\"-DCMAKE_CUDA_ARCHITECTURES=70\")\n") == "");
}

TEST_CASE("cmake: targets are named") {
    CHECK(cmake(Kind::targets, "cuda_select_nvcc_arch_flags(F Auto)\n") == "1:1 Auto warning");
    CHECK(cmake(Kind::targets, "cuda_select_nvcc_arch_flags(F 7.0 8.0)\n") == "1:1 7.0;8.0 warning");
    CHECK(cmake(Kind::targets, "cuda_select_nvcc_arch_flags(F ${ARCHS})\n") == "");
    CHECK(cmake(Kind::targets, "cuda_select_nvcc_arch_flags(F $ENV{TORCH_CUDA_ARCH_LIST})\n") == "");
    CHECK(cmake(Kind::targets, "set(A \"70;80\")\nset_target_properties(t PROPERTIES CUDA_ARCHITECTURES \"${A}\")\n") ==
          "2:36 70;80 warning");
    CHECK(cmake(Kind::targets, "set(CMAKE_CUDA_FLAGS \"-arch=native\")\n") == "1:22 native warning");
    CHECK(cmake(Kind::targets, "set_property(TARGET x PROPERTY CUDA_ARCHITECTURES 70 80)\n") == "1:32 70;80 warning");
    CHECK(cmake(Kind::targets,
                "set_target_properties(x PROPERTIES POSITION_INDEPENDENT_CODE ON\n"
                "  CUDA_ARCHITECTURES \"70;80\" FOLDER y)\n") == "2:3 70;80 warning");
    CHECK(cmake(Kind::targets, "list(APPEND CUDA_NVCC_FLAGS -gencode arch=compute_70,code=sm_70)\n") ==
          "1:29 7.0 warning");
    CHECK(cmake(Kind::targets, "set(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} -arch=sm_70\")\n") ==
          "1:22 7.0+PTX warning");
    CHECK(cmake(Kind::targets,
                "target_compile_options(x PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:SHELL:-gencode "
                "arch=compute_80,code=sm_80>)\n") == "1:34 8.0 warning");
}

TEST_CASE("cmake: targets that are none") {
    CHECK(cmake(Kind::targets, "set_property(TARGET x PROPERTY CUDA_ARCHITECTURES ${CMAKE_CUDA_ARCHITECTURES})\n") ==
          "");
    CHECK(cmake(Kind::targets, "set_target_properties(x PROPERTIES CUDA_ARCHITECTURES OFF)\n") == "");
    CHECK(cmake(Kind::targets, "message(STATUS \"use -gencode arch=compute_80,code=sm_80\")\n") == "");
    CHECK(cmake(Kind::targets,
                "foreach(a ${CMAKE_CUDA_ARCHITECTURES})\n"
                "  list(APPEND F -gencode arch=compute_${a},code=sm_${a})\nendforeach()\n") == "");
    CHECK(cmake(Kind::targets,
                "if(80 IN_LIST CMAKE_CUDA_ARCHITECTURES)\n"
                "  list(APPEND F -gencode arch=compute_80,code=sm_80)\nendif()\n") == "");
    CHECK(cmake(Kind::targets, "if(F MATCHES \"-arch=sm_80\")\nendif()\n") == "");
}

TEST_CASE("shell: the list is overwritten") {
    CHECK(shell(Kind::overrides, "export TORCH_CUDA_ARCH_LIST=\"8.0;8.6\"\n") == "1:8 8.0;8.6 warning");
    CHECK(shell(Kind::overrides, "TORCH_CUDA_ARCH_LIST='8.0' python setup.py bdist_wheel\n") == "1:1 8.0 warning");
    CHECK(shell(Kind::overrides, "cmake .. \\\n  -DCMAKE_CUDA_ARCHITECTURES=80\n") == "2:3 80 warning");
    CHECK(shell(Kind::overrides, "unset TORCH_CUDA_ARCH_LIST\n") == "1:7  warning");
    CHECK(shell(Kind::overrides, "[ -n \"$TORCH_CUDA_ARCH_LIST\" ] && export TORCH_CUDA_ARCH_LIST=8.0\n") ==
          "1:42 8.0 warning");
}

TEST_CASE("shell: the list is only given where there is none") {
    CHECK(shell(Kind::overrides, "export TORCH_CUDA_ARCH_LIST=\"${TORCH_CUDA_ARCH_LIST:-8.0}\"\n") == "");
    CHECK(shell(Kind::overrides, ": \"${TORCH_CUDA_ARCH_LIST:=8.0}\"\n") == "");
    CHECK(shell(Kind::overrides,
                "if [ -z \"$TORCH_CUDA_ARCH_LIST\" ]; then\n  export TORCH_CUDA_ARCH_LIST=8.0\nfi\n") == "");
    CHECK(shell(Kind::overrides, "if [[ -n $TORCH_CUDA_ARCH_LIST ]]\nthen :\nelse\n  TORCH_CUDA_ARCH_LIST=8.0\nfi\n") ==
          "");
    CHECK(shell(Kind::overrides, "[ -z \"$TORCH_CUDA_ARCH_LIST\" ] && export TORCH_CUDA_ARCH_LIST=8.0\n") == "");
    CHECK(shell(Kind::overrides, "echo export TORCH_CUDA_ARCH_LIST=8.0\n") == "");
    CHECK(shell(Kind::overrides,
                "# export TORCH_CUDA_ARCH_LIST=8.0\ncat <<EOF\nexport TORCH_CUDA_ARCH_LIST=8.0\nEOF\n") == "");
}

TEST_CASE("shell: targets are named") {
    CHECK(shell(Kind::targets, "nvcc -gencode arch=compute_80,code=sm_80 -c x.cu\n") == "1:1 8.0 warning");
    CHECK(shell(Kind::targets, "nvcc -gencode arch=compute_$A,code=sm_$A -c x.cu\n") == "");
}

TEST_CASE("shell: something is added to the list") {
    CHECK(shell(Kind::overrides, "export TORCH_CUDA_ARCH_LIST=\"$TORCH_CUDA_ARCH_LIST;9.0a\"\n") ==
          "1:8 +9.0a warning");
    CHECK(shell(Kind::overrides, "export TORCH_CUDA_ARCH_LIST=\"9.0a;${TORCH_CUDA_ARCH_LIST}\"\n") ==
          "1:8 +9.0a warning");
    CHECK(shell(Kind::overrides, "export TORCH_CUDA_ARCH_LIST=\"$TORCH_CUDA_ARCH_LIST\"\n") == "");
    CHECK(shell(Kind::overrides, "export TORCH_CUDA_ARCH_LIST=\"$TORCH_CUDA_ARCH_LIST;$MORE\"\n") == "");
}

}  // namespace wheelarch
