#include "lint/build/file_targets.hpp"

#include <string>
#include <string_view>

#include <doctest/doctest.h>

namespace wheelarch {
namespace {

// The archs of `csrc/a.cu`, or nothing.
std::string archs_of(std::string_view script) {
    FileTargets targets;
    targets.add_script("CMakeLists.txt", script);
    const ArchSet* archs = targets.named("csrc/a.cu");
    return archs == nullptr ? "" : to_arch_list(*archs);
}

}  // namespace

TEST_CASE("file targets: by variables, as they stand, by a pattern") {
    CHECK(archs_of("f(A \"9.0a;10.0f\" \"${ALL}\")\nset(S csrc/a.cu csrc/b.cu)\ng(SRCS \"${S}\" ARCHS \"${A}\")\n") ==
          "9.0a;10.0f");
    CHECK(archs_of("g(SRCS csrc/a.cu ARCHS \"8.0+PTX\")\n") == "8.0+PTX");
    CHECK(archs_of("file(GLOB S \"csrc/*.cu\")\ng(${S} 8.9)\n") == "8.9");
    CHECK(archs_of("g(${CMAKE_CURRENT_SOURCE_DIR}/csrc/a.cu 8.9)\n") == "8.9");
}

TEST_CASE("file targets: flags for nvcc") {
    CHECK(archs_of("set_source_files_properties(csrc/a.cu PROPERTIES COMPILE_OPTIONS "
                   "\"-gencode=arch=compute_89,code=sm_89\")\n") == "8.9");
    CHECK(archs_of("set(F -gencode arch=compute_89,code=sm_89)\ncuda_add_library(x csrc/a.cu OPTIONS ${F})\n") ==
          "8.9");
    CHECK(archs_of("set_source_files_properties(csrc/a.cu PROPERTIES COMPILE_OPTIONS -gencode=arch=compute_${A})\n") ==
          "");
}

TEST_CASE("file targets: every branch counts; of two commands the one with fewer archs") {
    CHECK(archs_of("if(X)\n  f(A \"9.0a\")\nelse()\n  f(A \"10.0a\")\nendif()\ng(csrc/a.cu ${A})\n") == "9.0a;10.0a");
    CHECK(archs_of("g(csrc/a.cu 9.0a)\nwhole(x csrc/a.cu csrc/b.cu \"7.5;8.0;9.0\")\n") == "9.0a");
}

TEST_CASE("file targets: what gives a file no archs") {
    CHECK(archs_of("add_library(x csrc/a.cu)\n") == "");
    CHECK(archs_of("g(csrc/b.cu 9.0a)\n") == "");
    CHECK(archs_of("g(csrc/a.cu VERSION 3.26)\n") == "");
    CHECK(archs_of("g(csrc/a.cu ${NEVER_SET})\n") == "");
    CHECK(archs_of("g(csrc/a.cu 90)\n") == "");
    CHECK(archs_of("message(csrc/a.cu 9.0a)\n") == "");
    CHECK(archs_of("# g(csrc/a.cu 9.0a)\n") == "");
    CHECK(archs_of("set(S csrc/a.cu)\nset(A 9.0a)\n") == "");
}

TEST_CASE("file targets: PTX may be asked for every later arch") {
    FileTargets targets;
    targets.add_script("CMakeLists.txt", "g(csrc/a.cu \"8.0+PTX\")\n");
    const auto bit = [](Arch arch) { return passes_where([&](Arch other) { return other == arch; }); };
    CHECK((targets.passes("csrc/a.cu") & bit({86, '\0'})) != kNoPass);
    CHECK((targets.passes("csrc/a.cu") & bit({75, '\0'})) == kNoPass);
    CHECK((targets.passes("csrc/a.cu") & bit({90, 'a'})) == kNoPass);
    CHECK(targets.passes("csrc/b.cu") == every_pass());
}

}  // namespace wheelarch
