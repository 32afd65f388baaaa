#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "policy/fields.hpp"
#include "policy/package_parts.hpp"

namespace wheelarch {
namespace {

constexpr std::size_t kMostPairs = 10'000;

std::vector<Combination> read_product(const YamlNode& matrix, const std::vector<std::string>& pythons) {
    const YamlNode* cudas = matrix.find("cuda_versions");
    const YamlNode* torches = matrix.find("pytorch_versions");
    if (cudas == nullptr || torches == nullptr) {
        return {};
    }
    std::vector<Combination> rows;
    const auto torch_list = read_list(*torches, "build_matrix.pytorch_versions", read_torch);
    for (const std::string& cuda : read_list(*cudas, "build_matrix.cuda_versions", read_cuda)) {
        for (const std::string& torch : torch_list) {
            rows.push_back({cuda, torch, pythons, std::nullopt, std::nullopt, cudas->place});
        }
        if (rows.size() > kMostPairs) {
            throw yaml_error(cudas->place,
                             fmt::format("build_matrix has more than {} pairs of CUDA and torch", kMostPairs),
                             "take versions out");
        }
    }
    if (pythons.empty()) {
        throw yaml_error(matrix.place, "build_matrix has cuda_versions but no python_versions",
                         "add python_versions, such as [\"3.12\"]");
    }
    return rows;
}

}  // namespace

std::vector<Combination> read_combinations(const YamlNode& node, std::string_view what,
                                           const std::vector<std::string>& pythons) {
    std::vector<Combination> rows;
    const auto required = [&](const YamlNode& item, const char* key) -> const YamlNode& {
        const YamlNode* value = item.find(key);
        if (value == nullptr) {
            throw yaml_error(item.place, fmt::format("a row of {} has no {}", what, key),
                             "a row is written like {cuda: \"12.8\", pytorch: \"2.8.0\", python_versions: [\"3.12\"]}");
        }
        return *value;
    };
    for (const auto& item : items_of(node, what)) {
        require_map(*item, fmt::format("a row of {}", what));
        refuse_near_misses(*item, combination_keys());
        refuse_misplaced(*item, "a row", package_keys(), combination_keys());
        Combination row;
        row.place = item->place;
        row.cuda = read_cuda(required(*item, "cuda"), "cuda");
        row.pytorch = read_torch(required(*item, "pytorch"), "pytorch");
        row.pythons = pythons.empty() || item->find("python_versions") != nullptr
                          ? read_list(required(*item, "python_versions"), "python_versions", read_python)
                          : pythons;
        with(*item, "arch_list",
             [&](const YamlNode& value, const std::string& key) { row.arch_list = read_arch_list(value, key); });
        with(*item, "source_tag", [&](const YamlNode& value, const std::string& key) {
            row.source_tag = Text{read_word(value, key), value.place};
        });
        rows.push_back(std::move(row));
    }
    return rows;
}

void read_build_matrix(const YamlNode& node, Package& package) {
    require_map(node, "build_matrix");
    refuse_near_misses(node, build_matrix_keys());
    refuse_misplaced(node, "build_matrix", package_keys(), build_matrix_keys());
    std::vector<std::string> pythons;
    with(node, "python_versions", [&](const YamlNode& value, const std::string&) {
        pythons = read_list(value, "build_matrix.python_versions", read_python);
    });
    with(node, "platforms", [&](const YamlNode& value, const std::string&) {
        package.platforms = read_list(value, "build_matrix.platforms", read_platform);
    });
    with(node, "combinations", [&](const YamlNode& rows, const std::string& what) {
        package.combinations = read_combinations(rows, "build_matrix." + what, pythons);
    });
    if (package.combinations.empty()) {
        package.combinations = read_product(node, pythons);
    }
}

}  // namespace wheelarch
