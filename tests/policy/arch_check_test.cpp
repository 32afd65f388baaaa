#include "policy/arch_check.hpp"

#include <doctest/doctest.h>

using namespace wheelarch;

namespace {

ArchSet set_of(const char* list) {
    return *list == '\0' ? ArchSet() : parse_arch_list(list, "").archs;
}

Member extension(std::string path, const char* archs) {
    Member member;
    member.path = std::move(path);
    member.role = Role::extension;
    member.archs = set_of(archs);
    member.image_count = 1;
    member.region_count = 2;
    return member;
}

Inventory wheel(std::vector<Member> members) {
    Inventory inventory;
    inventory.file_name = "pkg.whl";
    inventory.is_wheel = true;
    inventory.members = std::move(members);
    return inventory;
}

Requirement require(const char* list) {
    Requirement requirement;
    requirement.list = parse_arch_list(list, "--arch-list");
    return requirement;
}

// `severity[rule] place: message | fix`, one line each.
std::string text(const Verdict& verdict) {
    std::string lines;
    for (const Finding& finding : verdict.findings) {
        lines += std::string(name(finding.severity)) + "[" + finding.rule + "] " + finding.place + ": " +
                 finding.message + (finding.fix.empty() ? "" : " | " + finding.fix) + "\n";
    }
    return lines;
}

std::string meant(const std::string& list) {
    return " | build with the requested list; or, if this is meant, declare it: --arch-list \"" + list +
           "\", in the package's YAML `expect_archs: \"" + list + "\"`\n";
}

}  // namespace

TEST_CASE("arch check: equal sets match without a word") {
    const Verdict verdict = check_archs(wheel({extension("a.so", "8.0;9.0+PTX")}), require("8.0;9.0+PTX"));
    CHECK(verdict.match);
    CHECK(text(verdict) == "");
    CHECK(verdict.missing.empty());
    CHECK(verdict.extra.empty());
}

TEST_CASE("arch check: the union over the extensions is judged, vendored libraries are not") {
    Member vendored = extension("libcudart.so.12", "5.0");
    vendored.role = Role::vendored;
    const Verdict verdict =
        check_archs(wheel({extension("a.so", "8.0"), extension("b.so", "8.0;9.0"), vendored}), require("8.0;9.0"));
    CHECK(verdict.match);
    CHECK(text(verdict) ==
          "warning[narrow-member] pkg.whl → a.so: lacks sm_90, which other members have | build every source for the "
          "whole "
          "list; --per-member makes this an error\n");
}

TEST_CASE("arch check: a missing arch, and what its devices load instead") {
    const Verdict verdict = check_archs(wheel({extension("a.so", "8.0;8.6")}), require("8.0;8.6;8.9;10.0"));
    CHECK_FALSE(verdict.match);
    CHECK(text(verdict) ==
          "error[missing-arch] pkg.whl: sm_89 sm_100 requested, but no image of it is there; 8.9 devices load sm_86, "
          "10.0 "
          "devices have nothing to run" +
              meant("8.0;8.6"));
}

TEST_CASE("arch check: nvcc's default arch alone says that the build ignored the list (B19)") {
    const Verdict verdict = check_archs(wheel({extension("libggml-cuda.so", "5.2")}), require("8.0"));
    CHECK(text(verdict) ==
          "error[missing-arch] pkg.whl: sm_80 requested, but no image of it is there, only nvcc's default sm_52: the "
          "build "
          "ignored the list (CMake reads CUDAARCHS); 8.0 devices have nothing to run\n"
          "error[extra-arch] pkg.whl: sm_52 found in libggml-cuda.so, but not requested" +
              meant("5.2"));
}

TEST_CASE("arch check: an extra arch") {
    const Verdict verdict =
        check_archs(wheel({extension("a.so", "8.0"), extension("b.so", "8.0;8.6")}), require("8.0"));
    CHECK(text(verdict).starts_with("error[extra-arch] pkg.whl: sm_86 found in b.so, but not requested" +
                                    meant("8.0;8.6")));
}

