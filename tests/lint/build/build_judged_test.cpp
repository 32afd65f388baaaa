// What is said of build files, with the list that is declared: how serious it is, and in which words.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lint/lint.hpp"
#include "policy/yaml.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;  // path, text

PackageLint looked_at(const Files& files, const std::string& list, const std::string& yaml = "") {
    const TemporaryFolder folder;
    for (const auto& [path, text] : files) {
        folder.write(path, text);
    }
    const auto package =
        read_package(*parse_yaml("name: example\n" + yaml, std::make_shared<const std::string>("packages/x.yml")),
                     "example", Layout::flat);
    PackageLint lint;
    add_tree(lint, package, PackageSources(folder.path(), false, build_folder(package)),
             {{list, parse_arch_list(list, ""), "arch_list in packages/x.yml:1", {"12.8"}, "CUDA 12.8"}});
    finish(lint, package);
    return lint;
}

// `notice Makefile: the problem`, or `passed …`.
std::string said(const PackageLint& lint) {
    std::string all;
    for (const LintFinding& one : lint.findings) {
        all +=
            fmt::format("{}{} {}: {}", all.empty() ? "" : " | ",
                        one.ignored.empty() ? name(one.severity) : std::string_view("passed"), one.path, one.problem);
    }
    return all;
}

}  // namespace

TEST_CASE("build files: what is added to the list is held against what is declared") {
    const Files files = {{"build.sh", "export TORCH_CUDA_ARCH_LIST=\"$TORCH_CUDA_ARCH_LIST;9.0a\"\n"}};
    CHECK(
        said(looked_at(files, "8.0")) ==
        "warning build.sh: changes the arch list; the build has what is asked for and 9.0a (sm_90a), which is not what "
        "is declared: CUDA 12.8 (8.0)");
    CHECK(said(looked_at(files, "8.0;9.0a")) ==
          "notice build.sh: changes the arch list; the build has what is asked for and 9.0a (sm_90a), which is what is "
          "declared");
}

TEST_CASE("build files: what is taken from the list is held against what is declared") {
    const Files files = {{"CMakeLists.txt", "list(REMOVE_ITEM CMAKE_CUDA_ARCHITECTURES 80-real)\n"}};
    CHECK(
        said(looked_at(files, "8.0;9.0")) ==
        "warning CMakeLists.txt: changes the arch list; the build has what is asked for without 80-real (sm_80), which "
        "is not what is declared: CUDA 12.8 (8.0;9.0)");
    CHECK(said(looked_at(files, "9.0")).starts_with("notice"));
}

TEST_CASE("build files: targets in several flags are one list") {
    const Files files = {{"setup.py",
                          "import setuptools\nf = ['-gencode=arch=compute_80,code=sm_80', "
                          "'-gencode=arch=compute_90,code=sm_90', '-gencode=arch=compute_90,code=compute_90']"
                          "\n"}};
    CHECK(said(looked_at(files, "8.0;9.0+PTX")) ==
          "notice setup.py: names targets, so the arch list is not used; the file has 8.0;9.0+PTX (sm_80 sm_90 "
          "compute_90), which is what is declared");
}

TEST_CASE("build files: a Makefile counts if it is what builds") {
    const std::string text = "TORCH_CUDA_ARCH_LIST = 7.0\n";
    CHECK(said(looked_at({{"Makefile", text}}, "8.0")).starts_with("warning"));
    CHECK(said(looked_at({{"Makefile", text}, {"setup.py", "import setuptools\n"}}, "8.0")).empty());
    CHECK(said(looked_at({{"Makefile", text}, {"setup.py", "subprocess.run(['make'])\n"}}, "8.0"))
              .starts_with("warning"));
}

TEST_CASE("lint_ignore: with a slash in front it is the file at the root alone") {
    const std::string text = "import setuptools\nos.environ['TORCH_CUDA_ARCH_LIST'] = '7.0'\n";
    const Files files = {{"setup_a.py", text}, {"ops/setup_a.py", text}};
    const auto severities = [&](const std::string& path) {
        std::string all;
        for (const LintFinding& one :
             looked_at(files, "8.0", "lint_ignore: [{rule: arch-list-override, path: " + path + ", reason: mended}]\n")
                 .findings) {
            all += fmt::format("{}:{} ", one.path, one.ignored.empty() ? "error" : "passed");
        }
        return all;
    };
    CHECK(severities("setup_a.py") == "ops/setup_a.py:passed setup_a.py:passed ");
    CHECK(severities("/setup_a.py") == "ops/setup_a.py:error setup_a.py:passed ");
    CHECK(severities("/ops/*") == "ops/setup_a.py:passed setup_a.py:error ");
    CHECK(ignore_entry("arch-gate", "setup.py") ==
          "lint_ignore: [{rule: arch-gate, path: \"/setup.py\", reason: \"…\"}]");
}

TEST_CASE("build_subdir: a folder that is else left out is the package") {
    const Files files = {
        {"setup.py", "import setuptools\n"},
        {"submodules/a/k.cu", "__global__ void k() {\n#if __CUDA_ARCH__ >= 890\n    work();\n#endif\n}\n"}};
    CHECK(said(looked_at(files, "8.0")).empty());
    CHECK(said(looked_at(files, "8.0", "build_subdir: submodules/a\n")).starts_with("error submodules/a/k.cu"));
}

}  // namespace wheelarch
