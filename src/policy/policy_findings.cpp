#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policy/arch_list.hpp"
#include "policy/cell.hpp"
#include "policy/cuda_archs.hpp"
#include "policy/farm.hpp"

namespace wheelarch {
namespace {

constexpr std::uint32_t kBlackwell = 100;  // below it, newer CUDA lines drop archs on purpose

struct Row {
    CudaVersion cuda;
    const Text* list;
    ArchSet archs;
};

std::vector<Row> by_version(const ArchTable& table) {
    std::vector<Row> rows;
    for (const auto& [cuda, list] : table) {
        rows.push_back({parse_cuda_version(cuda), &list, parse_arch_list(list.value, "").archs});
    }
    std::sort(rows.begin(), rows.end(), [](const Row& left, const Row& right) { return left.cuda < right.cuda; });
    return rows;
}

// Archs that the older row has, the newer one lacks and its nvcc could build.
std::vector<std::string> lost(const Row& older, const Row& newer) {
    std::vector<std::string> names;
    for (const Arch arch : minus(older.archs, newer.archs).sass) {
        if (arch.number >= kBlackwell && builds(newer.cuda, arch)) {
            names.push_back(torch_name(arch));
        }
    }
    return names;
}

void compare_rows(const ArchTable& table, std::string_view name, std::vector<Finding>& findings) {
    const std::vector<Row> rows = by_version(table);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const Row& newer = rows[i];
        const Row& older = rows[i - 1];
        const std::vector<std::string> names = lost(older, newer);
        if (!names.empty()) {
            findings.push_back(
                {"newer-cuda-narrower", Severity::warning, file_and_line(newer.list->place),
                 fmt::format("{}['{}'] lacks {}, which the row of CUDA {} in line {} has", name, to_text(newer.cuda),
                             fmt::join(names, ", "), to_text(older.cuda), older.list->place.line),
                 fmt::format("add {} to the row of CUDA {} too, unless it is left out on purpose",
                             fmt::join(names, ", "), to_text(newer.cuda))});
        }
    }
}

// Rows of `arch_exceptions` for a pair that no row of the farm or of a package has.
void exceptions_without_row(const Farm& farm, std::vector<Finding>& findings) {
    std::set<std::string> pairs;
    const auto add = [&](const std::vector<Combination>& rows) {
        for (const Combination& row : rows) {
            pairs.insert(row.cuda + "/" + major_minor(row.pytorch));
        }
    };
    add(farm.combinations);
    for (const Package& package : farm.packages) {
        add(package.combinations);
    }
    for (const auto& [pair, list] : farm.arch_policy.exceptions) {
        if (!pairs.contains(pair)) {
            findings.push_back({"policy-key-unused", Severity::warning, file_and_line(list.place),
                                fmt::format("not used: arch_exceptions['{}']: no row has this CUDA and torch", pair),
                                "take it out, or correct the pair"});
        }
    }
}

void report_unused(const std::vector<Text>& unused, std::vector<Finding>& findings) {
    for (const Text& key : unused) {
        findings.push_back({"policy-key-unused", Severity::warning, file_and_line(key.place),
                            fmt::format("not used: {}", key.value), "take it out, or put it where it is read"});
    }
}

}  // namespace

std::vector<Finding> policy_findings(const Farm& farm) {
    std::vector<Finding> findings;
    compare_rows(farm.arch_policy.rows, "arch_policy", findings);
    compare_rows(farm.arch_policy.aarch64, "arch_policy_aarch64", findings);
    exceptions_without_row(farm, findings);
    report_unused(farm.unused, findings);
    for (const Package& package : farm.packages) {
        compare_rows(package.archs.by_cuda, "arch_list_by_cuda", findings);
        compare_rows(package.archs_aarch64.by_cuda, "arch_list_by_cuda_aarch64", findings);
        report_unused(package.unused, findings);
    }
    return findings;
}

}  // namespace wheelarch
