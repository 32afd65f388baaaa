// The GPUs by compute capability. Sources: NVIDIA's pages "CUDA GPU Compute Capability" (7.5 and up) and "Legacy CUDA
// GPU Compute Capability" (below), and for the variants of a model (Ti, Super) the model; 10.1 is what CUDA 12.8 and
// 12.9 called 11.0 ("Parallel Thread Execution ISA", .target); 10.7 is Rubin by the table of names in torch 2.14 and by
// the cuRANDDx 0.2.5 release notes. 8.8, a target since CUDA 13.0, is on none of the pages, so it is not in the table.
#include <string_view>

#include "policy/coverage.hpp"

namespace wheelarch {
namespace {

struct Row {
    std::uint32_t number;
    bool embedded;
    std::string_view name;    // a few words that stand for all of them
    std::string_view models;  // one after the other, `, ` between
};

constexpr Row kRows[] = {
    {50, false, "GTX 750 Ti, Quadro K2200",
     "GeForce GTX 750, GeForce GTX 750 Ti, GeForce GTX 950M, GeForce GTX 960M, GeForce 930M, GeForce 940M, Quadro "
     "K620, "
     "Quadro K1200, Quadro K2200, Quadro M1200, Quadro M1000M, Quadro M2000M, NVS 810"},
    {52, false, "GTX 970, GTX 980, Tesla M40, M60",
     "Tesla M40, Tesla M60, Quadro M2000, Quadro M4000, Quadro M5000, Quadro M6000, GeForce GTX TITAN X, GeForce GTX "
     "980 Ti, "
     "GeForce GTX 980, GeForce GTX 970, GeForce GTX 960, GeForce GTX 950, GeForce GTX 980M, GeForce GTX 970M, "
     "GeForce GTX 965M"},
    {53, true, "Jetson Nano, TX1", "Jetson Nano, Jetson TX1, Tegra X1"},
    {60, false, "P100", "Tesla P100, Quadro GP100"},
    {61, false, "GTX 1060, 1070, 1080, Tesla P4, P40",
     "Tesla P4, Tesla P40, TITAN X, TITAN Xp, GeForce GTX 1080 Ti, GeForce GTX 1080, GeForce GTX 1070 Ti, GeForce GTX "
     "1070, "
     "GeForce GTX 1060, GeForce GTX 1050 Ti, GeForce GTX 1050, Quadro P400, Quadro P500, Quadro P600, Quadro P620, "
     "Quadro P1000, Quadro P2000, Quadro P2200, Quadro P3000, Quadro P3200, Quadro P4000, Quadro P4200, Quadro P5000, "
     "Quadro P5200, Quadro P6000"},
    {62, true, "Jetson TX2", "Jetson TX2"},
    {70, false, "V100, TITAN V", "Tesla V100, TITAN V, Quadro GV100"},
    {72, true, "Jetson Xavier", "Jetson Xavier, Jetson AGX Xavier, Jetson Xavier NX, DRIVE AGX Xavier, Xavier"},
    {75, false, "T4, RTX 2060, 2070, 2080, GTX 1650, 1660",
     "Tesla T4, TITAN RTX, GeForce RTX 2080 Ti, GeForce RTX 2080 Super, GeForce RTX 2080, GeForce RTX 2070 Super, "
     "GeForce RTX 2070, GeForce RTX 2060 Super, GeForce RTX 2060, GeForce GTX 1660 Ti, GeForce GTX 1660 Super, "
     "GeForce GTX 1660, GeForce GTX 1650 Ti, GeForce GTX 1650 Super, GeForce GTX 1650, Quadro RTX 8000, Quadro RTX "
     "6000, "
     "Quadro RTX 5000, Quadro RTX 4000, Quadro RTX 3000, Quadro T2000, T400, T500, T600, T1000, T1200"},
    {80, false, "A100, A30", "A100, A30"},
    {86, false, "A10, A40, RTX 3050 to 3090, RTX A6000",
     "A2, A10, A16, A40, RTX A2000, RTX A3000, RTX A4000, RTX A5000, RTX A6000, GeForce RTX 3090 Ti, GeForce RTX 3090, "
     "GeForce RTX 3080 Ti, GeForce RTX 3080, GeForce RTX 3070 Ti, GeForce RTX 3070, GeForce RTX 3060 Ti, GeForce RTX "
     "3060, "
     "GeForce RTX 3050 Ti, GeForce RTX 3050"},
    {87, true, "Jetson Orin", "Jetson Orin, Jetson AGX Orin, Jetson Orin NX, Jetson Orin Nano, DRIVE AGX Orin, Orin"},
    {89, false, "L4, L40, L40S, RTX 4050 to 4090, RTX 6000 Ada",
     "L4, L40, L40S, RTX 6000 Ada, RTX 5000 Ada, RTX 4500 Ada, RTX 4000 Ada, RTX 4000 SFF Ada, RTX 2000 Ada, "
     "GeForce RTX 4090, GeForce RTX 4080 Super, GeForce RTX 4080, GeForce RTX 4070 Ti Super, GeForce RTX 4070 Ti, "
     "GeForce RTX 4070 Super, GeForce RTX 4070, GeForce RTX 4060 Ti, GeForce RTX 4060, GeForce RTX 4050"},
    {90, false, "H100, H200, GH200", "H100, H200, GH200"},
    {100, false, "B200, GB200", "B200, GB200"},
    {101, true, "Jetson Thor under CUDA 12 (11.0 from CUDA 13 on)", ""},
    {103, false, "B300, GB300", "B300, GB300"},
    {107, false, "Rubin", "Rubin"},
    {110, true, "Jetson Thor", "Jetson Thor, Jetson AGX Thor, Jetson T5000, Jetson T4000, DRIVE AGX Thor, Thor"},
    {120, false, "RTX 5050 to 5090, RTX PRO Blackwell",
     "RTX PRO 6000 Blackwell, RTX PRO 6000 Blackwell Server Edition, RTX PRO 6000 Blackwell Workstation Edition, "
     "RTX PRO 6000 Blackwell Max-Q Workstation Edition, RTX PRO 5000 Blackwell, RTX PRO 4500 Blackwell, "
     "RTX PRO 4500 Blackwell Server Edition, RTX PRO 4000 Blackwell, RTX PRO 4000 Blackwell SFF Edition, "
     "RTX PRO 2000 Blackwell, RTX PRO 6000, RTX PRO 5000, RTX PRO 4500, RTX PRO 4000, RTX PRO 2000, GeForce RTX 5090, "
     "GeForce RTX 5080, GeForce RTX 5070 Ti, GeForce RTX 5070, GeForce RTX 5060 Ti, GeForce RTX 5060, GeForce RTX "
     "5050"},
    {121, false, "GB10 (DGX Spark)", "GB10, DGX Spark"},
};

std::vector<std::string> split_models(std::string_view models) {
    constexpr std::string_view kBetween = ", ";
    std::vector<std::string> names;
    while (!models.empty()) {
        const std::size_t end = models.find(kBetween);
        names.emplace_back(models.substr(0, end));
        models = end == std::string_view::npos ? "" : models.substr(end + kBetween.size());
    }
    return names;
}

}  // namespace

const std::vector<GpuModels>& gpu_table() {
    static const std::vector<GpuModels> table = [] {
        std::vector<GpuModels> rows;
        for (const Row& row : kRows) {
            rows.push_back({{std::string(row.name), {row.number, '\0'}, row.embedded}, split_models(row.models)});
        }
        return rows;
    }();
    return table;
}

}  // namespace wheelarch
