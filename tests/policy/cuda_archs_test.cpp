#include "policy/cuda_archs.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "base/error.hpp"

using namespace wheelarch;

namespace {

ArchSet sass_of(const std::string& names) {
    ArchSet archs;
    std::istringstream words(names);
    for (std::string word; words >> word;) {
        archs.sass.insert(parse_bare_arch(word).value_or(Arch{}));
    }
    return archs;
}

// What a release can build of all that the table knows.
std::set<Arch> targets(CudaVersion cuda) {
    std::set<Arch> found;
    std::copy_if(known_archs().begin(), known_archs().end(), std::inserter(found, found.end()),
                 [&](Arch arch) { return builds(cuda, arch); });
    return found;
}

std::string message_of(std::string_view text) {
    try {
        return "read as " + to_text(parse_cuda_version(text));
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return std::string(error.what()) + " | " + error.fix();
    }
}

Finding only_finding(const ArchSet& archs, CudaVersion cuda) {
    const auto findings = check_buildable(archs, cuda, "row 3");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].place == "row 3");
    CHECK(findings[0].rule == "cuda-lacks-arch");
    CHECK(findings[0].severity == Severity::error);
    return findings[0];
}

}  // namespace

// The sets are what `ptxas --help` of the releases lists.
TEST_CASE("cuda_archs: the targets of each release") {
    const std::string upto90 = "50 52 53 60 61 62 70 72 75 80 86 87 89 90";
    CHECK(targets({11, 8}) == sass_of("35 37 " + upto90).sass);
    for (const unsigned minor : {0u, 1u, 2u, 3u, 4u, 5u, 6u}) {
        CHECK(targets({12, minor}) == sass_of(upto90 + " 90a").sass);
    }
    CHECK(targets({12, 8}) == sass_of(upto90 + " 90a 100 100a 101 101a 120 120a").sass);
    CHECK(targets({12, 9}) ==
          sass_of(upto90 + " 90a 100 100a 100f 101 101a 101f 103 103a 103f 120 120a 120f 121 121a 121f").sass);
    const std::string of13 =
        "75 80 86 87 88 89 90 90a 100 100a 100f 103 103a 103f 110 110a 110f 120 120a 120f 121 121a 121f";
    for (const unsigned minor : {0u, 1u, 2u, 3u}) {
        CHECK(targets({13, minor}) == sass_of(of13).sass);
    }
    CHECK(targets({13, 4}) == sass_of(of13 + " 107 107a 107f").sass);
    CHECK(targets({13, 5}) == targets({13, 4}));
    CHECK(newest_cuda() == CudaVersion{13, 5});
}

TEST_CASE("cuda_archs: the first and last release of an arch") {
    CHECK(first_cuda({90, '\0'}) == CudaVersion{11, 8});
    CHECK(first_cuda({90, 'a'}) == CudaVersion{12, 0});
    CHECK(first_cuda({100, 'f'}) == CudaVersion{12, 9});
    CHECK(first_cuda({90, 'f'}) == std::nullopt);
    CHECK(first_cuda({130, '\0'}) == std::nullopt);
    CHECK(last_cuda({37, '\0'}) == CudaVersion{11, 8});
    CHECK(last_cuda({70, '\0'}) == CudaVersion{12, 9});
    CHECK(last_cuda({101, 'a'}) == CudaVersion{12, 9});
    CHECK(last_cuda({75, '\0'}) == std::nullopt);
    CHECK(last_cuda({130, '\0'}) == std::nullopt);
}

TEST_CASE("cuda_archs: the table is in order and says each arch once") {
    CHECK(std::is_sorted(known_archs().begin(), known_archs().end()));
    CHECK(std::adjacent_find(known_archs().begin(), known_archs().end()) == known_archs().end());
    for (const Arch arch : known_archs()) {
        CHECK(first_cuda(arch).value_or(CudaVersion{}) >= oldest_cuda());
        CHECK(first_cuda(arch) <= last_cuda(arch).value_or(newest_cuda()));
        CHECK_FALSE(is_plausible(arch));
    }
}

