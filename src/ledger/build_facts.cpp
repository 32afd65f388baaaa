#include "ledger/build_facts.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ledger/entry.hpp"
#include "wheel/python_tags.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

struct Field {
    std::string_view key;  // in a matrix row
    std::string* text;
};

std::array<Field, 11> fields(BuildFacts& facts) {
    return {{{"package", &facts.cell.package},
             {"version", &facts.cell.version},
             {"cuda", &facts.cell.cuda},
             {"pytorch", &facts.cell.pytorch},
             {"python", &facts.cell.python},
             {"platform", &facts.cell.platform},
             {"arch_list", &facts.arch_list},
             {"exists_key", &facts.exists_key},
             {"source_repo", &facts.source_repo},
             {"source_tag", &facts.source_ref},
             {"source_commit", &facts.source_commit}}};
}

constexpr std::array<std::string_view, 3> kPlatforms = {"linux", "linux_aarch64", "windows"};

std::string read_text(std::string_view key, const json::value& value) {
    if (value.is_null()) {
        return {};
    }
    if (value.is_number()) {
        throw bad_usage(fmt::format("'{}' of the matrix row is a number", key),
                        "quote it where the matrix is made: YAML reads 12.10 as 12.1");
    }
    if (!value.is_string()) {
        throw bad_usage(fmt::format("'{}' of the matrix row is not text", key), "expected a string");
    }
    return std::string(value.as_string());
}

// Of one counter, which begins at `least`.
std::optional<std::uint64_t> read_epoch(const json::object& row, std::string_view key, std::int64_t least) {
    const json::value* value = row.if_contains(key);
    if (value == nullptr || value->is_null()) {
        return std::nullopt;
    }
    if (!value->is_int64() || value->as_int64() < least || value->as_int64() > kMostEpoch) {
        throw bad_usage(fmt::format("'{}' of the matrix row is not a whole number from {} on", key, least),
                        "take it from the farm's policy as it stands there");
    }
    return static_cast<std::uint64_t>(value->as_int64());
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// 128 is CUDA 12.8, 28 torch 2.8, 210 torch 2.10: the major number has two digits for CUDA and one for torch.
std::string dotted(std::string_view digits, std::size_t major) {
    return digits.size() > major ? fmt::format("{}.{}", digits.substr(0, major), digits.substr(major)) : std::string();
}

// `cu128torch2.8`, `cu128torch28`, `cu128`: false for any other text.
bool read_local_version(std::string_view local, Cell& cell) {
    constexpr std::string_view kCuda = "cu";
    constexpr std::string_view kTorch = "torch";
    if (!local.starts_with(kCuda)) {
        return false;
    }
    local.remove_prefix(kCuda.size());
    const std::size_t at = local.find(kTorch);
    const std::string_view cuda = local.substr(0, std::min(at, local.size()));
    if (!is_number(cuda) || cuda.size() != 3) {
        return false;
    }
    std::string torch;
    if (at != std::string_view::npos) {
        const std::string_view text = local.substr(at + kTorch.size());
        const std::size_t dot = text.find('.');
        torch = dot == std::string_view::npos ? dotted(text, 1) : std::string(text);
        if (!is_number(text.substr(0, dot)) || torch.empty()) {
            return false;
        }
    }
    cell.cuda = dotted(cuda, 2);
    cell.pytorch = torch;
    return true;
}

// cp312-cp312 is for one Python, cp313-cp313t for the build of it without the lock; abi3 and py3 are for many.
std::string python_of(const WheelName& name) {
    const bool is_one = name.python_tags.size() == 1 && name.abi_tags.size() == 1 &&
                        name.abi_tags.front().starts_with(name.python_tags.front());
    const std::string_view tag = is_one ? std::string_view(name.python_tags.front()) : "";
    if (!tag.starts_with("cp") || !is_number(tag.substr(2))) {
        return {};
    }
    return dotted(tag.substr(2), 1) + (name.abi_tags.front().ends_with('t') ? "t" : "");
}

// What messages say of the Pythons that a wheel is for.
std::string pythons_text(const WheelName& name) {
    const std::string one = python_of(name);
    return one.empty() ? fmt::format("{}-{}", fmt::join(name.python_tags, "."), fmt::join(name.abi_tags, ".")) : one;
}

std::string platform_of(std::string_view tag) {
    if (tag == "win_amd64") {
        return "windows";
    }
    if (tag.find("linux") == std::string_view::npos) {
        return {};
    }
    return tag.ends_with("_x86_64") ? "linux" : tag.ends_with("_aarch64") ? "linux_aarch64" : "";
}

std::string platform_of(const WheelName& name) {
    const std::string first = platform_of(name.platform_tags.front());
    const bool all = std::all_of(name.platform_tags.begin(), name.platform_tags.end(),
                                 [&](const std::string& tag) { return platform_of(tag) == first; });
    return all ? first : std::string();
}

}  // namespace

