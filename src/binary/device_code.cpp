#include "binary/device_code.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "binary/ar.hpp"
#include "binary/code_sections.hpp"
#include "binary/cubin.hpp"
#include "binary/elf.hpp"
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

using Target = std::pair<ImageKind, Arch>;

bool is_code(ImageKind kind) {
    return kind == ImageKind::sass || kind == ImageKind::ptx;
}

class Collector {
public:
    Collector(DeviceCode& code, const ReadOptions& options) : code_(code), options_(options) {}

    void add(std::uint32_t section, const FatbinRegion& region) {
        code_.regions.push_back(region.offset);
        for (const FatbinEntry& entry : region.entries) {
            add(section, entry);
        }
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
        if (is_code(entry.kind)) {
            image.kernelless = look_for_code(entry);
        }
        code_.images.push_back(image);
    }

    // Is the image that is about to be added known to be without code?
    bool look_for_code(const FatbinEntry& entry) {
        const Target target(entry.kind, entry.arch);
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

void read_sections(DeviceCode& code, const ReadOptions& options) {
    Collector collector(code, options);
    for (std::uint32_t i = 0; i < code.sections.size(); ++i) {
        const ByteView bytes = code.sections[i].bytes;
        std::uint64_t released = 0;
        const auto add = [&](const FatbinRegion& region) {
            const std::uint64_t end = region.end - bytes.origin();
            collector.add(i, region);
            if (end - released > kReleaseStep) {
                options.done(bytes.clipped(released, end - released));
                released = end;
            }
        };
        const std::string object = code.format == FileFormat::ar ? code.sections[i].name : "";
        inside(object, [&] { for_each_region(bytes, add); });
    }
    collector.prove();
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
    return {format, 0, {{"", file, false}}, {image}, {0}, {}};
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

DeviceCode read_device_code(ByteView file, FileFormat format, const ReadOptions& options) {
    DeviceCode code;
    code.format = format;
    switch (format) {
        case FileFormat::other: return code;
        case FileFormat::cubin:
        case FileFormat::ptx: return bare_image(file, format);
        case FileFormat::fatbin: code.sections = {{"", file, false}}; break;
        default: {
            CodeSections found = find_code_sections(file, format);
            code.machine = found.machine;
            code.sections = std::move(found.sections);
        }
    }
    read_sections(code, options);
    return code;
}

}  // namespace wheelarch