TEST_CASE("cuda_archs: archs to come") {
    CHECK(is_plausible({108, '\0'}));
    CHECK(is_plausible({130, 'a'}));
    CHECK_FALSE(is_plausible({81, '\0'}));
    CHECK_FALSE(is_plausible({90, 'f'}));
    CHECK_FALSE(is_plausible({200, '\0'}));
    CHECK_FALSE(is_plausible({990, '\0'}));
}

TEST_CASE("cuda_archs: a list that can be built has no finding") {
    CHECK(check_buildable(sass_of("75 80 86 90 100 120"), {12, 8}, "").empty());
    CHECK(check_buildable(sass_of("75 90a 107f"), {13, 5}, "").empty());
    CHECK(check_buildable({}, {13, 0}, "").empty());
}

TEST_CASE("cuda_archs: an arch that the release dropped") {
    const Finding finding = only_finding(sass_of("70 75"), {13, 0});
    CHECK(finding.message == "CUDA 13.0 has no target for 7.0 (sm_70); CUDA 9.0 to 12.9 have");
    CHECK(finding.fix == "take 7.0 out of the list for CUDA 13.0, or build with CUDA 12.9 or older");
}

TEST_CASE("cuda_archs: an arch that the release does not have yet") {
    const Finding finding = only_finding(sass_of("90 103"), {12, 8});
    CHECK(finding.message == "CUDA 12.8 has no target for 10.3 (sm_103); CUDA 12.9 and later have");
    CHECK(finding.fix == "take 10.3 out of the list for CUDA 12.8, or build with CUDA 12.9 or newer");
    // Asked of the PTX too, and once for both.
    CHECK(only_finding({{{103, '\0'}}, {{103, '\0'}}}, {12, 8}).message == finding.message);
    CHECK(only_finding({{}, {{103, '\0'}}}, {12, 8}).message == finding.message);
}

TEST_CASE("cuda_archs: the release has the device under another suffix") {
    const Finding finding = only_finding(sass_of("100f"), {12, 8});
    CHECK(finding.message == "CUDA 12.8 has no target for 10.0f (sm_100f); CUDA 12.9 and later have");
    CHECK(finding.fix ==
          "write one of 10.0, 10.0a (what CUDA 12.8 has for this device), or build with CUDA 12.9 or newer");
}

TEST_CASE("cuda_archs: the device that CUDA 13.0 renamed") {
    const Finding old_name = only_finding(sass_of("101"), {13, 0});
    CHECK(old_name.message == "CUDA 13.0 has no target for 10.1 (sm_101); CUDA 12.8 to 12.9 have");
    CHECK(
        old_name.fix ==
        "write 11.0 for CUDA 13.0 (the same device: CUDA 13.0 renamed 10.1 to 11.0), or build with CUDA 12.9 or older");
    const Finding new_name = only_finding(sass_of("110a"), {12, 8});
    CHECK(new_name.message == "CUDA 12.8 has no target for 11.0a (sm_110a); CUDA 13.0 and later have");
    CHECK(new_name.fix ==
          "write 10.1a for CUDA 12.8 (the same device: CUDA 13.0 renamed 10.1 to 11.0), or build with CUDA 13.0 or "
          "newer");
    // 12.6 had it under neither name.
    CHECK(only_finding(sass_of("110a"), {12, 6}).fix ==
          "take 11.0a out of the list for CUDA 12.6, or build with CUDA 13.0 or newer");
}

TEST_CASE("cuda_archs: an arch of no release, and one of a single release") {
    CHECK(only_finding(sass_of("130"), {13, 0}).message ==
          "CUDA 13.0 has no target for 13.0 (sm_130); no release up to 13.5 has");
    CHECK(only_finding(sass_of("130"), {13, 0}).fix == "take 13.0 out of the list");
    CHECK(only_finding(sass_of("101f"), {12, 8}).message ==
          "CUDA 12.8 has no target for 10.1f (sm_101f); only CUDA 12.9 has");
}

