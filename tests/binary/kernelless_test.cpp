// Images without code, and what is presumed of those that are not opened.
#include <doctest/doctest.h>

#include "support/bytes.hpp"
#include "support/damage.hpp"
#include "support/device_probe.hpp"
#include "support/fatbin_builder.hpp"

namespace wheelarch {
namespace {

// The images of these archs, too large to be opened for nothing.
EntrySpec large(EntrySpec entry, std::vector<std::string> kernels, Pack pack) {
    entry.payload = build_cubin({.arch = entry.arch, .kernels = std::move(kernels), .data = kAlwaysOpened});
    entry.pack = pack;
    return entry;
}

EntrySpec large_sass(std::uint32_t arch, char suffix = '\0') {
    return large(sass(arch, suffix), {"scale"}, Pack::zstd);
}

EntrySpec large_stub(std::uint32_t arch, char suffix = '\0', Pack pack = Pack::zstd) {
    return large(stub(arch, suffix), {}, pack);
}

TEST_CASE("nvcc's device link adds cubins without a kernel for the archs of its own command line") {
    // `nvcc -c` for sm_80, then `nvcc -shared`: a region of its own, here for the default sm_75.
    CHECK(images(build_library({{".nv_fatbin", build_region({.entries = {stub(75)}}) +
                                                   build_region({.entries = {sass(80), ptx(80)}})}})) ==
          "sm_75 (empty), sm_80, compute_80");
}

TEST_CASE("a source without kernels makes empty images of both kinds") {
    CHECK(images(library_of({stub(80), empty_ptx(80)})) == "sm_80 (empty), compute_80 (empty)");
}

TEST_CASE("only one of the images of an arch may be empty") {
    CHECK(images(library_of({stub(80), sass(80), stub(90, 'a'), sass(90)})) ==
          "sm_80 (empty), sm_80, sm_90a (empty), sm_90");
}

TEST_CASE("small images are opened, whatever their compression") {
    for (const Pack pack : {Pack::raw, Pack::lz4, Pack::zstd}) {
        std::vector<EntrySpec> entries = {sass(80), stub(86), ptx(90), empty_ptx(100)};
        for (EntrySpec& entry : entries) {
            entry.pack = pack;
        }
        CHECK(images(library_of(entries)) == "sm_80, sm_86 (empty), compute_90, compute_100 (empty)");
    }
}

TEST_CASE("a raw image is looked at, whatever its size") {
    CHECK(images(library_of({sass(80), large_stub(80, '\0', Pack::raw)})) == "sm_80, sm_80 (empty)");
}

TEST_CASE("a large compressed image is presumed to hold code once its arch is proven") {
    CHECK(images(library_of({sass(80), large_stub(80)})) == "sm_80, sm_80");
    CHECK(images(library_of({large_stub(80), sass(80)})) == "sm_80, sm_80");
    CHECK(images(library_of({sass(80), large_stub(80)}), {.open_all = true}) == "sm_80, sm_80 (empty)");
}

TEST_CASE("for each arch, one image at least is opened and proven") {
    CHECK(images(library_of({large_stub(80)})) == "sm_80 (empty)");
    CHECK(images(library_of({large_stub(80, '\0', Pack::lz4)})) == "sm_80 (empty)");
    CHECK(images(library_of({large_stub(80), large_stub(80), large_sass(90), large_stub(90, 'a')})) ==
          "sm_80 (empty), sm_80 (empty), sm_90, sm_90a (empty)");
}

TEST_CASE("the smallest images are opened until one holds code") {
    EntrySpec larger = large_sass(80);
    larger.payload = build_cubin({.arch = 80, .data = 2 * kAlwaysOpened});
    EntrySpec largest = large_stub(80);
    largest.payload = build_cubin({.arch = 80, .kernels = {}, .data = 4 * kAlwaysOpened});
    // The largest is never opened: the one before it has proven the arch.
    CHECK(images(library_of({largest, larger, large_stub(80)})) == "sm_80, sm_80, sm_80 (empty)");
}

TEST_CASE("code that the head of a large image does not show is found in the whole") {
    EntrySpec entry = large_stub(80);
    entry.payload = build_cubin(
        {.arch = 80,
         .kernels = {},
         .data = kAlwaysOpened,
         .sections = {{.name = ".debug_" + std::string(100'000, 'x')}, {.name = ".text.late", .content = "code"}}});
    CHECK(images(library_of({entry})) == "sm_80");
    entry.payload = build_cubin({.arch = 80,
                                 .kernels = {},
                                 .data = kAlwaysOpened,
                                 .sections = {{.name = ".debug_" + std::string(100'000, 'x')}}});
    CHECK(images(library_of({entry})) == "sm_80 (empty)");
}

TEST_CASE("a small empty image proves nothing for its arch") {
    CHECK(images(library_of({stub(80), large_stub(80)})) == "sm_80 (empty), sm_80 (empty)");
}

TEST_CASE("PTX and SASS of an arch are proven apart") {
    EntrySpec text = ptx(80);
    text.payload = build_ptx("sm_80", "// " + std::string(kAlwaysOpened, 'x') + "\n");
    text.pack = Pack::zstd;
    CHECK(images(library_of({sass(80), text})) == "sm_80, compute_80 (empty)");
}

TEST_CASE("a damaged image is an error when it is opened") {
    EntrySpec damaged = sass(80);
    damaged.pack = Pack::zstd;
    damaged.stored = "no zstd frame";
    CHECK(error_text([&] { read_bytes(library_of({damaged})); }) ==
          "offset 0xa0: an image for 80 claims " + std::to_string(damaged.payload.size()) +
              " bytes once it is decompressed, which its 13 bytes cannot give"
              "\nfix: the file is damaged: build or download it again");
    EntrySpec no_cubin = sass(80);
    no_cubin.payload = build_elf({});
    CHECK(error_text([&] { read_bytes(library_of({no_cubin})); }) ==
          "offset 0xa0: an image that should be a cubin is no ELF file for CUDA\nfix: the file is damaged: build or "
          "download it again");
}

TEST_CASE("an image that is no ELF file at all") {
    EntrySpec entry = sass(80);
    entry.payload = "this is no cubin";
    CHECK(error_text([&] { read_bytes(library_of({entry})); }) ==
          "offset 0xa0: an image that should be a cubin is no ELF file for CUDA\nfix: the file is damaged: build or "
          "download it again");
}

TEST_CASE("an error within a compressed image names the image, since offsets in it are not offsets of the file") {
    EntrySpec entry = sass(80);
    entry.payload.resize(0x41);
    entry.pack = Pack::zstd;
    const std::string text = error_text([&] { read_bytes(library_of({entry})); });
    CHECK(text.starts_with("the image at offset 0xa0 → offset 0x"));
}

TEST_CASE("obfuscated SASS is an error, since nobody can tell whether it holds code") {
    EntrySpec entry = sass(80);
    entry.pack = Pack::zstd;
    entry.flags |= kBitObfuscated;
    CHECK(error_text([&] { read_bytes(library_of({entry})); }) ==
          "offset 0xa0: an image is stored in a way that is not known, so whether it holds code cannot be told\n"
          "fix: check the file with cuobjdump, and report it");
}

TEST_CASE("what was read is given back in steps") {
    // Two regions of 20 MiB each; the bytes are shared zeros of a constant bank.
    EntrySpec big = sass(80);
    big.payload = build_cubin({.arch = 80, .data = std::uint64_t{20} << 20});
    const std::string region = build_region({.entries = {big}});
    const std::string file = build_library({{".nv_fatbin", region + region + region + region}});
    std::uint64_t given_back = 0;
    int calls = 0;
    read_bytes(file, {.done = [&](ByteView bytes) {
                   given_back += bytes.size();
                   ++calls;
               }});
    CHECK(calls == 2);
    CHECK(given_back == 4 * region.size());
}

}  // namespace
}  // namespace wheelarch
