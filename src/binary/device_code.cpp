#include "binary/device_code.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "binary/ar.hpp"
#include "binary/code_sections.hpp"
#include "binary/cubin.hpp"
#include "binary/elf.hpp"
#include "binary/embedded.hpp"
#include "binary/payload.hpp"
#include "binary/payload_arch.hpp"
#include "binary/pe.hpp"
#include "binary/ptx.hpp"

namespace wheelarch {
namespace {

// Bounds of what is kept in memory; the largest real library has about 20,000 images and 25 archs.
constexpr std::size_t kMaxImages = 1'000'000;
constexpr std::size_t kMaxArchs = 200;
constexpr std::uint64_t kProvingHead = 64 << 10;
constexpr std::uint64_t kReleaseStep = std::uint64_t{32} << 20;

using Target = std::tuple<RegionState, ImageKind, Arch>;

bool is_code(ImageKind kind) {
    return kind == ImageKind::sass || kind == ImageKind::ptx;
}

class Collector {
public:
    Collector(DeviceCode& code, const ReadOptions& options) : code_(code), options_(options) {}

    void add(std::uint32_t section, const FatbinRegion& region, RegionState state) {
        code_.regions.push_back({region.offset, state});
        for (const FatbinEntry& entry : region.entries) {
            add(section, entry);
        }
    }

    // A cubin that lies in data by itself.
    void add_cubin(std::uint32_t section, ByteView cubin) {
        FatbinEntry entry;
        entry.kind = ImageKind::sass;
        entry.arch = cubin_arch(cubin);
        entry.version_major = 1;
        entry.version_minor = read_elf_header(cubin).abi_version;
        entry.size = cubin.size();
        entry.payload = cubin;
        add(section, FatbinRegion{cubin.origin(), cubin.origin() + cubin.size(), {entry}}, RegionState::embedded);
    }

    // Opens, for each arch whose code is only presumed so far, the smallest images until one is seen to hold code.
    void prove() {
        for (auto& [target, entries] : presumed_) {
            if (proven_.contains(target)) {
                continue;
            }
            std::sort(entries.begin(), entries.end(),
                      [](const Presumed& a, const Presumed& b) { return a.entry.size < b.entry.size; });
            for (const Presumed& presumed : entries) {
                Image& image = code_.images[presumed.image];
                image.kernelless = !shows_code(presumed.entry) && !holds_code(presumed.entry);
                if (!image.kernelless) {
                    break;
                }
            }
        }
    }

private:
    struct Presumed {
        std::size_t image;
        FatbinEntry entry;
    };

    void add(std::uint32_t section, const FatbinEntry& entry) {
        if (code_.images.size() == kMaxImages) {
            throw unchecked(fmt::format("more than {} images in one file", kMaxImages));
        }
        Image image;
        image.kind = entry.kind;
        image.raw_kind = entry.raw_kind;
        image.arch = entry.arch;
        image.compression = entry.compression;
        image.debug = entry.debug;
        image.version_major = entry.version_major;
        image.version_minor = entry.version_minor;
        image.section = section;
        image.region = static_cast<std::uint32_t>(code_.regions.size() - 1);
        image.size = entry.payload.size();
        image.opened_size = entry.size;
        image.offset = entry.payload.origin();
        const RegionState state = code_.regions.back().state;
        if (state != RegionState::embedded && is_code(entry.kind)) {
            check_size(entry);
            image.kernelless = look_for_code(entry, state);
        }
        code_.images.push_back(image);
    }

    // Is the image that is about to be added known to be without code?
    bool look_for_code(const FatbinEntry& entry, RegionState state) {
        const Target target(state, entry.kind, entry.arch);
        if (!options_.open_all && entry.compression != Compression::none && entry.size > kAlwaysOpened) {
            presumed_[target].push_back({code_.images.size(), entry});
            if (presumed_.size() > kMaxArchs) {
                throw unchecked(fmt::format("more than {} different archs in one file", kMaxArchs));
            }
            return false;
        }
        if (!holds_code(entry)) {
            return true;
        }
        proven_[target] = true;
        return false;
    }

    // Does already the head of a large image show code?
    bool shows_code(const FatbinEntry& entry) {
        const ByteView head = reader_.open_head(entry, kProvingHead);
        if (entry.kind == ImageKind::ptx) {
            check_header(entry, head);
            return ptx_has_code(head);
        }
        return !cubin_head_function(head).empty();
    }

