#include "witness/second_witness.hpp"

#include <doctest/doctest.h>

using namespace wheelarch;

namespace {

Image image(ImageKind kind, Arch arch) {
    Image image;
    image.kind = kind;
    image.arch = arch;
    return image;
}

constexpr auto kNever = [](const Image&) { return false; };

}  // namespace

TEST_CASE("witnesses: the same images in the same order agree; other kinds are not listed") {
    const std::vector<Image> native = {image(ImageKind::ptx, {90, '\0'}), image(ImageKind::lto_ir, {90, '\0'}),
                                       image(ImageKind::sass, {90, 'a'})};
    CHECK(difference(native, {{ImageKind::ptx, {90, '\0'}}, {ImageKind::sass, {90, 'a'}}}, kNever) == "");
}

TEST_CASE("witnesses: a cubin's suffix f may be left out, PTX's may not") {
    CHECK(difference({image(ImageKind::sass, {100, 'f'})}, {{ImageKind::sass, {100, '\0'}}}, kNever) == "");
    CHECK(difference({image(ImageKind::ptx, {120, 'f'})}, {{ImageKind::ptx, {120, '\0'}}}, kNever) ==
          "native sees 1 image (compute_120f), cuobjdump 1 (compute_120); image 1 is compute_120f for the one and "
          "compute_120 "
          "for the other");
}

TEST_CASE("witnesses: a suffix a that only the cubin has is explained, if it really has it") {
    const std::vector<Image> native = {image(ImageKind::sass, {90, '\0'})};
    const std::vector<Listed> listed = {{ImageKind::sass, {90, 'a'}}};
    CHECK(difference(native, listed, [](const Image&) { return true; }) == "");
    CHECK(difference(native, listed, kNever) ==
          "native sees 1 image (sm_90), cuobjdump 1 (sm_90a); image 1 is sm_90 for the one and sm_90a for the other");
}

TEST_CASE("witnesses: one image more or fewer is a disagreement") {
    CHECK(difference({image(ImageKind::sass, {80, '\0'})}, {}, kNever) ==
          "native sees 1 image (sm_80), cuobjdump 0 (nothing); image 1 is sm_80 for the one and missing for the other");
    CHECK(
        difference({}, {{ImageKind::sass, {80, '\0'}}}, kNever) ==
        "native sees 0 images (nothing), cuobjdump 1 (sm_80); image 1 is missing for the one and sm_80 for the other");
}

TEST_CASE("witnesses: the oldest cuobjdump that can be asked follows from the images (B40)") {
    Image old = image(ImageKind::sass, {80, '\0'});
    old.version_major = 1, old.version_minor = 7;
    CHECK(to_text(*oldest_reader({old})) == "0.0");
    Image zstd = old;
    zstd.compression = Compression::zstd;
    CHECK(to_text(*oldest_reader({old, zstd})) == "12.8");
    Image abi8 = old;
    abi8.version_minor = 8;
    CHECK(to_text(*oldest_reader({abi8})) == "13.0");
    Image blackwell = image(ImageKind::sass, {100, '\0'});
    blackwell.version_minor = 8;
    CHECK(to_text(*oldest_reader({blackwell})) == "12.8");
    CHECK(to_text(*oldest_reader({image(ImageKind::ptx, {120, 'f'})})) == "12.9");
    Image ptx = image(ImageKind::ptx, {80, '\0'});
    ptx.version_major = 9, ptx.version_minor = 3;
    CHECK(to_text(*oldest_reader({ptx})) == "13.0");
    ptx.version_major = 10;
    CHECK_FALSE(oldest_reader({ptx}).has_value());
}

TEST_CASE("witnesses: mode names") {
    CHECK(parse_witness_mode("both") == WitnessMode::both);
    std::string message;
    try {
        parse_witness_mode("cuobjdmp");
    } catch (const Error& error) {
        message = std::string(error.what()) + " | " + error.fix();
    }
    CHECK(message == "unknown witness 'cuobjdmp' | choose auto, native, cuobjdump or both");
}