TEST_CASE("arch check: a missing PTX tail") {
    const Verdict verdict = check_archs(wheel({extension("a.so", "8.0;9.0")}), require("8.0;9.0+PTX"));
    CHECK(text(verdict) ==
          "error[missing-ptx] pkg.whl: compute_90 requested (+PTX), but no PTX of it is there: newer GPUs "
          "have nothing to compile" +
              meant("8.0;9.0"));
}

TEST_CASE("arch check: PTX does not stand in for SASS (B15)") {
    const Verdict verdict = check_archs(wheel({extension("a.so", "90-virtual")}), require("9.0"));
    CHECK(text(verdict) ==
          "error[missing-arch] pkg.whl: sm_90 requested, but no image of it is there; 9.0 devices compile compute_90\n"
          "error[extra-arch] pkg.whl: compute_90 found in a.so, but not requested" +
              meant("90-virtual"));
}

TEST_CASE("arch check: another suffix is another arch, and is named once") {
    const Verdict verdict = check_archs(wheel({extension("a.so", "8.0;9.0a")}), require("8.0;9.0"));
    CHECK(text(verdict) ==
          "error[wrong-suffix] pkg.whl: sm_90 requested, found sm_90a in a.so: the suffix is part of the arch, and "
          "code with "
          "it runs on that device or family only" +
              meant("8.0;9.0a"));
    CHECK(to_text(verdict.missing) == "sm_90");
    CHECK(to_text(verdict.extra) == "sm_90a");
}

TEST_CASE("arch check: an arch in kernel-less images only is missing, and the message says why (M6)") {
    Member member = extension("a.so", "8.0");
    member.kernelless_archs = set_of("9.0");
    const Verdict verdict = check_archs(wheel({member}), require("8.0;9.0"));
    CHECK(
        text(verdict) ==
        "error[kernelless-arch] pkg.whl: sm_90 requested, but there only as images without a kernel, in a.so: a device "
        "link adds them for the archs of its own command line, a source without kernels makes them, and nothing runs "
        "on them" +
            meant("8.0"));
}

TEST_CASE("arch check: a kernel-less extra is a notice") {
    Member member = extension("a.so", "8.0");
    member.kernelless_archs = set_of("7.5");
    const Verdict verdict = check_archs(wheel({member}), require("8.0"));
    CHECK(verdict.match);
    CHECK(
        text(verdict) ==
        "notice[kernelless-extra] pkg.whl: sm_75 also there, as images without a kernel, in a.so; they do not count\n");
}

TEST_CASE("arch check: PTX in the relocatable fatbin counts, and is said to be there (B29)") {
    Member member = extension("a.so", "8.0+PTX");
    member.relocatable_archs = set_of("80-virtual");
    const Verdict verdict = check_archs(wheel({member}), require("8.0+PTX"));
    CHECK(verdict.match);
    CHECK(text(verdict) ==
          "notice[relocatable-only] pkg.whl: compute_80 only in the relocatable fatbin (__nv_relfatbin) of "
          "a.so: the driver links it when the library is loaded\n");
}

TEST_CASE("arch check: a narrow region warns, and fails when each member counts (B21, B27)") {
    Member member = extension("a.so", "8.0;9.0");
    member.narrow_regions = {{2, 0x1230, set_of("9.0"), "_Z3addPf"}};
    member.narrow_count = 1;
    Requirement requirement = require("8.0;9.0");
    CHECK(check_archs(wheel({member}), requirement).match);
    requirement.per_member = true;
    const Verdict verdict = check_archs(wheel({member}), requirement);
    CHECK_FALSE(verdict.match);
    CHECK(text(verdict) ==
          "error[narrow-region] pkg.whl → a.so: region 2 (offset 0x1230, _Z3addPf) of 2: lacks sm_90, which other "
          "regions have | build every source for the whole list; or run without --per-member\n");
}

