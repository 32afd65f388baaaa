#include "policy/coverage.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "policy/cuda_archs.hpp"

using namespace wheelarch;

namespace {

Arch arch_of(const std::string& text) {
    return parse_bare_arch(text).value_or(Arch{});
}

ArchSet set_of(const std::vector<std::string>& sass, const std::vector<std::string>& ptx = {}) {
    ArchSet archs;
    std::transform(sass.begin(), sass.end(), std::inserter(archs.sass, archs.sass.end()), arch_of);
    std::transform(ptx.begin(), ptx.end(), std::inserter(archs.ptx, archs.ptx.end()), arch_of);
    return archs;
}

// `native by sm_80`, `jit by compute_80`, `none`, `not-asserted`.
std::string reach(const std::string& capability, const ArchSet& archs) {
    const Coverage coverage = cover(archs, find_gpu(capability));
    CHECK(coverage.gpu.capability == find_gpu(capability).capability);
    CHECK(coverage.by.has_value() == (coverage.reach == Reach::native || coverage.reach == Reach::jit));
    const std::string by = !coverage.by                      ? ""
                           : coverage.reach == Reach::native ? " by " + sass_name(*coverage.by)
                                                             : " by " + ptx_name(*coverage.by);
    return std::string(name(coverage.reach)) + by;
}

std::string error_of(std::string_view text) {
    try {
        return "found " + find_gpu(text).name;
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return std::string(error.what()) + " | " + error.fix();
    }
}

}  // namespace

// Measured: each image alone on a device of compute capability 9.0.
TEST_CASE("coverage: a device of 9.0, as measured") {
    for (const char* image : {"90", "90a"}) {
        CHECK(reach("9.0", set_of({image})) == "native by sm_" + std::string(image));
        CHECK(reach("9.0", set_of({}, {image})) == "jit by compute_" + std::string(image));
    }
    for (const char* image : {"75", "80", "86", "87", "88", "89"}) {
        CAPTURE(image);
        CHECK(reach("9.0", set_of({image})) == "none");
        CHECK(reach("9.0", set_of({}, {image})) == "jit by compute_" + std::string(image));
    }
    CHECK(reach("9.0", set_of({"86", "89"})) == "none");
    for (const char* image : {"100", "100a", "100f", "103", "103a", "103f", "110", "110a", "110f", "120", "120a",
                              "120f", "121", "121a", "121f"}) {
        CAPTURE(image);
        CHECK(reach("9.0", set_of({image})) == "none");
        CHECK(reach("9.0", set_of({}, {image})) == "none");
    }
    CHECK(reach("9.0", set_of({"80"}, {"80"})) == "jit by compute_80");
}

TEST_CASE("coverage: SASS serves the same major from its minor up") {
    CHECK(reach("8.6", set_of({"80"})) == "native by sm_80");
    CHECK(reach("8.9", set_of({"80", "86"})) == "native by sm_86");
    CHECK(reach("8.6", set_of({"89"})) == "none");
    CHECK(reach("8.0", set_of({"75"})) == "none");
    CHECK(reach("7.5", set_of({"70"})) == "native by sm_70");
    CHECK(reach("12.1", set_of({"120"})) == "native by sm_120");
    CHECK(reach("12.0", set_of({"100", "121"})) == "none");
    // bitsandbytes pull request 1715: 5.2 and 6.1 were dropped, since 5.0 and 6.0 serve them.
    CHECK(reach("5.2", set_of({"50", "60", "70", "75"})) == "native by sm_50");
    CHECK(reach("6.1", set_of({"50", "60", "70", "75"})) == "native by sm_60");
    // mamba issue 1019
    CHECK(reach("10.3", set_of({"75", "80", "90"})) == "none");
    CHECK(reach("12.1", set_of({"75", "80", "90"})) == "none");
    CHECK(reach("10.3", set_of({"100"}, {"100"})) == "native by sm_100");
    CHECK(reach("12.1", set_of({"100"}, {"100"})) == "jit by compute_100");
}

TEST_CASE("coverage: the suffix a is for one device") {
    CHECK(reach("10.0", set_of({"100a"})) == "native by sm_100a");
    CHECK(reach("10.3", set_of({"100a"})) == "none");
    CHECK(reach("10.3", set_of({}, {"100a"})) == "none");
    CHECK(reach("12.1", set_of({"120a"}, {"90a"})) == "none");
    CHECK(reach("10.0", set_of({}, {"100a"})) == "jit by compute_100a");
}

