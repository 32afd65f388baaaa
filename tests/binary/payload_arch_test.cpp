#include "binary/payload_arch.hpp"

#include <doctest/doctest.h>

#include "support/fatbin_builder.hpp"

namespace wheelarch {
namespace {

std::string message(ImageKind kind, Arch filed, const std::string& payload) {
    const auto finding = header_difference(kind, filed, 0x50, ByteView(payload));
    return finding ? finding->message + " | " + finding->fix : "";
}

std::string of_cubin(Arch filed, const CubinSpec& cubin) {
    return message(ImageKind::sass, filed, build_cubin(cubin));
}

std::string of_ptx(Arch filed, std::string_view target) {
    return message(ImageKind::ptx, filed, build_ptx(target, kPtxKernel));
}

TEST_CASE("header-differs: the number of a cubin") {
    CHECK(of_cubin({80, '\0'}, {.arch = 80}) == "");
    CHECK(of_cubin({86, '\0'}, {.arch = 80}) ==
          "the image at offset 0x50 is filed as sm_86, but its cubin was built for sm_80; the driver goes by the "
          "former | pack the cubin under its own arch");
}

TEST_CASE("header-differs: the suffix of a cubin (R13)") {
    for (const CubinA a : {CubinA::in_flags, CubinA::in_compat}) {
        CHECK(of_cubin({90, 'a'}, {.arch = 90, .a = a}) == "");
        CHECK(of_cubin({90, '\0'}, {.arch = 90, .a = a}) ==
              "the image at offset 0x50 is filed as sm_90, but its cubin was built for sm_90a; the driver goes by the "
              "former | pack the cubin under its own arch");
    }
    CHECK(of_cubin({90, 'a'}, {.arch = 90}) ==
          "the image at offset 0x50 is filed as sm_90a, but its cubin was built for sm_90; the driver goes by the "
          "former | pack the cubin under its own arch");
    CHECK(of_cubin({100, 'f'}, {.arch = 100}) == "");  // it may keep no trace of the f
    CHECK(of_cubin({100, 'f'}, {.arch = 100, .a = CubinA::in_compat}) != "");
}

TEST_CASE("header-differs: nvcc files tile kernels without the a that they are compiled for") {
    const CubinSpec tile = {.arch = 100, .a = CubinA::in_compat, .tile = true};
    CHECK(of_cubin({100, 'f'}, tile) == "");
    CHECK(of_cubin({100, '\0'}, tile) == "");
    CHECK(of_cubin({103, 'f'}, tile) != "");
}

TEST_CASE("header-differs: PTX's own .target") {
    CHECK(of_ptx({90, '\0'}, "sm_90") == "");
    CHECK(of_ptx({90, '\0'}, "sm_90, debug") == "");
    CHECK(of_ptx({80, '\0'}, "sm_90a") ==
          "the image at offset 0x50 is filed as compute_80, but its PTX says .target sm_90a; the driver goes by the "
          "former | pack the PTX under its own arch");
    CHECK(of_ptx({90, '\0'}, "sm_90a") != "");
    CHECK(of_ptx({120, 'f'}, "sm_120") != "");
    CHECK(message(ImageKind::ptx, {80, '\0'}, ".version 8.0\n") == "");
}

}  // namespace
}  // namespace wheelarch
