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

constexpr CudaVersion kCurrent = {13, 5};

// The native reader sees in each cubin what its entry says.
constexpr auto kAsFiled = [](const Image& filed) { return filed.arch; };

}  // namespace

TEST_CASE("witnesses: the same images in the same order agree") {
    const std::vector<Image> native = {image(ImageKind::ptx, {90, '\0'}), image(ImageKind::sass, {90, 'a'})};
    CHECK(difference(native, {{ImageKind::ptx, {90, '\0'}}, {ImageKind::sass, {90, 'a'}}}, kCurrent, kAsFiled) == "");
}

TEST_CASE("witnesses: a cubin's suffix f may be left out, PTX's may not") {
    CHECK(difference({image(ImageKind::sass, {100, 'f'})}, {{ImageKind::sass, {100, '\0'}}}, kCurrent, kAsFiled) == "");
    CHECK(difference({image(ImageKind::ptx, {120, 'f'})}, {{ImageKind::ptx, {120, '\0'}}}, kCurrent, kAsFiled) ==
          "native sees 1 image (compute_120f), cuobjdump 1 (compute_120); image 1 is compute_120f for the one and "
          "compute_120 "
          "for the other");
}

TEST_CASE("witnesses: a suffix a that only the cubin has is explained, if it really has it") {
    const std::vector<Image> native = {image(ImageKind::sass, {90, '\0'})};
    const std::vector<Listed> listed = {{ImageKind::sass, {90, 'a'}}};
    CHECK(difference(native, listed, kCurrent, [](const Image&) { return Arch{90, 'a'}; }) == "");
    CHECK(difference(native, listed, kCurrent, kAsFiled) ==
          "native sees 1 image (sm_90), cuobjdump 1 (sm_90a); image 1 is sm_90 for the one and sm_90a for the other");
}

TEST_CASE("witnesses: one image more or fewer is a disagreement") {
    CHECK(difference({image(ImageKind::sass, {80, '\0'})}, {}, kCurrent, kAsFiled) ==
          "native sees 1 image (sm_80), cuobjdump 0 (nothing); image 1 is sm_80 for the one and missing for the other");
    CHECK(
        difference({}, {{ImageKind::sass, {80, '\0'}}}, kCurrent, kAsFiled) ==
        "native sees 0 images (nothing), cuobjdump 1 (sm_80); image 1 is missing for the one and sm_80 for the other");
}

TEST_CASE("witnesses: cuobjdump lists tile kernels of f targets with an a (R9)") {
    const std::vector<Image> native = {image(ImageKind::sass, {100, 'f'})};
    const std::vector<Listed> listed = {{ImageKind::sass, {100, 'a'}}};
    CHECK(difference(native, listed, kCurrent, [](const Image&) { return Arch{100, 'a'}; }) == "");
    CHECK(difference(native, listed, kCurrent, kAsFiled) ==
          "native sees 1 image (sm_100f), cuobjdump 1 (sm_100a); image 1 is sm_100f for the one and sm_100a for the "
          "other");
}

TEST_CASE("witnesses: cuobjdump 12 does not see the a of CUDA 13's cubins; 13 does") {
    const std::vector<Image> native = {image(ImageKind::sass, {100, 'a'})};
    const std::vector<Listed> listed = {{ImageKind::sass, {100, '\0'}}};
    CHECK(difference(native, listed, {12, 8}, kAsFiled) == "");
    CHECK(difference(native, listed, {12, 8}, [](const Image&) { return Arch{100, '\0'}; }) != "");
    CHECK(difference(native, listed, kCurrent, kAsFiled) != "");
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
