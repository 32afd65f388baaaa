#include "witness/second_witness.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "binary/cubin.hpp"
#include "binary/pe.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

// What cuobjdump had to learn. Within one major release it reads what later minors make, archs it has never heard of
// too.
constexpr CudaVersion kFirstWithZstd = {12, 8};
constexpr CudaVersion kFirstWithFamilies = {12, 9};  // the suffix `f`
constexpr CudaVersion kFirstWithAbi8 = {12, 8};      // for sm_100 and up
constexpr CudaVersion kFirstWithAbi8ForAll = {13, 0};
constexpr CudaVersion kDroppedBelow50 = {13, 0};  // "Support for 'sm_35' has been removed": nothing is listed then

bool is_listed(const Image& image) {
    return image.kind == ImageKind::sass || image.kind == ImageKind::ptx;
}

std::string text(ImageKind kind, Arch arch) {
    return kind == ImageKind::ptx ? ptx_name(arch) : sass_name(arch);
}

ArchSet to_set(const std::vector<Listed>& listed) {
    ArchSet archs;
    for (const Listed& image : listed) {
        (image.kind == ImageKind::ptx ? archs.ptx : archs.sass).insert(image.arch);
    }
    return archs;
}

std::vector<Image> listed_images(const std::vector<Image>& images) {
    std::vector<Image> result;
    std::copy_if(images.begin(), images.end(), std::back_inserter(result), is_listed);
    return result;
}

ArchSet to_set(const std::vector<Image>& images) {
    ArchSet archs;
    for (const Image& image : images) {
        (image.kind == ImageKind::ptx ? archs.ptx : archs.sass).insert(image.arch);
    }
    return archs;
}

// cuobjdump 13 refuses a file for one of the cubins that CUDA 12.0 and 12.1 made; see cubin.hpp.
bool has_stray_link(ByteView file, const DeviceCode& code, const std::function<void(ByteView)>& done) {
    PayloadReader reader;
    return std::any_of(code.images.begin(), code.images.end(), [&](const Image& image) {
        const bool found = image.kind == ImageKind::sass && cubin_has_stray_link(open_image(file, image, reader));
        done(file.clipped(image.offset - file.origin(), image.size));
        return found;
    });
}

// The bytes of all sections, as one raw fatbin: how cuobjdump on Linux is shown what lies in a Windows file.
void write_raw_fatbin(const DeviceCode& code, ScratchFile& file) {
    constexpr std::uint64_t kWord = 8;
    constexpr unsigned char kZeros[kWord] = {};
    for (const CodeSection& section : code.sections) {
        file.append(section.bytes);
        file.append({kZeros, (kWord - section.bytes.size() % kWord) % kWord});
    }
}

// Windows lets only some users make links.
void show_as(const fs::path& file, const fs::path& link) {
    std::error_code refused;
    fs::create_symlink(fs::absolute(file), link, refused);
    if (refused || !fs::exists(link)) {  // Wine says that it has made one, and has not
        fs::copy_file(file, link);
    }
}

bool is_windows(const DeviceCode& code) {
    return code.machine == kPeMachineX64 || code.machine == kPeMachineArm64;
}

}  // namespace

WitnessMode parse_witness_mode(std::string_view text) {
    constexpr std::pair<std::string_view, WitnessMode> kModes[] = {{"auto", WitnessMode::automatic},
                                                                   {"native", WitnessMode::native},
                                                                   {"cuobjdump", WitnessMode::cuobjdump},
                                                                   {"both", WitnessMode::both}};
    for (const auto& [name, mode] : kModes) {
        if (name == text) {
            return mode;
        }
    }
    throw bad_usage(fmt::format("unknown witness '{}'", text), "choose auto, native, cuobjdump or both");
}

SecondWitness::SecondWitness(WitnessMode mode, const std::string& cuobjdump_path, std::chrono::seconds time_limit)
    : mode_(mode) {
    if (mode == WitnessMode::native) {
        return;
    }
    cuobjdump_ = find_cuobjdump(cuobjdump_path);
    if (cuobjdump_) {
        cuobjdump_->time_limit = time_limit;
        return;
    }
    if (mode != WitnessMode::automatic) {
        throw unchecked("cuobjdump was not found, and this run requires it",
                        "install it (PyPI nvidia-cuda-cuobjdump, apt cuda-cuobjdump-13-0, conda cuda-cuobjdump; nvcc's "
                        "package does not bring it), or name it with --cuobjdump");
    }
    findings_.push_back(
        {"one-witness", Severity::notice, {}, "cuobjdump was not found: read by the native reader alone", {}});
}

SecondWitness SecondWitness::another() const {
    return {mode_, cuobjdump_};
}