BuildFacts parse_matrix_row(std::string_view text) {
    boost::system::error_code failure;
    const json::value parsed = json::parse(text, failure);
    if (failure || !parsed.is_object()) {
        throw bad_usage(failure ? fmt::format("the matrix row is not JSON: {}", failure.message())
                                : std::string("the matrix row is not a JSON object"),
                        "give one row of the matrix, as `toJSON(matrix)` prints it in a job");
    }
    const json::object& row = parsed.as_object();
    BuildFacts facts;
    for (const Field& field : fields(facts)) {
        if (const auto found = row.find(field.key); found != row.end()) {
            *field.text = read_text(field.key, found->value());
        }
    }
    facts.build_epoch = read_epoch(row, "build_epoch", 1);
    facts.package_epoch = read_epoch(row, "package_epoch", 0);
    if (!facts.cell.package.empty() && !is_ledger_name(facts.cell.package)) {
        throw bad_usage(fmt::format("'package' of the matrix row is '{}'", printable(facts.cell.package)),
                        "a package name is of letters, digits, `.`, `_` and `-`");
    }
    const std::string& platform = facts.cell.platform;
    if (!platform.empty() && std::find(kPlatforms.begin(), kPlatforms.end(), platform) == kPlatforms.end()) {
        throw bad_usage(fmt::format("'platform' of the matrix row is '{}'", printable(platform)),
                        fmt::format("the platforms are {}", fmt::join(kPlatforms, ", ")));
    }
    return facts;
}

BuildFacts facts_of(const WheelName& name) {
    BuildFacts facts;
    Cell& cell = facts.cell;
    cell.package = normal_name(name.distribution);
    const std::size_t plus = name.version.find('+');
    const bool is_known =
        plus != std::string::npos && read_local_version(std::string_view(name.version).substr(plus + 1), cell);
    cell.version = is_known ? name.version.substr(0, plus) : name.version;
    cell.python = python_of(name);
    cell.platform = platform_of(name);
    return facts;
}

BuildFacts filled(BuildFacts facts, BuildFacts other) {
    const auto from = fields(other);
    auto to = fields(facts);
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i].text->empty()) {
            *to[i].text = std::move(*from[i].text);
        }
    }
    facts.build_epoch = facts.build_epoch ? facts.build_epoch : other.build_epoch;
    facts.package_epoch = facts.package_epoch ? facts.package_epoch : other.package_epoch;
    return facts;
}

std::vector<NamedDifference> differ_from_name(const BuildFacts& facts, const WheelName& name) {
    const Cell& told = facts.cell;
    const Cell named = facts_of(name).cell;
    std::vector<NamedDifference> differences;
    const auto compare = [&](const char* what, std::string_view fact, std::string_view by_name, bool same) {
        if (!fact.empty() && !by_name.empty() && !same) {
            differences.push_back({what, std::string(fact), std::string(by_name)});
        }
    };
    const auto compare_text = [&](const char* what, std::string_view fact, std::string_view by_name) {
        compare(what, fact, by_name, fact == by_name);
    };
    // Facts that give no local version leave it to the build.
    const bool any_local = told.version.find('+') == std::string::npos;
    const std::string_view whole = name.version;
    const std::string_view version = any_local ? whole.substr(0, whole.find('+')) : whole;
    compare("version", told.version, version, comparable_version(told.version) == comparable_version(version));
    compare_text("cuda", told.cuda, named.cuda);
    compare_text("pytorch", major_minor(told.pytorch), major_minor(named.pytorch));
    compare("python", told.python, pythons_text(name), tags_serve(name.python_tags, name.abi_tags, told.python));
    compare_text("platform", told.platform, named.platform);
    return differences;
}

std::vector<Finding> check_row(const BuildFacts& row, const WheelName& name, const std::string& place) {
    std::vector<Finding> findings;
    for (const NamedDifference& one : differ_from_name(row, name)) {
        findings.push_back(
            {"cell-mismatch", Severity::error, place,
             fmt::format("the matrix row has {} {}, the file name says {}", one.what, printable(one.fact), one.named),
             "build the wheel of this row, or give the row that built this wheel"});
    }
    const std::string& package = row.cell.package;
    if (const std::string distribution = normal_name(name.distribution);
        !package.empty() && normal_name(package) != distribution) {
        findings.push_back(
            {"package-name", Severity::warning, place,
             fmt::format("the matrix row is of package {}, the wheel's distribution is {}", printable(package),
                         distribution),
             "whoever looks for the package's wheel by its name will not find it, and builds it again each time: give "
             "the package the name of its distribution"});
    }
    return findings;
}

}  // namespace wheelarch
