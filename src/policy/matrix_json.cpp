#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "base/error.hpp"
#include "base/version.hpp"
#include "policy/grid.hpp"
#include "policy/package_parts.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

constexpr char kWholeRow[] = "give one row of the workflow's matrix as it is";

const char* text_of(const Package& package, const TextField& field) {
    const auto found = package.fields.find(field.name);
    return found == package.fields.end() ? field.otherwise : found->second.c_str();
}

template <typename Value>
Value setting(const std::optional<Value>& own, const std::optional<Value>& farms, Value otherwise) {
    return own.value_or(farms.value_or(otherwise));
}

std::string required_text(const json::object& row, std::string_view key) {
    const json::value* value = row.if_contains(key);
    if (value == nullptr || !value->is_string() || value->get_string().empty()) {
        throw bad_usage(fmt::format("the cell has no {}{}", key, value != nullptr ? " that is text" : ""), kWholeRow);
    }
    return std::string(value->get_string());
}

// It becomes part of keys and names, and it may come from outside of the policy.
void check_cell(const Cell& cell) {
    const auto require = [](bool good, std::string_view what, const std::string& value, std::string_view expected) {
        if (!good) {
            throw bad_usage(fmt::format("the cell's {} is {}, {} is expected", what, in_quotes(value), expected),
                            kWholeRow);
        }
    };
    require(is_package_name(cell.package), "package", cell.package, "a package's name");
    require(cell.version.empty() || is_version_text(cell.version), "version", cell.version, "a version such as 2.8.3");
    require(parse_major_minor(cell.cuda).has_value(), "cuda", cell.cuda, "a version such as 12.8");
    require(parse_major_minor(cell.pytorch).has_value(), "pytorch", cell.pytorch, "a version such as 2.8.0");
    require(is_python(cell.python), "python", cell.python, "a version such as 3.12");
    const auto platforms = {"linux", "windows", "linux_aarch64"};
    require(std::find(platforms.begin(), platforms.end(), cell.platform) != platforms.end(), "platform", cell.platform,
            "linux, windows or linux_aarch64");
}

}  // namespace

std::string list_of(const Farm& farm, const GridRow& row) {
    const bool chain =
        farm.layout == Layout::flat && row.package->sequential_checkpoint > 0 && row.cell.platform != "linux_aarch64";
    return row.cell.platform + (chain ? "_chain" : "");
}

std::vector<std::string> lists_of(Layout layout) {
    std::vector<std::string> names = {"linux", "linux_aarch64", "windows", "linux_link", "windows_link"};
    if (layout == Layout::flat) {
        names.insert(names.end(), {"linux_chain", "windows_chain"});
    } else {
        names.emplace_back("linux_aarch64_link");
    }
    return names;
}

RowConstants row_constants(const Farm& farm, const Package& package) {
    json::object out;
    const bool split = farm.layout == Layout::split;
    for (const TextField& field : text_fields()) {
        if (split || !field.split_only) {
            out[field.name] = text_of(package, field);
        }
    }
    out["free_disk_space"] = setting(package.settings.free_disk_space, farm.defaults.free_disk_space, false);
    out["max_jobs"] = setting<std::int64_t>(package.settings.max_jobs, farm.defaults.max_jobs, 0);
    out["clone_recursive"] = setting(package.settings.clone_recursive, farm.defaults.clone_recursive, false);
    if (split) {
        out["nvcc_threads"] = setting<std::int64_t>(package.settings.nvcc_threads, farm.defaults.nvcc_threads, 1);
    } else {
        out["sequential_checkpoint"] = package.sequential_checkpoint;
    }
    std::string text = json::serialize(out);
    return {json::serialize(json::value(package.source_repo)), text.substr(1, text.size() - 2)};
}

void write_row(std::string& out, const GridRow& row, const RowConstants& constants, bool link) {
    const auto text = [&](std::string_view key, std::string_view value) {
        out += key;
        out += json::serialize(json::string_view(value));
    };
    const Cell& cell = row.cell;
    text("{\"package\":", cell.package);
    text(",\"version\":", cell.version);
    out += ",\"source_repo\":" + constants.source_repo;
    text(",\"source_tag\":", row.source_tag);
    text(",\"cuda\":", cell.cuda);
    text(",\"cuda_short\":", without_dots(cell.cuda));
    text(",\"pytorch\":", cell.pytorch);
    text(",\"python\":", cell.python);
    text(",\"platform\":", cell.platform);
    text(",\"arch_list\":", row.arch_list);
    out += ',' + constants.settings;
    if (!link) {
        fmt::format_to(std::back_inserter(out), ",\"shard_index\":{}", row.shard_index);
    }
    fmt::format_to(std::back_inserter(out), ",\"shard_count\":{}}}", row.shard_count);
}

Cell parse_cell(const json::object& row) {
    Cell cell;
    cell.package = required_text(row, "package");
    std::replace(cell.package.begin(), cell.package.end(), '-', '_');
    const json::value* version = row.if_contains("version");
    if (version != nullptr && !version->is_null() && !(version->is_string() && version->get_string().empty())) {
        cell.version = required_text(row, "version");
    }
    cell.cuda = required_text(row, "cuda");
    cell.pytorch = required_text(row, "pytorch");
    cell.python = required_text(row, "python");
    cell.platform = required_text(row, "platform");
    check_cell(cell);
    return cell;
}

}  // namespace wheelarch
