#include "wheel/summary.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "binary/cubin.hpp"

namespace wheelarch {
namespace {

struct Region {
    ArchSet archs;  // of its images with code
    bool relocatable = false;
    std::uint32_t number = 0;
};

std::set<Arch>& of_kind(ArchSet& archs, ImageKind kind) {
    return kind == ImageKind::ptx ? archs.ptx : archs.sass;
}

bool counts(const Image& image) {
    return image.kind == ImageKind::sass || image.kind == ImageKind::ptx;
}

void count_images(Member& member, const DeviceCode& code) {
    ArchSet linked;
    ArchSet kernelless;
    for (const Image& image : code.images) {
        if (!counts(image)) {
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

std::vector<Region> regions_with_code(const DeviceCode& code) {
    std::vector<Region> regions;
    for (const Image& image : code.images) {
        if (!counts(image) || image.kernelless) {
            continue;
        }
        if (regions.empty() || regions.back().number != image.region) {
            regions.push_back({{}, code.sections[image.section].relocatable, image.region});
        }
        of_kind(regions.back().archs, image.kind).insert(image.arch);
    }
    return regions;
}

void profile(Member& member, const std::vector<Region>& regions) {
    std::map<std::pair<bool, ArchSet>, std::uint64_t> counted;
    for (const Region& region : regions) {
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
void find_narrow(Member& member, const std::vector<Region>& regions, const DeviceCode& code, ByteView file) {
    constexpr std::size_t kNamedRegions = 24;  // more than a message shows; each name costs an image's decompression
    PayloadReader reader;
    ArchSet all[2];
    for (const Region& region : regions) {
        all[region.relocatable ? 1 : 0].add(region.archs);
    }
    for (const Region& region : regions) {
        const ArchSet lacks = minus(all[region.relocatable ? 1 : 0], region.archs);
        if (lacks.empty()) {
            continue;
        }
        ++member.narrow_count;
        if (member.narrow_regions.size() < kMaxNarrowRegions) {
            const bool is_named = member.narrow_regions.size() < kNamedRegions;
            member.narrow_regions.push_back({region.number + 1, code.regions[region.number], lacks,
                                             is_named ? function_in(region.number, code, file, reader) : ""});
        }
    }
}

// CUDA 12 runs on drivers from 525 on, but those before 550 cannot decompress zstd and say "device kernel image is
// invalid", which reads like a missing arch. What CUDA 13 makes needs a newer driver anyway.
void note_zstd(Member& member, const DeviceCode& code) {
    const bool needs_driver = std::any_of(code.images.begin(), code.images.end(), [](const Image& image) {
        const bool by_cuda12 = image.kind == ImageKind::ptx ? image.version_major <= 8 : image.version_minor <= 7;
        return image.compression == Compression::zstd && counts(image) && by_cuda12;
    });
    if (needs_driver) {
        member.findings.push_back({"zstd-driver",
                                   Severity::warning,
                                   {},
                                   "images compressed by zstd in a CUDA 12 build need driver 550 or newer",
                                   "for older drivers, build with -Xfatbin -compress-all and without -compress-mode"});
    }
}

}  // namespace

Member summarize(const DeviceCode& code, ByteView file) {
    Member member;
    member.format = code.format;
    member.machine = code.machine;
    member.region_count = code.regions.size();
    member.findings = code.findings;
    member.images = code.images;
    for (const CodeSection& section : code.sections) {
        member.sections.push_back(section.name);
    }
    count_images(member, code);
    note_zstd(member, code);
    const std::vector<Region> regions = regions_with_code(code);
    profile(member, regions);
    find_narrow(member, regions, code, file);
    return member;
}

}  // namespace wheelarch