TEST_CASE("cuda_archs: a release from before the measured ones") {
    // A base image's list with 9.0, built with CUDA 11.7 (OpenBMB/BMTrain issue 83).
    const Finding finding = only_finding(sass_of("52 60 61 70 75 80 86 90"), {11, 7});
    CHECK(finding.message == "CUDA 11.7 has no target for 9.0 (sm_90); CUDA 11.8 and later have");
}

TEST_CASE("cuda_archs: a release newer than the table") {
    const auto findings = check_buildable(sass_of("70 90"), {14, 0}, "x");
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].rule == "cuda-not-in-table");
    CHECK(findings[0].severity == Severity::notice);
    CHECK(findings[0].message == "CUDA 14.0 is newer than the table of archs, which ends at 13.5: judged as CUDA 13.5");
    CHECK(findings[1].message == "CUDA 13.5 has no target for 7.0 (sm_70); CUDA 9.0 to 12.9 have");
    CHECK(check_buildable(sass_of("90"), {13, 5}, "x").empty());
}

TEST_CASE("cuda_archs: versions are read") {
    CHECK(parse_cuda_version("12.8") == CudaVersion{12, 8});
    CHECK(parse_cuda_version("13.0.1") == CudaVersion{13, 0});
    CHECK(parse_cuda_version("12.10") == CudaVersion{12, 10});
    CHECK(to_text(CudaVersion{12, 10}) == "12.10");
    CHECK(CudaVersion{12, 9} < CudaVersion{12, 10});
}

TEST_CASE("cuda_archs: what is no version") {
    CHECK(message_of("cu128") == "\"cu128\" is not a CUDA version: MAJOR.MINOR is expected | did you mean 12.8?");
    CHECK(message_of("130") == "\"130\" is not a CUDA version: MAJOR.MINOR is expected | did you mean 13.0?");
    CHECK(message_of("") == "\"\" is not a CUDA version: MAJOR.MINOR is expected | write it like 12.8");
    CHECK(message_of("12") == "\"12\" is not a CUDA version: MAJOR.MINOR is expected | write it like 12.8");
    CHECK(message_of("12.8\n") == "\"12.8\\n\" is not a CUDA version: MAJOR.MINOR is expected | write it like 12.8");
    for (const char* text : {"12.", ".8", "12..8", "12.8.1.2", "012.8", "12.08", "v12.8", "12.8a", "-1.0", "0.1",
                             "1e3.0", "12.8 ", "99999999999.0", "12.8.", "cu12.8", "cuda"}) {
        CHECK_THROWS_AS(parse_cuda_version(text), Error);
    }
    CHECK_THROWS_AS(parse_cuda_version(std::string(100000, '1')), Error);
}

TEST_CASE("cuda_archs: no text breaks the version reader") {
    std::mt19937 random(2);  // NOLINT(bugprone-random-generator-seed): the same in every run
    for (int i = 0; i < 20000; ++i) {
        std::string text(random() % 10, '\0');
        for (char& c : text) {
            c = "0123456789...cu-\n\xff"[random() % 18];
        }
        CHECK_FALSE(message_of(text).empty());
    }
}

TEST_CASE("cuda_archs: PTX ISA versions") {
    CHECK(cuda_of_ptx_isa(7, 8) == CudaVersion{11, 8});
    CHECK(cuda_of_ptx_isa(8, 5) == CudaVersion{12, 5});
    CHECK(cuda_of_ptx_isa(8, 7) == CudaVersion{12, 8});
    CHECK(cuda_of_ptx_isa(8, 8) == CudaVersion{12, 9});
    CHECK(cuda_of_ptx_isa(9, 0) == CudaVersion{13, 0});
    CHECK(cuda_of_ptx_isa(9, 5) == CudaVersion{13, 5});
    CHECK(cuda_of_ptx_isa(9, 6) == std::nullopt);
    CHECK(cuda_of_ptx_isa(0, 0) == std::nullopt);
}
