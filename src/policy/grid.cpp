#include "policy/grid.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "policy/cuda_archs.hpp"
#include "policy/resolve.hpp"
#include "policy/torch_archs.hpp"

namespace wheelarch {
namespace {

// Several times the biggest farm; a policy from a pull request must not use up the memory.
constexpr std::size_t kMostRows = 400'000;
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

// `2.10.0` is later than `2.9.1`.
std::array<unsigned, 3> parts_of(const std::string& version) {
    std::array<unsigned, 3> parts{};
    const char* at = version.data();
    const char* end = at + version.size();
    for (unsigned& part : parts) {
        at = std::from_chars(at, end, part).ptr;
        at += at != end ? 1 : 0;  // the dot
    }
    return parts;
}

// Of each CUDA line the row with the newest torch, in the order in which the lines first appear.
std::vector<const Combination*> newest_of_each_line(const std::vector<Combination>& combinations) {
    std::vector<const Combination*> rows;
    for (const Combination& row : combinations) {
        const auto same =
            std::find_if(rows.begin(), rows.end(), [&](const auto* other) { return other->cuda == row.cuda; });
        if (same == rows.end()) {
            rows.push_back(&row);
        } else if (parts_of((*same)->pytorch) < parts_of(row.pytorch)) {
            *same = &row;
        }
    }
    return rows;
}

std::vector<const Combination*> rows_of(const Farm& farm, const Package& package) {
    const bool own = !package.combinations.empty();
    if (!own && !package.links_torch) {
        return newest_of_each_line(farm.combinations);
    }
    std::vector<const Combination*> rows;
    for (const Combination& row : own ? package.combinations : farm.combinations) {
        rows.push_back(&row);
    }
    return rows;
}

bool is_built(const Farm& farm, const Cell& cell) {
    const bool no_policy = cell.platform == "linux_aarch64" && !farm.arch_policy.aarch64.contains(cell.cuda);
    return !no_policy && !farm.phantoms.contains({without_dots(cell.cuda), major_minor(cell.pytorch),
                                                  without_dots(cell.python), cell.platform});
}

std::int64_t shards_on(const Package& package, const std::string& platform) {
    const auto& only = package.sharding_platforms;
    const bool sharded = only.empty() || std::find(only.begin(), only.end(), platform) != only.end();
    return sharded ? package.sharding : 0;
}

// What every row of the package repeats.
std::size_t repeated_bytes(const Package& package) {
    std::size_t bytes = package.source_repo.size() + package.source_tag.size();
    for (const auto& [name, text] : package.fields) {
        bytes += text.size();
    }
    return bytes;
}

class GridMaker {
public:
    GridMaker(const Farm& farm, const SourceVersions& versions) : farm_(farm), versions_(versions) {}

    void add(const Package& package) {
        const auto version = versions_.find(package.name);
        version_ = version != versions_.end() ? version->second : package.version;
        row_bytes_ = repeated_bytes(package);
        for (const Combination* row : rows_of(farm_, package)) {
            const bool too_old = !package.min_pytorch.empty() &&
                                 parse_torch_version(row->pytorch) < parse_torch_version(package.min_pytorch);
            if (!too_old) {
                add(package, *row);
            }
        }
    }

    std::vector<GridRow> take() { return std::move(rows_); }

private:
    void add(const Package& package, const Combination& row) {
        // The same for every Python of the row, and costly enough to be asked once.
        std::map<std::string, std::string> lists;
        const auto& platforms = package.platforms.empty() ? farm_.platforms : package.platforms;
        for (const std::string& python : row.pythons) {
            for (const std::string& platform : platforms) {
                const Cell cell{package.name, version_, row.cuda, row.pytorch, python, platform};
                if (!is_built(farm_, cell)) {
                    continue;
                }
                std::string& list = lists[platform];
                if (list.empty()) {
                    list = resolve_unchecked(farm_, package, cell).text;
                }
                add({cell, &package, list, row.source_tag ? row.source_tag->value : package.source_tag, 0, 0});
            }
        }
    }