    bool holds_code(const FatbinEntry& entry) {
        const ByteView payload = reader_.open(entry);
        if (entry.kind == ImageKind::ptx) {
            check_header(entry, payload);
            return ptx_has_code(payload);
        }
        if (entry.compression == Compression::none) {
            return has_code(entry, payload);
        }
        // Offsets in what was decompressed are no offsets in the file.
        return inside(fmt::format("the image at offset {:#x}", entry.payload.origin()),
                      [&] { return has_code(entry, payload); });
    }

    bool has_code(const FatbinEntry& entry, ByteView cubin) {
        const bool found = cubin_has_code(cubin);
        check_header(entry, cubin);
        return found;
    }

    void check_header(const FatbinEntry& entry, ByteView payload) {
        if (has_header_difference(code_.findings)) {
            return;
        }
        if (auto finding = header_difference(entry.kind, entry.arch, entry.payload.origin(), payload)) {
            code_.findings.push_back(std::move(*finding));
        }
    }

    DeviceCode& code_;
    const ReadOptions& options_;
    std::map<Target, std::vector<Presumed>> presumed_;
    std::map<Target, bool> proven_;
    PayloadReader reader_;
};

void read_sections(DeviceCode& code, const CodeSections& found, Collector& collector, const ReadOptions& options) {
    for (std::uint32_t i = 0; i < code.sections.size(); ++i) {
        const ByteView bytes = code.sections[i].bytes;
        std::uint64_t released = 0;
        const auto reached = [&](std::uint64_t end) {
            if (end - released > kReleaseStep) {
                options.done(bytes.clipped(released, end - released));
                released = end;
            }
        };
        const auto add = [&](const FatbinRegion& region) {
            const bool is_registered =
                !found.is_loaded ||
                std::binary_search(found.registered.begin(), found.registered.end(), region.offset - found.origin);
            collector.add(i, region, is_registered ? RegionState::registered : RegionState::unregistered);
        };
        const std::string object = code.format == FileFormat::ar ? code.sections[i].name : "";
        inside(object, [&] { for_each_region(bytes, add, reached); });
    }
}

// What lies between the regions that are known by now.
void search_data(DeviceCode& code, ByteView file, Collector& collector, const ReadOptions& options) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> known;  // begin and end in the file
    for (const CodeSection& section : code.sections) {
        for_each_region(
            section.bytes, [&](const FatbinRegion& region) { known.emplace_back(region.offset, region.end); },
            [](std::uint64_t) {});
    }
    std::sort(known.begin(), known.end());
    known.emplace_back(file.origin() + file.size(), 0);
    const auto section = static_cast<std::uint32_t>(code.sections.size());
    code.sections.push_back({"embedded", {}, false, false});
    const auto take = [&](const Embedded& hit) {
        switch (hit.kind) {
            case EmbeddedKind::amd: code.amd = true; break;
            case EmbeddedKind::bitcode: ++code.bitcode; break;
            case EmbeddedKind::cubin: collector.add_cubin(section, hit.bytes); break;
            case EmbeddedKind::fatbin:
                try {
                    for_each_region(
                        hit.bytes,
                        [&](const FatbinRegion& region) { collector.add(section, region, RegionState::embedded); },
                        [](std::uint64_t) {});
                } catch (const Error&) {
                    return;  // no fatbin then, and so no error of the file
                }
        }
    };
    std::uint64_t from = file.origin();
    for (const auto& [begin, end] : known) {
        if (begin > from) {
            find_embedded(file.slice(from - file.origin(), begin - from, "data"), take, options.done);
        }
        from = std::max(from, end);
    }
    if (code.regions.empty() || code.regions.back().state != RegionState::embedded) {
        code.sections.pop_back();
    }
}

DeviceCode bare_image(ByteView file, FileFormat format) {
    Image image;
    image.kind = format == FileFormat::cubin ? ImageKind::sass : ImageKind::ptx;
    image.arch = format == FileFormat::cubin ? cubin_arch(file) : ptx_arch(file);
    image.kernelless = !(format == FileFormat::cubin ? cubin_has_code(file) : ptx_has_code(file));
    image.size = file.size();
    image.opened_size = file.size();
    if (format == FileFormat::cubin) {
        image.version_major = 1;
        image.version_minor = read_elf_header(file).abi_version;
    }
    return {format, 0, {{"", file, false, false}}, {image}, {{0, RegionState::registered}}, {}, false, 0};
}

FatbinEntry entry_of(ByteView file, const Image& image) {
    FatbinEntry entry;
    entry.kind = image.kind;
    entry.arch = image.arch;
    entry.compression = image.compression;
    entry.size = image.opened_size;
    entry.payload = file.slice(image.offset - file.origin(), image.size, "an image");
    return entry;
}

bool is_object_name(std::string_view path) {
    return path.ends_with(".obj") || path.ends_with(".o");
}

}  // namespace