TEST_CASE("coverage: the suffix f is for a family") {
    CHECK(reach("10.0", set_of({"100f"})) == "native by sm_100f");
    CHECK(reach("10.3", set_of({"100f"})) == "native by sm_100f");
    CHECK(reach("10.7", set_of({"103f"})) == "native by sm_103f");
    CHECK(reach("10.0", set_of({"103f"})) == "none");
    CHECK(reach("12.1", set_of({"120f"})) == "native by sm_120f");
    CHECK(reach("12.0", set_of({"100f"}, {"100f"})) == "none");
    CHECK(reach("12.1", set_of({}, {"120f"})) == "jit by compute_120f");
    // ptxas 12.9 refuses PTX of sm_101f for sm_103: 10.1 is of the family of 11.0.
    CHECK(reach("10.3", set_of({}, {"101f"})) == "none");
    CHECK(reach("10.3", set_of({}, {"101"})) == "jit by compute_101");
}

TEST_CASE("coverage: the best of several images") {
    CHECK(reach("9.0", set_of({"90", "90a"}, {"90"})) == "native by sm_90a");
    CHECK(reach("10.0", set_of({"100", "100f"})) == "native by sm_100f");
    CHECK(reach("10.3", set_of({"100", "100f", "103"})) == "native by sm_103");
    CHECK(reach("8.9", set_of({"80"}, {"89"})) == "native by sm_80");
    CHECK(reach("9.0", set_of({"80"}, {"75", "86", "100"})) == "jit by compute_86");
    CHECK(reach("9.0", set_of({}, {"90", "90a"})) == "jit by compute_90a");
    CHECK(reach("9.0", set_of({})) == "none");
}

TEST_CASE("coverage: embedded devices are asserted only natively") {
    CHECK(reach("8.7", set_of({"87"})) == "native by sm_87");
    CHECK(reach("11.0", set_of({"110a"})) == "native by sm_110a");
    CHECK(reach("11.0", set_of({"110f"})) == "native by sm_110f");
    CHECK(reach("10.1", set_of({"101"})) == "native by sm_101");
    // flash-attention issue 1146
    CHECK(reach("8.7", set_of({"80"})) == "not-asserted");
    CHECK(reach("8.7", set_of({"80", "86"}, {"80"})) == "not-asserted");
    CHECK(reach("11.0", set_of({"101"})) == "not-asserted");
    CHECK(reach("10.1", set_of({"100", "110"})) == "not-asserted");
    CHECK(reach("5.3", set_of({"50"})) == "not-asserted");
    CHECK(reach("6.2", set_of({"60"}, {"60"})) == "not-asserted");
    CHECK(reach("7.2", set_of({"70"})) == "not-asserted");
    CHECK(reach("8.7", set_of({})) == "none");
    // The number counts, whatever the caller says of the device.
    CHECK(cover(set_of({"80"}), {"board", {87, '\0'}, false}).reach == Reach::not_asserted);
    CHECK(cover(set_of({"80"}), {"board", {88, '\0'}, true}).reach == Reach::not_asserted);
}

TEST_CASE("coverage: images of embedded archs elsewhere") {
    CHECK(reach("8.9", set_of({"87"})) == "not-asserted");
    CHECK(reach("8.9", set_of({"86", "87"})) == "native by sm_86");
    CHECK(reach("8.9", set_of({"87"}, {"80"})) == "jit by compute_80");
    CHECK(reach("8.9", set_of({}, {"87"})) == "jit by compute_87");
    CHECK(reach("8.6", set_of({"87"})) == "none");
    CHECK(reach("10.3", set_of({"101"})) == "not-asserted");
}

TEST_CASE("coverage: the known GPUs") {
    const auto& gpus = known_gpus();
    const auto below = [](const Gpu& left, const Gpu& right) { return left.capability < right.capability; };
    CHECK(std::is_sorted(gpus.begin(), gpus.end(), below));
    CHECK(gpus.front().capability == Arch{50, '\0'});
    CHECK(gpus.back().capability == Arch{121, '\0'});
    std::set<std::uint32_t> embedded;
    std::set<Arch> all;
    for (const Gpu& gpu : gpus) {
        CHECK(all.insert(gpu.capability).second);
        CHECK(first_cuda(gpu.capability));
        CHECK_FALSE(gpu.name.empty());
        if (gpu.embedded) {
            embedded.insert(gpu.capability.number);
        }
    }
    CHECK(embedded == std::set<std::uint32_t>{53, 62, 72, 87, 101, 110});
    CHECK(is_embedded({87, '\0'}));
    CHECK_FALSE(is_embedded({86, '\0'}));
}

TEST_CASE("coverage: each model is found by its name, under one capability") {
    for (const GpuModels& row : gpu_table()) {
        for (const std::string& model : row.models) {
            CAPTURE(model);
            CHECK(find_gpu(model).capability == row.gpu.capability);
            CHECK(find_gpu("NVIDIA " + model).embedded == row.gpu.embedded);
        }
    }
}

