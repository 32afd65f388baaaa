#include "wheel/summary.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "binary/cubin.hpp"

namespace wheelarch {
namespace {

struct Profiled {
    ArchSet archs;  // of its images with code
    bool relocatable = false;
    std::uint32_t number = 0;
};

std::set<Arch>& of_kind(ArchSet& archs, ImageKind kind) {
    return kind == ImageKind::ptx ? archs.ptx : archs.sass;
}

bool is_code(const Image& image) {
    return image.kind == ImageKind::sass || image.kind == ImageKind::ptx;
}

bool counts(const DeviceCode& code, const Image& image) {
    return is_code(image) && code.regions[image.region].state == RegionState::registered;
}

OutsideCode outside(const DeviceCode& code, RegionState state) {
    OutsideCode found;
    std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
    for (const Image& image : code.images) {
        if (!is_code(image) || image.kernelless || code.regions[image.region].state != state) {
            continue;
        }
        found.offset = found.images == 0 ? code.regions[image.region].offset : found.offset;
        ++found.images;
        found.regions += image.region == last ? 0 : 1;
        last = image.region;
        of_kind(found.archs, image.kind).insert(image.arch);
    }
    return found;
}

void count_images(Member& member, const DeviceCode& code) {
    ArchSet linked;
    ArchSet kernelless;
    for (const Image& image : code.images) {
        if (!counts(code, image)) {
            continue;
        }
        ++member.image_count;
        if (image.kernelless) {
            ++member.kernelless_count;
            of_kind(kernelless, image.kind).insert(image.arch);
            continue;
        }
        of_kind(member.archs, image.kind).insert(image.arch);
        if (!code.sections[image.section].relocatable) {
            of_kind(linked, image.kind).insert(image.arch);
        }
    }
    member.kernelless_archs = minus(kernelless, member.archs);
    if (!linked.empty()) {
        member.relocatable_archs = minus(member.archs, linked);
    }
}

std::vector<Profiled> regions_with_code(const DeviceCode& code) {
    std::vector<Profiled> regions;
    for (const Image& image : code.images) {
        if (!counts(code, image) || image.kernelless) {
            continue;
        }
        if (regions.empty() || regions.back().number != image.region) {
            regions.push_back({{}, code.sections[image.section].relocatable, image.region});
        }
        of_kind(regions.back().archs, image.kind).insert(image.arch);
    }
    return regions;
}

void profile(Member& member, const std::vector<Profiled>& regions) {
    std::map<std::pair<bool, ArchSet>, std::uint64_t> counted;
    for (const Profiled& region : regions) {
        ++counted[{region.relocatable, region.archs}];
    }
    for (const auto& [key, count] : counted) {
        member.profiles.push_back({key.second, key.first, count});
    }
    std::sort(member.profiles.begin(), member.profiles.end(), [](const Profile& a, const Profile& b) {
        return std::tie(b.regions, a.relocatable, a.archs) < std::tie(a.regions, b.relocatable, b.archs);
    });
}

// The name of a function in the first cubin of a region that has code.
std::string function_in(std::uint32_t region, const DeviceCode& code, ByteView file, PayloadReader& reader) {
    constexpr std::uint64_t kHead = 16 << 10;
    const auto image = std::find_if(code.images.begin(), code.images.end(), [&](const Image& candidate) {
        return candidate.region == region && candidate.kind == ImageKind::sass && !candidate.kernelless;
    });
    if (image == code.images.end()) {
        return {};
    }
    return std::string(cubin_head_function(open_image_head(file, *image, reader, kHead)));
}

// Linked and relocatable code are not neighbours: the one never has the PTX that the other carries.
void find_narrow(Member& member, const std::vector<Profiled>& regions, const DeviceCode& code, ByteView file) {
    constexpr std::size_t kNamedRegions = 24;  // more than a message shows; each name costs an image's decompression
    PayloadReader reader;
    ArchSet all[2];
    for (const Profiled& region : regions) {
        all[region.relocatable ? 1 : 0].add(region.archs);
    }
    for (const Profiled& region : regions) {
        const ArchSet lacks = minus(all[region.relocatable ? 1 : 0], region.archs);
        if (lacks.empty()) {
            continue;
        }
        ++member.narrow_count;
        if (member.narrow_regions.size() < kMaxNarrowRegions) {
            const bool is_named = member.narrow_regions.size() < kNamedRegions;
            member.narrow_regions.push_back({region.number + 1, code.regions[region.number].offset, lacks,
                                             is_named ? function_in(region.number, code, file, reader) : ""});
        }
    }
}

// CUDA 12 runs on drivers from 525 on, but those before 550 cannot decompress zstd and say "device kernel image is
// invalid", which reads like a missing arch. What CUDA 13 makes needs a newer driver anyway.
void note_zstd(Member& member, const DeviceCode& code) {
    const bool needs_driver = std::any_of(code.images.begin(), code.images.end(), [&](const Image& image) {
        const bool by_cuda12 = image.kind == ImageKind::ptx ? image.version_major <= 8 : image.version_minor <= 7;
        return image.compression == Compression::zstd && counts(code, image) && by_cuda12;
    });
    if (needs_driver) {
        member.findings.push_back({"zstd-driver",
                                   Severity::warning,
                                   {},
                                   "images compressed by zstd in a CUDA 12 build need driver 550 or newer",
                                   "for older drivers, build with -Xfatbin -compress-all and without -compress-mode"});
    }
}

std::string images_text(const OutsideCode& code) {
    return fmt::format("{} ({}) in {}, the first at offset {:#x}", count_of(code.images, "image"), to_text(code.archs),
                       count_of(code.regions, "place"), code.offset);
}

}  // namespace

void note_outside(Member& member) {
    std::vector<Finding>& findings = member.findings;
    if (member.unregistered.images > 0) {
        findings.push_back({"unregistered-code",
                            Severity::notice,
                            {},
                            fmt::format("no wrapper registers {}: the CUDA runtime does not load them, and they do not "
                                        "count",
                                        images_text(member.unregistered)),
                            {}});
    }
    if (member.embedded.images > 0) {
        findings.push_back(
            {"embedded-code",
             Severity::notice,
             {},
             fmt::format("its data holds {}, which the CUDA runtime does not register; they do not count",
                         images_text(member.embedded)),
             "if the package loads them itself, make them count: --count-embedded, in the package's "
             "YAML `count_embedded: true`"});
    }
    if (member.bitcode > 0) {
        findings.push_back(
            {"embedded-code",
             Severity::notice,
             {},
             fmt::format("its data holds LLVM bitcode or LTO-IR ({}), which may be compiled at run time; "
                         "it counts for no arch",
                         count_of(member.bitcode, "piece")),
             {}});
    }
    if (member.amd) {
        findings.push_back({"amd-code", Severity::notice, {}, "it has code for AMD GPUs, which is not read", {}});
    }
}

Member summarize(const DeviceCode& code, ByteView file) {
    Member member;
    member.format = code.format;
    member.machine = code.machine;
    member.region_count =
        static_cast<std::uint64_t>(std::count_if(code.regions.begin(), code.regions.end(), [](const Region& region) {
            return region.state == RegionState::registered;
        }));
    member.unregistered = outside(code, RegionState::unregistered);
    member.embedded = outside(code, RegionState::embedded);
    member.bitcode = code.bitcode;
    member.amd = code.amd;
    member.regions = code.regions;
    member.findings = code.findings;
    member.images = code.images;
    for (const CodeSection& section : code.sections) {
        member.sections.push_back(section.name);
    }
    count_images(member, code);
    note_zstd(member, code);
    const std::vector<Profiled> regions = regions_with_code(code);
    profile(member, regions);
    find_narrow(member, regions, code, file);
    return member;
}

}  // namespace wheelarch