    void add(const GridRow& row) {
        const std::int64_t shards = shards_on(*row.package, row.cell.platform);
        const auto more = static_cast<std::size_t>(std::max<std::int64_t>(shards, 1));
        if (rows_.size() + more > kMostRows) {
            throw bad_usage(fmt::format("the grid has more than {} rows", kMostRows),
                            fmt::format("check the lists of package {}", row.cell.package));
        }
        bytes_ += more * (row_bytes_ + row.arch_list.size() + row.source_tag.size());
        if (bytes_ > kMostBytes) {
            throw bad_usage(fmt::format("the texts in the grid's rows are more than {} bytes", kMostBytes),
                            fmt::format("shorten those of package {}", row.cell.package));
        }
        if (shards == 0) {
            rows_.push_back(row);
        }
        for (std::int64_t shard = 1; shard <= shards; ++shard) {
            rows_.push_back(row);
            rows_.back().shard_index = shard;
            rows_.back().shard_count = shards;
        }
    }

    const Farm& farm_;
    const SourceVersions& versions_;
    std::string version_;        // of the package at hand
    std::size_t row_bytes_ = 0;  // of the package at hand
    std::size_t bytes_ = 0;
    std::vector<GridRow> rows_;
};

// What `check` finds in each list, once for all the cells that share it, with their number.
template <typename Check>
std::vector<Finding> for_each_list(const Farm& farm, const std::vector<GridRow>& rows, const Check& check) {
    struct Cells {
        const GridRow* first;
        unsigned long long count;
    };
    std::map<std::tuple<std::string, std::string, std::string, std::string>, Cells> lists;
    for (const GridRow& row : rows) {
        const bool again = row.shard_index > 1;
        const std::string torch = major_minor(row.cell.pytorch);
        lists.try_emplace({row.cell.package, row.cell.cuda, torch, row.arch_list}, Cells{&row, 0})
            .first->second.count += again ? 0 : 1;
    }
    std::vector<std::pair<Finding, unsigned long long>> merged;
    for (const auto& [key, cells] : lists) {
        const ResolvedList resolved = resolve_unchecked(farm, *cells.first->package, cells.first->cell);
        for (Finding& finding : check(*cells.first, resolved)) {
            const auto same = std::find_if(merged.begin(), merged.end(), [&](const auto& other) {
                return other.first.place == finding.place && other.first.message == finding.message;
            });
            if (same == merged.end()) {
                merged.emplace_back(std::move(finding), cells.count);
            } else {
                same->second += cells.count;
            }
        }
    }
    std::vector<Finding> findings;
    for (auto& [finding, count] : merged) {
        finding.message = fmt::format("{}: {}", count_of(count, "cell"), finding.message);
        findings.push_back(std::move(finding));
    }
    return findings;
}

// Two rows of a package that give one wheel would be two jobs, of which one wins by chance.
void refuse_twins(const std::vector<GridRow>& rows) {
    std::set<std::tuple<std::string_view, std::string_view, std::string, std::string_view, std::string_view>> wheels;
    for (const GridRow& row : rows) {
        const Cell& cell = row.cell;
        if (row.shard_index <= 1 &&
            !wheels.insert({cell.package, cell.cuda, major_minor(cell.pytorch), cell.python, cell.platform}).second) {
            throw yaml_error(row.package->place, fmt::format("two rows give the wheel of {}", to_text(cell)),
                             "take one of them out: the wheel's name has the torch release without its last number");
        }
    }
}

}  // namespace

std::vector<GridRow> make_grid(const Farm& farm, const SourceVersions& versions) {
    GridMaker maker(farm, versions);
    for (const Package& package : farm.packages) {
        maker.add(package);
    }
    std::vector<GridRow> rows = maker.take();
    refuse_twins(rows);
    return rows;
}

std::vector<Finding> unbuildable(const Farm& farm, const std::vector<GridRow>& rows) {
    return for_each_list(farm, rows, [](const GridRow& row, const ResolvedList& resolved) {
        auto findings = check_buildable(resolved.list.archs, parse_cuda_version(row.cell.cuda), resolved.source);
        std::erase_if(findings, [](const Finding& finding) { return finding.severity != Severity::error; });
        for (Finding& finding : findings) {
            finding.severity = resolved.for_all_lines ? Severity::warning : Severity::error;
        }
        return findings;
    });
}

std::vector<Finding> list_warnings(const Farm& farm, const std::vector<GridRow>& rows) {
    return for_each_list(farm, rows, [](const GridRow& row, const ResolvedList& resolved) {
        std::vector<Finding> warnings;
        std::copy_if(
            resolved.findings.begin(), resolved.findings.end(), std::back_inserter(warnings),
            [&](const Finding& finding) { return row.package->links_torch && finding.severity == Severity::warning; });
        return warnings;
    });
}

}  // namespace wheelarch
