#include "lint/declared.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policy/cuda_archs.hpp"
#include "policy/resolve.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kArm = "linux_aarch64";

// What a list depends on.
struct Row {
    std::string cuda;
    std::string pytorch;
    bool arm = false;
    auto operator<=>(const Row&) const = default;
};

struct Group {
    DeclaredList declared;
    std::set<Row> rows;
};

std::vector<std::string> by_version(const std::set<std::string>& cudas) {
    std::vector<std::string> sorted(cudas.begin(), cudas.end());
    std::sort(sorted.begin(), sorted.end(), [](const std::string& left, const std::string& right) {
        return parse_cuda_version(left) < parse_cuda_version(right);
    });
    return sorted;
}

// Torch releases and platforms are named where not all of a CUDA line's are in the group.
std::string describe(const std::set<Row>& group, const std::set<Row>& all) {
    std::map<std::string, std::set<std::string>> cudas_by_rest;  // ` with torch 2.7.1` to CUDA lines
    std::set<std::string> cudas;
    for (const Row& row : group) {
        cudas.insert(row.cuda);
    }
    for (const std::string& cuda : cudas) {
        std::set<std::string> torches;
        std::set<std::string> other_torches;
        std::set<bool> platforms;
        std::set<bool> all_platforms;
        for (const Row& row : all) {
            if (row.cuda == cuda) {
                const bool ours = group.contains(row);
                (ours ? torches : other_torches).insert(row.pytorch);
                all_platforms.insert(row.arm);
                if (ours) {
                    platforms.insert(row.arm);
                }
            }
        }
        std::string rest;
        const bool one_platform = platforms.size() < all_platforms.size();
        const bool some_torches = std::any_of(group.begin(), group.end(), [&](const Row& row) {
            return row.cuda == cuda && std::any_of(all.begin(), all.end(), [&](const Row& other) {
                       return other.cuda == cuda && other.arm == row.arm && !group.contains(other);
                   });
        });
        if (one_platform) {
            rest += platforms.contains(true) ? fmt::format(" on {}", kArm) : " on x86_64";
        }
        if (some_torches) {
            rest += fmt::format(" with torch {}", fmt::join(torches, ", "));
        }
        cudas_by_rest[rest].insert(cuda);
    }
    std::vector<std::string> parts;
    for (const auto& [rest, lines] : cudas_by_rest) {
        parts.push_back(fmt::format("CUDA {}{}", fmt::join(by_version(lines), ", "), rest));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

DeclaredList declared_for(const Farm& farm, const Package& package, const Cell& cell) {
    const ResolvedList resolved = resolve_unchecked(farm, package, cell);
    if (const auto expected = expected_list(package, cell)) {
        return {expected->list.text, expected->list, expected->source, {}, {}};
    }
    return {resolved.text, resolved.list, resolved.source, {}, {}};
}

}  // namespace

std::vector<DeclaredList> declared_lists(const Farm& farm, const Package& package, const std::vector<GridRow>& rows,
                                         const std::string& source_tag) {
    std::set<Row> all;
    std::map<std::string, Group> groups;  // by text
    for (const GridRow& row : rows) {
        if (row.package != &package || (!source_tag.empty() && row.source_tag != source_tag)) {
            continue;
        }
        Row key{row.cell.cuda, row.cell.pytorch, row.cell.platform == kArm};
        if (!all.insert(key).second) {
            continue;
        }
        DeclaredList declared = declared_for(farm, package, row.cell);
        Group& group = groups.try_emplace(declared.text, Group{declared, {}}).first->second;
        group.declared.cudas.insert(key.cuda);
        group.rows.insert(std::move(key));
    }
    std::vector<DeclaredList> lists;
    for (auto& [text, group] : groups) {
        group.declared.rows = describe(group.rows, all);
        lists.push_back(std::move(group.declared));
    }
    std::sort(lists.begin(), lists.end(),
              [](const DeclaredList& left, const DeclaredList& right) { return left.rows < right.rows; });
    return lists;
}

}  // namespace wheelarch
