#include "witness/question.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "binary/cubin.hpp"

namespace wheelarch {
namespace {

// What cuobjdump had to learn. Within one major release it reads what later minors make, archs it has never heard of
// too.
constexpr CudaVersion kFirstWithZstd = {12, 4};
constexpr CudaVersion kFirstWithDevices = {12, 0};   // the suffix `a`
constexpr CudaVersion kFirstWithFamilies = {12, 9};  // the suffix `f`
constexpr CudaVersion kFirstWithAbi8 = {12, 8};      // for sm_100 and up
constexpr CudaVersion kFirstWithAbi8ForAll = {13, 0};

// "Support for 'sm_35' has been removed": nothing of the file is listed then.
std::uint32_t oldest_arch(CudaVersion release) {
    return release >= CudaVersion{13, 0} ? 50 : 30;
}

constexpr std::uint64_t kRegionHeader = 0x10;
constexpr std::uint64_t kRegionSize = 0x08;
constexpr std::uint64_t kEntryHeaderSize = 0x04;
constexpr std::uint64_t kEntryPayload = 0x08;
constexpr std::uint64_t kWord = 8;

bool is_listed(const Image& image) {
    return image.kind == ImageKind::sass || image.kind == ImageKind::ptx;
}

ArchSet archs_of(const std::vector<Image>& images) {
    ArchSet archs;
    for (const Image& image : images) {
        (image.kind == ImageKind::ptx ? archs.ptx : archs.sass).insert(image.arch);
    }
    return archs;
}

std::string little_endian(std::uint64_t value) {
    std::string bytes(sizeof value, '\0');
    for (char& byte : bytes) {
        byte = static_cast<char>(value & 0xff);
        value >>= 8U;
    }
    return bytes;
}

// The entries of a region as they are stored, header and padding included.
std::vector<ByteView> stored_entries(ByteView section, const FatbinRegion& region) {
    std::vector<ByteView> entries;
    std::uint64_t at = region.offset - section.origin() + kRegionHeader;
    for (std::size_t i = 0; i < region.entries.size(); ++i) {
        const ByteView rest = section.from(at, "a fatbin entry");
        const std::uint64_t size =
            rest.u32(kEntryHeaderSize, "an entry's header size") + rest.u64(kEntryPayload, "an entry's payload size");
        entries.push_back(rest.slice(0, size, "a fatbin entry"));
        at += size;
    }
    return entries;
}

}  // namespace

std::optional<CudaVersion> oldest_reader(const Image& image) {
    CudaVersion oldest = {};
    if (image.compression == Compression::zstd) {
        oldest = std::max(oldest, kFirstWithZstd);
    }
    if (image.arch.suffix == 'a') {
        oldest = std::max(oldest, kFirstWithDevices);
    }
    if (image.arch.suffix == 'f') {
        oldest = std::max(oldest, kFirstWithFamilies);
    }
    if (image.kind == ImageKind::sass && image.version_minor >= 8) {
        oldest = std::max(oldest, image.arch.number < 100 ? kFirstWithAbi8ForAll : kFirstWithAbi8);
    }
    if (image.kind == ImageKind::ptx) {
        const auto cuda = cuda_of_ptx_isa(image.version_major, 0);
        if (!cuda && image.version_major > 9) {
            return std::nullopt;
        }
        oldest = std::max(oldest, cuda.value_or(CudaVersion{}));
    }
    return oldest;
}

Question::Question(const DeviceCode& code, CudaVersion release)
    : code_(code), release_(release), causes_(code.images.size(), Cause::none) {
    mark(Cause::unlisted, [](const Image& image) { return !is_listed(image); });
    whole_ = true;  // cuobjdump passes over these
    mark(Cause::ptx_text, [&](const Image&) { return code_.format == FileFormat::ptx; });
    mark(Cause::too_old, [&](const Image& image) {
        const auto oldest = oldest_reader(image);
        return !oldest || release_ < *oldest;
    });
    mark(Cause::removed, [&](const Image& image) { return image.arch.number < oldest_arch(release_); });
}

bool Question::asks_nothing() const noexcept {
    return !whole_ && std::find(causes_.begin(), causes_.end(), Cause::none) == causes_.end();
}

std::vector<Image> Question::asked() const {
    std::vector<Image> images;
    for (std::size_t i = 0; i < causes_.size(); ++i) {
        if (causes_[i] == Cause::none) {
            images.push_back(code_.images[i]);
        }
    }
    return images;
}

void Question::write(ScratchFile& file) const {
    auto cause = causes_.begin();
    for (const CodeSection& section : code_.sections) {
        for_each_region(section.bytes, [&](const FatbinRegion& region) {
            std::vector<ByteView> kept;
            std::uint64_t size = 0;
            for (const ByteView entry : stored_entries(section.bytes, region)) {
                if (cause == causes_.end()) {
                    break;
                }
                if (*cause == Cause::none) {
                    kept.push_back(entry);
                    size += entry.size();
                }
                ++cause;
            }
            file.append(section.bytes.slice(region.offset - section.bytes.origin(), kRegionSize, "a region's header"));
            file.append(ByteView(little_endian(size)));
            std::for_each(kept.begin(), kept.end(), [&](ByteView entry) { file.append(entry); });
            const std::string padding((kWord - size % kWord) % kWord, '\0');
            file.append(ByteView(padding));
        });
    }
}

bool Question::mark(Cause cause, const std::function<bool(const Image&)>& is_meant) {
    bool found = false;
    for (std::size_t i = 0; i < causes_.size(); ++i) {
        if (causes_[i] == Cause::none && is_meant(code_.images[i])) {
            causes_[i] = cause;
            found = true;
        }
    }
    whole_ = whole_ && !found;
    return found;
}

bool Question::leave_out(const Refused& refused, ByteView file, const std::function<void(ByteView)>& done) {
    if (refused.removed) {
        return mark(Cause::removed, [&](const Image& image) { return image.arch.number == *refused.removed; });
    }
    if (refused.invalid_elf) {
        PayloadReader reader;
        return mark(Cause::stray_link, [&](const Image& image) {
            const bool found = image.kind == ImageKind::sass && cubin_has_stray_link(open_image(file, image, reader));
            done(file.clipped(image.offset - file.origin(), image.size));
            return found;
        });
    }
    // It may have been an entry of another kind, of which it need not list anything.
    const bool has_others = std::find(causes_.begin(), causes_.end(), Cause::unlisted) != causes_.end();
    return std::exchange(whole_, false) && has_others;
}

std::string Question::reason(Cause cause) const {
    const std::string release = to_text(release_);
    if (cause == Cause::ptx_text) {
        return "cuobjdump does not read PTX text";
    }
    if (cause == Cause::stray_link) {
        return fmt::format(
            "cuobjdump {} refuses cubins that CUDA 12.0 and 12.1 wrote (a relocation section linked to no symbol "
            "table), and there are some; cuobjdump 12.4 to 12.9 reads them",
            release);
    }
    std::optional<CudaVersion> oldest = CudaVersion{};
    std::uint32_t removed = 0;
    for (std::size_t i = 0; i < causes_.size(); ++i) {
        if (causes_[i] == cause) {
            const auto needed = oldest_reader(code_.images[i]);
            oldest = oldest && needed ? std::optional(std::max(*oldest, *needed)) : std::nullopt;
            removed = std::max(removed, code_.images[i].arch.number);
        }
    }
    if (cause == Cause::removed) {
        return removed < oldest_arch(release_)
                   ? fmt::format("cuobjdump {} no longer reads archs below sm_{}", release, oldest_arch(release_))
                   : fmt::format("cuobjdump {} no longer reads sm_{}", release, removed);
    }
    return fmt::format("cuobjdump {} is older than what made this file, which needs {}", release,
                       oldest ? to_text(*oldest) + " or newer" : "a newer CUDA than this version of wheelarch knows");
}

std::vector<std::string> Question::reasons() const {
    std::vector<std::string> sentences;
    const auto total = static_cast<std::size_t>(std::count_if(code_.images.begin(), code_.images.end(), is_listed));
    for (const Cause cause : {Cause::ptx_text, Cause::too_old, Cause::removed, Cause::stray_link}) {
        std::vector<Image> images;
        for (std::size_t i = 0; i < causes_.size(); ++i) {
            if (causes_[i] == cause) {
                images.push_back(code_.images[i]);
            }
        }
        if (images.size() == total && total != 0) {
            sentences.push_back(reason(cause));
        } else if (!images.empty()) {
            sentences.push_back(fmt::format("{}: {} of {} ({})", reason(cause), images.size(), count_of(total, "image"),
                                            to_text(archs_of(images))));
        }
    }
    return sentences;
}

}  // namespace wheelarch
