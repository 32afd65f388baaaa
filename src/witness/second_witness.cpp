#include "witness/second_witness.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "binary/cubin.hpp"
#include "binary/payload_arch.hpp"
#include "binary/pe.hpp"

namespace wheelarch {
namespace {

namespace fs = std::filesystem;

constexpr CudaVersion kFirstWithCompat = {13, 0};  // reads the `a` of CUDA 13's cubins

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

ArchSet to_set(const std::vector<Image>& images) {
    ArchSet archs;
    for (const Image& image : images) {
        (image.kind == ImageKind::ptx ? archs.ptx : archs.sass).insert(image.arch);
    }
    return archs;
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

// Its device code was found by following the registration, not in a section of the usual name.
bool is_nameless(const DeviceCode& code) {
    return !code.sections.empty() && std::all_of(code.sections.begin(), code.sections.end(),
                                                 [](const CodeSection& section) { return section.followed; });
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

void SecondWitness::require_all(const Question& question) const {
    const std::vector<std::string> reasons = question.reasons();
    if (mode_ != WitnessMode::automatic && !reasons.empty()) {
        throw unchecked(reasons.front(), "name a cuobjdump that reads it with --cuobjdump, or choose --witness native");
    }
}

std::vector<Listed> SecondWitness::list_once(const MemberSource& source, const DeviceCode& code,
                                             const Question& question) {
    if (!folder_) {
        folder_.emplace(source.beside());
    }
    // A name of our own: what cuobjdump prints begins with it.
    const fs::path link = folder_->path() / "input";
    std::error_code ignored;
    fs::remove(link, ignored);
    // On Linux it does not read Windows files, and it finds sections by their names only.
    if (is_windows(code) || is_nameless(code) || !question.asks_all()) {
        ScratchFile raw(source.beside());
        question.write(raw);
        show_as(raw.path(), link);
        return list_images(*cuobjdump_, link);
    }
    show_as(source.file(), link);
    return list_images(*cuobjdump_, link);
}

// Each time that it gives up, what made it do so is left out.
std::vector<Listed> SecondWitness::list(const MemberSource& source, const DeviceCode& code, Question& question) {
    for (;;) {
        require_all(question);
        if (question.asks_nothing()) {
            return {};
        }
        try {
            return list_once(source, code, question);
        } catch (const Refused& refused) {
            if (!question.leave_out(refused, source.bytes(), source.done())) {
                throw;
            }
        }
    }
}

void SecondWitness::compare(const MemberSource& source, const std::vector<Image>& asked,
                            const std::vector<Listed>& listed, const DeviceCode& code, Member& member) const {
    PayloadReader reader;
    bool reported = has_header_difference(code.findings);
    const auto cubin = [&](const Image& image) {
        const ByteView payload = open_image(source.bytes(), image, reader);
        if (!reported) {
            const auto finding = header_difference(image.kind, image.arch, image.offset, payload);
            reported = finding.has_value();
            if (finding) {
                member.findings.push_back(*finding);
            }
        }
        return cubin_arch(payload);
    };
    const std::string differs = difference(asked, listed, cuobjdump_->version, cubin);
    if (!differs.empty()) {
        throw unchecked(fmt::format("the witnesses disagree: {}", differs),
                        "do not ship it; compare with `wheelarch inspect --images --witness native` and report it");
    }
}

void SecondWitness::ask(const MemberSource& source, const DeviceCode& code, Member& member) {
    member.witnesses = {"native"};
    // A Windows file without device code leaves nothing to show to cuobjdump.
    if (!cuobjdump_ || (is_windows(code) && code.sections.empty())) {
        return;
    }
    Question question(code, cuobjdump_->version);
    const std::vector<Listed> listed = list(source, code, question);
    if (mode_ == WitnessMode::cuobjdump) {
        member.witnesses = {"cuobjdump"};
        member.archs = to_set(listed);
        return;
    }
    compare(source, question.asked(), listed, code, member);
    for (const std::string& reason : question.reasons()) {
        member.findings.push_back(
            {"one-witness", Severity::notice, {}, reason + ": read by the native reader alone", {}});
    }
    if (!question.asks_nothing()) {
        member.witnesses = {"native", "cuobjdump"};
    }
}

std::string difference(const std::vector<Image>& native, const std::vector<Listed>& listed, CudaVersion release,
                       const std::function<Arch(const Image&)>& cubin) {
    const auto same = [&](const Image& image, const Listed& other) {
        if (image.kind != other.kind || image.arch.number != other.arch.number) {
            return false;
        }
        if (image.arch.suffix == other.arch.suffix) {
            return true;
        }
        if (image.kind != ImageKind::sass) {
            return false;
        }
        if (other.arch.suffix == '\0') {
            return image.arch.suffix == 'f' ||
                   (image.arch.suffix == 'a' && release < kFirstWithCompat && cubin(image) == image.arch);
        }
        return other.arch.suffix == 'a' && cubin(image) == other.arch;
    };
    const auto [a, b] = std::mismatch(native.begin(), native.end(), listed.begin(), listed.end(), same);
    if (a == native.end() && b == listed.end()) {
        return {};
    }
    return fmt::format("native sees {} ({}), cuobjdump {} ({}); image {} is {} for the one and {} for the other",
                       count_of(native.size(), "image"), to_text(to_set(native)), listed.size(),
                       to_text(to_set(listed)), std::distance(native.begin(), a) + 1,
                       a == native.end() ? "missing" : text(a->kind, a->arch),
                       b == listed.end() ? "missing" : text(b->kind, b->arch));
}

}  // namespace wheelarch