std::optional<CudaVersion> oldest_reader(const std::vector<Image>& images) {
    CudaVersion oldest = {};
    for (const Image& image : images) {
        if (!is_listed(image)) {
            continue;
        }
        if (image.compression == Compression::zstd) {
            oldest = std::max(oldest, kFirstWithZstd);
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
    }
    return oldest;
}

std::string SecondWitness::reason_not_to_ask(const DeviceCode& code) const {
    if (code.format == FileFormat::ptx) {
        return "cuobjdump does not read PTX text";
    }
    const bool is_nameless = std::all_of(code.sections.begin(), code.sections.end(),
                                         [](const CodeSection& section) { return section.followed; });
    if (code.format == FileFormat::elf && !code.sections.empty() && is_nameless) {
        return "cuobjdump looks for sections by their names, and this file's device code lies in none of them";
    }
    const auto oldest = oldest_reader(code.images);
    if (!oldest || cuobjdump_->version < *oldest) {
        return fmt::format(
            "cuobjdump {} is older than what made this file, which needs {}", to_text(cuobjdump_->version),
            oldest ? to_text(*oldest) + " or newer" : "a newer CUDA than this version of wheelarch knows");
    }
    const bool dropped = std::any_of(code.images.begin(), code.images.end(), [](const Image& image) {
        return image.kind == ImageKind::sass && image.arch.number < 50;
    });
    if (dropped && cuobjdump_->version >= kDroppedBelow50) {
        return fmt::format("cuobjdump {} no longer reads archs below sm_50", to_text(cuobjdump_->version));
    }
    return {};
}

std::vector<Listed> SecondWitness::list(const MemberSource& source, const DeviceCode& code) {
    if (!folder_) {
        folder_.emplace(source.beside());
    }
    // A name of our own: what cuobjdump prints begins with it.
    const fs::path link = folder_->path() / "input";
    std::error_code ignored;
    fs::remove(link, ignored);
    if (is_windows(code)) {
        ScratchFile raw(source.beside());
        write_raw_fatbin(code, raw);
        show_as(raw.path(), link);
        return list_images(*cuobjdump_, link);
    }
    show_as(source.file(), link);
    return list_images(*cuobjdump_, link);
}

void SecondWitness::leave_out(Member& member, const std::string& reason) const {
    if (mode_ != WitnessMode::automatic) {
        throw unchecked(reason, "name a cuobjdump that reads it with --cuobjdump, or choose --witness native");
    }
    member.findings.push_back({"one-witness", Severity::notice, {}, reason + ": read by the native reader alone", {}});
}

void SecondWitness::ask(const MemberSource& source, const DeviceCode& code, Member& member) {
    member.witnesses = {"native"};
    // A Windows file without device code leaves nothing to show to cuobjdump.
    if (!cuobjdump_ || (is_windows(code) && code.sections.empty())) {
        return;
    }
    if (const std::string reason = reason_not_to_ask(code); !reason.empty()) {
        leave_out(member, reason);
        return;
    }
    std::vector<Listed> listed;
    try {
        listed = list(source, code);
    } catch (const InvalidElf&) {
        if (!has_stray_link(source.bytes(), code, source.done())) {
            throw;
        }
        leave_out(member,
                  fmt::format("cuobjdump {} refuses cubins that CUDA 12.0 and 12.1 wrote (a relocation section "
                              "linked to no symbol table), and there are some; cuobjdump 12.4 to 12.9 reads them",
                              to_text(cuobjdump_->version)));
        return;
    }
    if (mode_ == WitnessMode::cuobjdump) {
        member.witnesses = {"cuobjdump"};
        member.archs = to_set(listed);
        return;
    }
    PayloadReader reader;
    const std::string differs = difference(code.images, listed, [&](const Image& image) {
        return cubin_arch(open_image(source.bytes(), image, reader)).suffix == 'a';
    });
    if (!differs.empty()) {
        throw unchecked(fmt::format("the witnesses disagree: {}", differs),
                        "do not ship it; compare with `wheelarch inspect --images --witness native` and report it");
    }
    member.witnesses = {"native", "cuobjdump"};
}

std::string difference(const std::vector<Image>& native, const std::vector<Listed>& listed,
                       const std::function<bool(const Image&)>& cubin_says_a) {
    const std::vector<Image> ours = listed_images(native);
    const auto same = [&](const Image& image, const Listed& other) {
        if (image.kind != other.kind || image.arch.number != other.arch.number) {
            return false;
        }
        const bool is_sass = image.kind == ImageKind::sass;
        return image.arch.suffix == other.arch.suffix ||
               (is_sass && image.arch.suffix == 'f' && other.arch.suffix == '\0') ||
               (is_sass && image.arch.suffix == '\0' && other.arch.suffix == 'a' && cubin_says_a(image));
    };
    const auto [a, b] = std::mismatch(ours.begin(), ours.end(), listed.begin(), listed.end(), same);
    if (a == ours.end() && b == listed.end()) {
        return {};
    }
    return fmt::format("native sees {} ({}), cuobjdump {} ({}); image {} is {} for the one and {} for the other",
                       count_of(ours.size(), "image"), to_text(to_set(ours)), listed.size(), to_text(to_set(listed)),
                       std::distance(ours.begin(), a) + 1, a == ours.end() ? "missing" : text(a->kind, a->arch),
                       b == listed.end() ? "missing" : text(b->kind, b->arch));
}

}  // namespace wheelarch