TEST_CASE("arch check: a wheel without device code is a mismatch, unless that is declared (B30)") {
    CHECK(text(check_archs(wheel({}), require("8.0"))) ==
          "error[no-device-code] pkg.whl: sm_80 requested, but no member has device code | find out why the build made "
          "none; "
          "or, if this is meant, declare it: --device-code none, in the package's YAML `device_code: none`\n");
    Requirement none;
    none.device_code_none = true;
    CHECK(check_archs(wheel({}), none).match);
    const Verdict verdict = check_archs(wheel({extension("a.so", "8.0")}), none);
    CHECK_FALSE(verdict.match);
    CHECK(text(verdict) ==
          "error[unexpected-device-code] pkg.whl → a.so: declared to have no device code, but holds sm_80 (1 image) | "
          "request "
          "its archs with --arch-list instead of --device-code none (in the package's YAML, remove `device_code: "
          "none`)\n");
}

TEST_CASE("arch check: kernel-less images are no device code (B46)") {
    Member member = extension("a.so", "");
    member.kernelless_archs = set_of("5.2");
    member.kernelless_count = 1;
    Requirement none;
    none.device_code_none = true;
    const Verdict verdict = check_archs(wheel({member}), none);
    CHECK(verdict.match);
    CHECK(text(verdict) ==
          "notice[kernelless-extra] pkg.whl → a.so: holds 1 image without a kernel, for sm_52; they do not "
          "count as device code\n");
}

TEST_CASE("arch check: vendored libraries do not make up for missing device code") {
    Member vendored = extension("pkg.libs/libother.so", "8.0");
    vendored.role = Role::vendored;
    CHECK(
        text(check_archs(wheel({vendored}), require("8.0"))) ==
        "error[no-device-code] pkg.whl: sm_80 requested, but no member has device code other than vendored libraries: "
        "pkg.libs/libother.so | if one of them is the package's own, name it with --include\n");
}

TEST_CASE("arch check: a member with its own expectation is held to it and leaves the union") {
    Requirement requirement = require("8.0");
    requirement.members = {{"*_90a.so", parse_arch_list("9.0a", "")}};
    CHECK(check_archs(wheel({extension("a.so", "8.0"), extension("pkg/x_90a.so", "9.0a")}), requirement).match);
    const Verdict verdict =
        check_archs(wheel({extension("a.so", "8.0"), extension("pkg/x_90a.so", "9.0")}), requirement);
    CHECK(text(verdict).starts_with("error[wrong-suffix] pkg.whl → pkg/x_90a.so: sm_90a requested, found sm_90"));
}

TEST_CASE("arch check: an expectation that no member meets is an error") {
    Requirement requirement = require("8.0");
    requirement.members = {{"nothing*.so", parse_arch_list("9.0a", "")}};
    CHECK(text(check_archs(wheel({extension("a.so", "8.0")}), requirement)) ==
          "error[unused-expectation] pkg.whl: no extension matches the expected member 'nothing*.so' | correct the "
          "pattern or "
          "remove it\n");
}

TEST_CASE("arch check: an arch list that nothing is held to is said to be so") {
    Requirement requirement = require("8.0");
    requirement.members = {{"*.so", parse_arch_list("9.0", "")}};
    const Verdict verdict = check_archs(wheel({extension("a.so", "9.0")}), requirement);
    CHECK(verdict.match);
    CHECK(to_text(verdict.observed) == "sm_90");
    CHECK(text(verdict) ==
          "warning[unused-arch-list] pkg.whl: each extension has an expectation of its own, so nothing is "
          "held to the arch list | narrow the patterns of --expect-member\n");
}

TEST_CASE("arch check: a member's deviation is declared for its pattern") {
    Requirement requirement = require("8.0");
    requirement.members = {{"*_x.so", parse_arch_list("9.0", "")}};
    const Verdict verdict =
        check_archs(wheel({extension("a.so", "8.0"), extension("b_x.so", "9.0;10.0")}), requirement);
    CHECK(text(verdict) ==
          "error[extra-arch] pkg.whl → b_x.so: sm_100 found in b_x.so, but not requested | build with the requested "
          "list; or, "
          "if this is meant, declare it: --expect-member \"*_x.so=9.0;10.0\", in the package's YAML `expect_members: "
          "{\"*_x.so\": \"9.0;10.0\"}`\n");
}