std::string_view name(RegionState state) {
    switch (state) {
        case RegionState::registered: return "registered";
        case RegionState::unregistered: return "unregistered";
        case RegionState::embedded: return "embedded";
    }
    return "registered";
}

std::string_view name(FileFormat format) {
    switch (format) {
        case FileFormat::other: return "other";
        case FileFormat::elf: return "elf";
        case FileFormat::pe: return "pe";
        case FileFormat::coff: return "coff";
        case FileFormat::ar: return "ar";
        case FileFormat::fatbin: return "fatbin";
        case FileFormat::cubin: return "cubin";
        case FileFormat::ptx: return "ptx";
    }
    return "other";
}

FileFormat detect_format(ByteView head, std::string_view path) {
    if (is_elf(head)) {
        return is_cubin(head) ? FileFormat::cubin : FileFormat::elf;
    }
    return is_pe(head)                                    ? FileFormat::pe
           : is_ar(head)                                  ? FileFormat::ar
           : is_fatbin(head)                              ? FileFormat::fatbin
           : is_object_name(path) && is_coff_object(head) ? FileFormat::coff
           : is_ptx(head)                                 ? FileFormat::ptx
                                                          : FileFormat::other;
}

ByteView open_image(ByteView file, const Image& image, PayloadReader& reader) {
    return reader.open(entry_of(file, image));
}

ByteView open_image_head(ByteView file, const Image& image, PayloadReader& reader, std::uint64_t size) {
    return reader.open_head(entry_of(file, image), size);
}

DeviceCode as_cuobjdump_lists(DeviceCode code) {
    // Regions that were followed, and what was found by searching, come behind the sections.
    const auto is_section = [](const CodeSection& section) { return !section.followed && !section.bytes.empty(); };
    const auto named = std::count_if(code.sections.begin(), code.sections.end(), is_section);
    const auto left_out = [&](const Image& image) {
        return code.regions[image.region].state == RegionState::embedded ||
               (named > 0 && code.sections[image.section].followed);
    };
    code.images.erase(std::remove_if(code.images.begin(), code.images.end(), left_out), code.images.end());
    const auto extra = [&](const CodeSection& section) {
        return !is_section(section) && (named > 0 || !section.followed);
    };
    code.sections.erase(std::remove_if(code.sections.begin(), code.sections.end(), extra), code.sections.end());
    return code;
}

DeviceCode read_device_code(ByteView file, FileFormat format, const ReadOptions& options) {
    DeviceCode code;
    code.format = format;
    CodeSections found;
    switch (format) {
        case FileFormat::other: break;
        case FileFormat::cubin:
        case FileFormat::ptx: return bare_image(file, format);
        case FileFormat::fatbin: found.sections = {{"", file, false, false}}; break;
        default: found = find_code_sections(file, format);
    }
    found.origin = file.origin();
    code.machine = found.machine;
    code.sections = found.sections;
    code.amd = found.amd;
    if (!found.damage.empty()) {
        code.findings.push_back({"section-table",
                                 Severity::notice,
                                 {},
                                 fmt::format("its section table cannot be read ({}); read by its program headers, as a "
                                             "loader does",
                                             found.damage),
                                 "build it again, without the tool that changed it"});
    }
    Collector collector(code, options);
    read_sections(code, found, collector, options);
    if (options.search && format != FileFormat::fatbin) {
        search_data(code, file, collector, options);
    }
    collector.prove();
    return code;
}

}  // namespace wheelarch
