#include "wheel/summary.hpp"

#include <doctest/doctest.h>

#include "support/bytes.hpp"
#include "support/device_probe.hpp"
#include "support/fatbin_builder.hpp"

namespace wheelarch {
namespace {

Member summary_of(std::initializer_list<NamedContent> sections) {
    const std::string file = build_library(sections);
    return summarize(read_bytes(file), ByteView(file));
}

std::string region(const std::vector<EntrySpec>& entries) {
    return build_region({.entries = entries});
}

// `sm_80 sm_90 ×2, [sm_80] ×1`; relocatable ones in brackets.
std::string profiles(const Member& member) {
    std::string text;
    for (const Profile& profile : member.profiles) {
        const std::string archs = to_text(profile.archs);
        text += (text.empty() ? "" : ", ") + (profile.relocatable ? "[" + archs + "]" : archs) + " x" +
                std::to_string(profile.regions);
    }
    return text;
}

TEST_CASE("the union of the images that hold code") {
    const Member member = summary_of({{".nv_fatbin", region({sass(80), ptx(90)}) + region({sass(90, 'a')})}});
    CHECK(to_text(member.archs) == "sm_80 sm_90a compute_90");
    CHECK(member.image_count == 3);
    CHECK(member.kernelless_count == 0);
    CHECK(member.region_count == 2);
    CHECK(member.kernelless_archs.empty());
    CHECK(member.relocatable_archs.empty());
    CHECK(member.format == FileFormat::elf);
    CHECK(member.machine == 62);
    CHECK(member.sections == std::vector<std::string>{".nv_fatbin"});
    CHECK(member.images.size() == 3);
}

TEST_CASE("an arch that only empty images are for is not there, and is named apart") {
    const Member member =
        summary_of({{".nv_fatbin", region({stub(75), stub(80), empty_ptx(90)}) + region({sass(80)})}});
    CHECK(to_text(member.archs) == "sm_80");
    CHECK(to_text(member.kernelless_archs) == "sm_75 compute_90");
    CHECK(member.image_count == 4);
    CHECK(member.kernelless_count == 3);
}

TEST_CASE("what is neither SASS nor PTX is not counted") {
    const Member member =
        summary_of({{".nv_fatbin",
                     region({{.kind = 8, .arch = 90, .payload = "lto"}, {.kind = 0x80, .arch = 90, .payload = "x"}})}});
    CHECK(member.image_count == 0);
    CHECK(member.archs.empty());
    CHECK(member.profiles.empty());
    CHECK(member.images.size() == 2);
}

TEST_CASE("regions of one arch set are counted together, most first") {
    const Member member = summary_of(
        {{".nv_fatbin", region({sass(100, 'a')}) + region({sass(80), sass(90)}) + region({sass(90), sass(80)}) +
                            region({stub(80), stub(90)}) + region({sass(80), sass(90)})}});
    CHECK(profiles(member) == "sm_80 sm_90 x3, sm_100a x1");
    CHECK(member.region_count == 5);
}

TEST_CASE("a translation unit that was built for less than its neighbours") {
    const std::string wide = region({sass(80), sass(90), ptx(90)});
    const Member member = summary_of({{".nv_fatbin", wide + region({sass(52)}) + wide}});
    CHECK(to_text(member.archs) == "sm_52 sm_80 sm_90 compute_90");
    CHECK(member.narrow_count == 3);  // the others lack sm_52 in turn
    REQUIRE(member.narrow_regions.size() == 3);
    CHECK(member.narrow_regions[0].number == 1);
    CHECK(to_text(member.narrow_regions[0].lacks) == "sm_52");
    CHECK(member.narrow_regions[1].number == 2);
    CHECK(to_text(member.narrow_regions[1].lacks) == "sm_80 sm_90 compute_90");
    CHECK(member.narrow_regions[1].function == "scale");
    CHECK(member.narrow_regions[1].offset == member.narrow_regions[0].offset + wide.size());
}

TEST_CASE("one arch of two that a translation unit kept, hidden by the union") {
    const Member member =
        summary_of({{".nv_fatbin", region({sass(90, 'a'), sass(100, 'a')}) + region({sass(100, 'a')})}});
    CHECK(to_text(member.archs) == "sm_90a sm_100a");
    CHECK(member.narrow_count == 1);
    CHECK(to_text(member.narrow_regions.at(0).lacks) == "sm_90a");
}

TEST_CASE("empty regions are not narrow") {
    CHECK(summary_of({{".nv_fatbin", region({sass(80)}) + region({stub(80)}) + region({stub(75)}) + region({})}})
              .narrow_count == 0);
}

TEST_CASE("no more than so many narrow regions are kept, all are counted") {
    std::string section = region({sass(80), ptx(80)});
    for (std::size_t i = 0; i < kMaxNarrowRegions + 5; ++i) {
        section += region({ptx(80)});
    }
    const Member member = summary_of({{".nv_fatbin", section}});
    CHECK(member.narrow_count == kMaxNarrowRegions + 5);
    CHECK(member.narrow_regions.size() == kMaxNarrowRegions);
}

TEST_CASE("a library with a device link: what only its relocatable part has counts, and is named apart") {
    const Member member =
        summary_of({{".nv_fatbin", region({sass(80)})}, {"__nv_relfatbin", region({sass(80), sass(86), ptx(80)})}});
    CHECK(to_text(member.archs) == "sm_80 sm_86 compute_80");
    CHECK(to_text(member.relocatable_archs) == "sm_86 compute_80");
    CHECK(profiles(member) == "sm_80 x1, [sm_80 sm_86 compute_80] x1");
    CHECK(member.narrow_count == 0);  // linked and relocatable code are no neighbours
}

TEST_CASE("relocatable code alone counts in full") {
    const Member member = summary_of({{"__nv_relfatbin", region({sass(80), ptx(80)})}});
    CHECK(to_text(member.archs) == "sm_80 compute_80");
    CHECK(member.relocatable_archs.empty());
}

TEST_CASE("relocatable code beside linked code that is empty") {
    const Member member = summary_of({{".nv_fatbin", region({stub(75)})}, {"__nv_relfatbin", region({sass(80)})}});
    CHECK(to_text(member.archs) == "sm_80");
    CHECK(to_text(member.kernelless_archs) == "sm_75");
    CHECK(member.relocatable_archs.empty());
}

// The rules of the findings of a library of one entry.
std::string rules(EntrySpec entry, Pack pack, std::uint16_t major, std::uint16_t minor) {
    entry.pack = pack;
    entry.version_major = major;
    entry.version_minor = minor;
    std::string text;
    for (const Finding& finding : summary_of({{".nv_fatbin", region({entry})}}).findings) {
        text += finding.rule + " ";
    }
    return text;
}

TEST_CASE("zstd in a CUDA 12 build needs a newer driver, which users take for a missing arch") {
    EntrySpec cubin = sass(90);
    CHECK(rules(sass(90), Pack::zstd, 1, 7) == "zstd-driver ");
    CHECK(rules(ptx(90), Pack::zstd, 8, 8) == "zstd-driver ");
    CHECK(rules(sass(90), Pack::zstd, 1, 8).empty());  // CUDA 13 needs such a driver anyway
    CHECK(rules(ptx(90), Pack::zstd, 9, 0).empty());
    CHECK(rules(sass(90), Pack::lz4, 1, 7).empty());
    CHECK(rules(sass(90), Pack::raw, 1, 7).empty());
    cubin.pack = Pack::zstd;
    cubin.version_minor = 7;
    const Member member = summary_of({{".nv_fatbin", region({cubin, cubin})}});
    REQUIRE(member.findings.size() == 1);
    CHECK(member.findings[0].severity == Severity::warning);
    CHECK(member.findings[0].message == "images compressed by zstd in a CUDA 12 build need driver 550 or newer");
    CHECK(member.findings[0].fix == "for older drivers, build with -Xfatbin -compress-all and without -compress-mode");
}

TEST_CASE("the findings of the reader are handed on") {
    EntrySpec wrong = sass(80);
    wrong.arch = 86;
    const Member member = summary_of({{".nv_fatbin", region({wrong})}});
    CHECK(to_text(member.archs) == "sm_86");
    REQUIRE(member.findings.size() == 1);
    CHECK(member.findings[0].rule == "header-differs");
}

}  // namespace
}  // namespace wheelarch
