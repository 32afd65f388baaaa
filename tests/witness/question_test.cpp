#include "witness/question.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "binary/fatbin.hpp"
#include "support/fatbin_builder.hpp"

namespace wheelarch {
namespace {

constexpr CudaVersion kCurrent = {13, 5};

std::string oldest(const Image& image) {
    const auto found = oldest_reader(image);
    return found ? to_text(*found) : "unknown";
}

Image image(ImageKind kind, Arch arch, std::uint16_t version_major, std::uint16_t version_minor) {
    Image image;
    image.kind = kind;
    image.arch = arch;
    image.version_major = version_major, image.version_minor = version_minor;
    return image;
}

// A library, and the question about it.
struct Asked {
    Asked(const std::vector<EntrySpec>& entries, CudaVersion release)
        : file(library_of(entries)),
          code(read_device_code(ByteView(file), FileFormat::elf, {})),
          question(code, release) {}

    std::string archs() const {
        std::vector<std::string> names;
        for (const Image& image : question.asked()) {
            names.push_back(image.kind == ImageKind::ptx ? ptx_name(image.arch) : sass_name(image.arch));
        }
        return fmt::format("{}", fmt::join(names, " "));
    }

    // What a reader of the raw fatbin sees.
    std::string written() const {
        ScratchFile raw("");
        question.write(raw);
        const MappedFile mapped = raw.map();
        std::vector<std::string> regions;
        for_each_region(mapped.view(), [&](const FatbinRegion& region) {
            std::vector<std::string> names;
            for (const FatbinEntry& entry : region.entries) {
                names.push_back(entry.kind == ImageKind::ptx ? ptx_name(entry.arch) : sass_name(entry.arch));
            }
            regions.push_back(fmt::format("{}", fmt::join(names, " ")));
        });
        return fmt::format("{}", fmt::join(regions, ", "));
    }

    bool learn(bool invalid_elf, std::optional<std::uint32_t> removed) {
        Refused refused(ExitCode::unchecked, "cuobjdump failed", "");
        refused.invalid_elf = invalid_elf;
        refused.removed = removed;
        return question.leave_out(refused, ByteView(file), [](ByteView) {});
    }

    std::string file;
    DeviceCode code;
    Question question;
};

// A cubin as CUDA 12.0 wrote them: its relocations name no symbol table.
EntrySpec stray(std::uint32_t arch) {
    EntrySpec entry = sass(arch);
    entry.payload = build_cubin({.arch = arch, .abi = 7, .sections = {{.name = ".rela.nv", .type = 4, .link = 1}}});
    entry.version_minor = 7;
    return entry;
}

TEST_CASE("question: the oldest cuobjdump that reads an image follows from the image (B40)") {
    Image old = image(ImageKind::sass, {80, '\0'}, 1, 7);
    CHECK(oldest(old) == "0.0");
    old.compression = Compression::zstd;
    CHECK(oldest(old) == "12.4");
    CHECK(oldest(image(ImageKind::sass, {90, 'a'}, 1, 7)) == "12.0");
    CHECK(oldest(image(ImageKind::sass, {80, '\0'}, 1, 8)) == "13.0");
    CHECK(oldest(image(ImageKind::sass, {100, '\0'}, 1, 8)) == "12.8");
    CHECK(oldest(image(ImageKind::ptx, {120, 'f'}, 8, 8)) == "12.9");
    CHECK(oldest(image(ImageKind::ptx, {80, '\0'}, 9, 3)) == "13.0");
    CHECK(oldest(image(ImageKind::ptx, {80, '\0'}, 10, 0)) == "unknown");
}

TEST_CASE("question: what every release reads is shown as it is") {
    Asked asked({sass(80), ptx(90)}, kCurrent);
    CHECK(asked.question.asks_all());
    CHECK(asked.question.reasons().empty());
    CHECK_FALSE(asked.learn(false, {}));
    CHECK_FALSE(asked.learn(true, {}));
    CHECK_FALSE(asked.learn(false, 35));
}

TEST_CASE("question: one image that cannot be asked about leaves the others (R7)") {
    Asked asked({sass(80), ptx(35), sass(90)}, kCurrent);
    CHECK_FALSE(asked.question.asks_all());
    CHECK(asked.archs() == "sm_80 sm_90");
    CHECK(asked.written() == "sm_80 sm_90");
    CHECK(fmt::format("{}", fmt::join(asked.question.reasons(), "|")) ==
          "cuobjdump 13.5 no longer reads archs below sm_50: 1 of 3 images (compute_35)");
}

TEST_CASE("question: a decoy of a later PTX does not keep the rest from being asked about") {
    EntrySpec decoy = ptx(90);
    decoy.version_major = 99;
    Asked asked({sass(80), decoy, sass(86)}, kCurrent);
    CHECK(asked.written() == "sm_80 sm_86");
    CHECK(fmt::format("{}", fmt::join(asked.question.reasons(), "|")) ==
          "cuobjdump 13.5 is older than what made this file, which needs a newer CUDA than this version of wheelarch "
          "knows: 1 of 3 images (compute_90)");
}

TEST_CASE("question: nothing is left to ask, and one reason covers all") {
    const Asked asked({sass(80), sass(90)}, {11, 8});
    CHECK(asked.question.asks_nothing());
    CHECK(fmt::format("{}", fmt::join(asked.question.reasons(), "|")) ==
          "cuobjdump 11.8 is older than what made this file, which needs 13.0 or newer");
}

TEST_CASE("question: an arch that a later release has dropped is learned from what it says") {
    Asked asked({sass(75), ptx(75), sass(80)}, kCurrent);
    CHECK(asked.learn(false, 75));
    CHECK(asked.written() == "sm_80");
    CHECK(fmt::format("{}", fmt::join(asked.question.reasons(), "|")) ==
          "cuobjdump 13.5 no longer reads sm_75: 2 of 3 images (sm_75 compute_75)");
    CHECK_FALSE(asked.learn(false, 75));
}

TEST_CASE("question: of cubins, those with a stray link are left out, and only after they were refused") {
    Asked asked({sass(80), stray(90)}, kCurrent);
    CHECK(asked.question.asks_all());
    CHECK(asked.learn(true, {}));
    CHECK(asked.written() == "sm_80");
    CHECK(asked.question.reasons().at(0).ends_with(": 1 of 2 images (sm_90)"));
    CHECK_FALSE(asked.learn(true, {}));
}

TEST_CASE("question: entries of other kinds are left out once cuobjdump gave up") {
    Asked asked({sass(80), {.kind = 0x40, .arch = 90, .payload = "12345678"}}, kCurrent);
    CHECK(asked.question.asks_all());
    CHECK(asked.learn(false, {}));
    CHECK_FALSE(asked.question.asks_all());
    CHECK(asked.written() == "sm_80");
    CHECK(asked.question.reasons().empty());
    CHECK_FALSE(asked.learn(false, {}));
}

TEST_CASE("question: a host library is asked about, and has nothing to list") {
    const Asked asked({}, kCurrent);
    CHECK(asked.question.asks_all());
    CHECK_FALSE(asked.question.asks_nothing());
}

}  // namespace
}  // namespace wheelarch
