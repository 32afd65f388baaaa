// Files of a real toolkit with known content, where a checkout has them beside it.
#include <doctest/doctest.h>

#include <filesystem>

#include "base/mapped_file.hpp"
#include "support/damage.hpp"
#include "support/device_probe.hpp"

namespace wheelarch {
namespace {

std::string images_of(const std::filesystem::path& path) {
    const MappedFile file(path);
    const DeviceCode code = read_bytes(std::string(file.view().text()), {.open_all = true}, path.string());
    std::string text;
    for (std::size_t i = 0; i < code.images.size(); ++i) {
        const bool next_region = i > 0 && code.images[i].region != code.images[i - 1].region;
        text += (i == 0 ? "" : next_region ? " | " : " ") + describe(code.images[i]);
    }
    return text;
}

TEST_CASE("samples of a real toolkit") {
    const std::filesystem::path samples =
        std::filesystem::path(__FILE__).parent_path().parent_path().parent_path().parent_path() / "shared" / "samples";
    if (!std::filesystem::exists(samples)) {
        MESSAGE("skipped: no ../shared/samples");
        return;
    }
    CHECK(images_of(samples / "five_archs_ptx90.so") ==
          "sm_75 sm_80 sm_86 sm_89 compute_90 sm_90 | sm_75 sm_80 sm_86 sm_89 compute_90 sm_90");
    CHECK(images_of(samples / "zstd_80_90_ptx90.so") == "sm_80 compute_90 sm_90");
    CHECK(images_of(samples / "lz4_80_90_ptx90.so") == "sm_80 compute_90 sm_90");
    CHECK(images_of(samples / "sm_90a.so") == "sm_90a");
    CHECK(images_of(samples / "ptx_80_90a_only.so") == "compute_80 compute_90a");
    CHECK(images_of(samples / "one_tu_narrow.so") == "sm_75 sm_80 sm_90 | sm_80");
    CHECK(images_of(samples / "host_only.so").empty());
    CHECK(images_of(samples / "archive_80_90.a") == "sm_80 sm_90 | sm_80 sm_90");
    CHECK(images_of(samples / "bare_80_90.fatbin") == "sm_80 sm_90");
    CHECK(images_of(samples / "bare_90a.cubin") == "sm_90a");
    CHECK(images_of(samples / "bare_86.ptx") == "compute_86");
    CHECK(error_text([&] {
              images_of(samples / "cut_short.so");
          }).find("the section header table needs 64 bytes here") != std::string::npos);
}

}  // namespace
}  // namespace wheelarch