TEST_CASE("coverage: a GPU by its arch") {
    for (const char* text : {"9.0", "90", "sm_90", "SM_90", "compute_90", "9.0a", "sm_90a"}) {
        CAPTURE(text);
        CHECK(find_gpu(text).capability == Arch{90, '\0'});
        CHECK(find_gpu(text).name == "H100, H200, GH200");
    }
    CHECK(find_gpu("8.7").embedded);
    CHECK(find_gpu("13.0").name == "compute capability 13.0");
    CHECK(find_gpu("13.0").capability == Arch{130, '\0'});
    CHECK(find_gpu("8.8").name == "compute capability 8.8");
    CHECK(find_gpu("3.7").capability == Arch{37, '\0'});
}

TEST_CASE("coverage: a GPU by its name") {
    CHECK(find_gpu("H100").name == "H100");
    CHECK(find_gpu("h100").capability == Arch{90, '\0'});
    CHECK(find_gpu("RTX 4090").name == "GeForce RTX 4090");
    CHECK(find_gpu("rtx-4090").capability == Arch{89, '\0'});
    CHECK(find_gpu("GeForce RTX4090").capability == Arch{89, '\0'});
    CHECK(find_gpu("T4").capability == Arch{75, '\0'});
    CHECK(find_gpu("Jetson Orin Nano").embedded);
    CHECK(find_gpu("DGX Spark").capability == Arch{121, '\0'});
    CHECK(find_gpu("Quadro RTX 6000").capability == Arch{75, '\0'});
    CHECK(find_gpu("RTX 6000 Ada Generation").capability == Arch{89, '\0'});
    // As nvidia-smi prints them.
    CHECK(find_gpu("NVIDIA A100-SXM4-80GB").capability == Arch{80, '\0'});
    CHECK(find_gpu("NVIDIA H100 80GB HBM3").capability == Arch{90, '\0'});
    CHECK(find_gpu("Tesla V100-SXM2-16GB").capability == Arch{70, '\0'});
    CHECK(find_gpu("NVIDIA GeForce RTX 3080 Laptop GPU").capability == Arch{86, '\0'});
}

TEST_CASE("coverage: a GPU that is not known") {
    CHECK(error_of("H10O") == "no GPU is known by \"H10O\" | did you mean H100?");
    CHECK(error_of("RTX 6000") ==
          "no GPU is known by \"RTX 6000\" | did you mean one of Quadro RTX 6000, RTX 6000 Ada?");
    CHECK(error_of("4090") == "no GPU is known by \"4090\" | did you mean GeForce RTX 4090?");
    const std::string how = " | give its compute capability, such as 9.0, or a product name, such as H100";
    CHECK(error_of("") == "no GPU is known by \"\"" + how);
    CHECK(error_of("9") == "no GPU is known by \"9\"" + how);
    CHECK(error_of("MI300X\n") == "no GPU is known by \"MI300X\\n\"" + how);
    CHECK(error_of("gpu") == "no GPU is known by \"gpu\"" + how);
    CHECK(error_of("99.0") == "no GPU is known by \"99.0\"" + how);
    CHECK(error_of(std::string(100000, 'R')).size() < 250);
}

TEST_CASE("coverage: no text breaks the search") {
    std::mt19937 random(4);  // NOLINT(bugprone-random-generator-seed): the same in every run
    for (int i = 0; i < 3000; ++i) {
        std::string text(random() % 9, '\0');
        for (char& c : text) {
            c = "0123456789.rtxhalgb -_sm\n\x1b\xff"[random() % 27];
        }
        CAPTURE(text);
        CHECK(error_of(text).find_first_of("\n\x1b") == std::string::npos);
    }
}

TEST_CASE("coverage: more images never serve a device worse") {
    const auto worth = [](Reach reach) {
        return reach == Reach::native ? 3 : reach == Reach::jit ? 2 : reach == Reach::none ? 0 : 1;
    };
    std::mt19937 random(5);  // NOLINT(bugprone-random-generator-seed): the same in every run
    for (int i = 0; i < 3000; ++i) {
        ArchSet archs;
        for (int count = 0; count < 4; ++count) {
            const Arch arch = known_archs()[random() % known_archs().size()];
            const ArchSet before = archs;
            (random() % 2 == 0 ? archs.sass : archs.ptx).insert(arch);
            for (const Gpu& gpu : known_gpus()) {
                CHECK(worth(cover(archs, gpu).reach) >= worth(cover(before, gpu).reach));
            }
        }
    }
}
