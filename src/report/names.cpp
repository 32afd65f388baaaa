#include "report/names.hpp"

#include <algorithm>
#include <iterator>

namespace wheelarch {
namespace {

std::vector<std::string> names(const std::set<Arch>& archs, std::string (*spell)(Arch)) {
    std::vector<std::string> all;
    std::transform(archs.begin(), archs.end(), std::back_inserter(all), spell);
    return all;
}

}  // namespace

std::string_view name(ImageKind kind) {
    switch (kind) {
        case ImageKind::sass: return "sass";
        case ImageKind::ptx: return "ptx";
        case ImageKind::lto_ir: return "lto-ir";
        case ImageKind::other: return "other";
    }
    return "other";
}

std::string_view name(Compression compression) {
    switch (compression) {
        case Compression::none: return "none";
        case Compression::lz4: return "lz4";
        case Compression::zstd: return "zstd";
        case Compression::unknown: return "unknown";
    }
    return "unknown";
}

std::string target_name(const Image& image) {
    switch (image.kind) {
        case ImageKind::sass: return sass_name(image.arch);
        case ImageKind::ptx: return ptx_name(image.arch);
        case ImageKind::lto_ir: return "lto_" + bare_name(image.arch);
        case ImageKind::other: return bare_name(image.arch);
    }
    return bare_name(image.arch);
}

std::string_view verdict_name(const Verdict& verdict) {
    return verdict.match ? "match" : verdict.refused ? "refused" : "mismatch";
}

std::string_view verdict_name(ExitCode code) {
    switch (code) {
        case ExitCode::ok: return "match";
        case ExitCode::findings: return "mismatch";
        default: return "unchecked";
    }
}

std::string_view format_name(const Inventory& inventory) {
    return inventory.is_wheel ? "wheel" : name(inventory.members.front().format);
}

std::vector<std::string> sass_names(const ArchSet& archs) {
    return names(archs.sass, sass_name);
}

std::vector<std::string> ptx_names(const ArchSet& archs) {
    return names(archs.ptx, ptx_name);
}

std::vector<std::string> witnesses(const Inventory& inventory) {
    std::vector<std::string> all;
    for (const Member& member : inventory.members) {
        for (const std::string& witness : member.witnesses) {
            if (std::find(all.begin(), all.end(), witness) == all.end()) {
                all.push_back(witness);
            }
        }
    }
    std::sort(all.rbegin(), all.rend());
    return all.empty() ? std::vector<std::string>{"native"} : all;
}

}  // namespace wheelarch
