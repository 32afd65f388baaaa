#include "cli/request.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/inputs.hpp"
#include "ledger/row_fields.hpp"
#include "policy/arch_list.hpp"
#include "policy/cuda_archs.hpp"
#include "policy/key.hpp"
#include "policy/resolve.hpp"
#include "policy/torch_archs.hpp"

namespace wheelarch {
namespace {

constexpr std::uint64_t kMostRow = std::uint64_t{1} << 20;  // bytes

BuildFacts read_row(const std::string& path, std::vector<Finding>& findings) {
    return inside("--cell " + input_name(path), [&] {
        const std::string text = read_text(path, kMostRow);
        BuildFacts row = parse_matrix_row(text);
        if (auto finding = row_not_understood(text)) {
            findings.push_back(std::move(*finding));
        }
        return row;
    });
}

// What is to be said of a list; an arch that the CUDA release cannot build is thrown, since no wheel can have it.
std::vector<Finding> judge_list(const ArchList& list, const std::string& cuda, const std::string& torch,
                                std::string_view place) {
    std::vector<Finding> findings = list.findings;
    const auto add = [&](std::vector<Finding> more) {
        std::move(more.begin(), more.end(), std::back_inserter(findings));
    };
    if (!cuda.empty()) {
        const CudaVersion version = inside("the CUDA version of the build", [&] { return parse_cuda_version(cuda); });
        add(check_buildable(list.archs, version, place));
    }
    if (!torch.empty()) {
        add(check_torch(list.archs, parse_torch_version(torch), place));
    }
    for (const Finding& finding : findings) {
        if (finding.severity == Severity::error) {
            throw bad_usage(finding.message, finding.fix).inside(finding.place);
        }
    }
    return findings;
}

// The same list may be spelled in two ways.
void check_same_list(const std::string& option, const std::string& row) {
    const ArchList of_option = parse_arch_list(option, "--arch-list");
    const ArchList of_row = parse_arch_list(row, "arch_list of the matrix row");
    if (of_option.archs != of_row.archs) {
        throw bad_usage(fmt::format("--arch-list asks for {}, but the matrix row for {}", to_text(of_option.archs),
                                    to_text(of_row.archs)),
                        "give one of the two; the row is what the build was started with");
    }
}

void add_members(BuildRequest& request, const RequestOptions& options, const std::string& cuda) {
    for (const std::string& text : options.expect_members) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw bad_usage(fmt::format("--expect-member '{}' is not GLOB=LIST", printable(text)),
                            "for example --expect-member 'pkg/_C_90a*.so=9.0a'");
        }
        request.requirement.members.push_back(
            {text.substr(0, equals), parse_arch_list(text.substr(equals + 1), "--expect-member")});
        const auto findings =
            judge_list(request.requirement.members.back().list, cuda, options.torch, "--expect-member");
        request.findings.insert(request.findings.end(), findings.begin(), findings.end());
    }
}

// A repository that is no farm has no policy to go by, unless one was named.
std::optional<Farm> find_farm(const std::string& given) {
    if (given.empty() && !has_policy(".")) {
        return std::nullopt;
    }
    return read_farm(given.empty() ? "." : given);
}

// Where the sources come from, unless rows of the package differ in it.
void fill_source(BuildFacts& facts, const Package& package) {
    const auto has_own = [](const Combination& row) { return row.source_tag.has_value(); };
    if (facts.source_repo.empty()) {
        facts.source_repo = package.source_repo;
    }
    if (facts.source_ref.empty() && std::none_of(package.combinations.begin(), package.combinations.end(), has_own)) {
        facts.source_ref = package.source_tag;
    }
}

// What the last bump of the counters was for, of the farm and of the package.
std::string why_of(const Farm& farm, const Package& package, const Epochs& at) {
    const auto said = [](const Bumps& bumps, std::uint64_t number) {
        const auto bump = bumps.find(number);
        return bump == bumps.end() ? std::string() : bump->second.why;
    };
    const std::string of_farm = said(farm.bumps, at.farm);
    const std::string own = said(package.bumps, at.package);
    return of_farm + (of_farm.empty() || own.empty() ? "" : "; ") + own;
}

void check_complete(const Cell& cell) {
    for (const auto& [name, value] : {std::pair{"cuda", cell.cuda}, std::pair{"pytorch", cell.pytorch},
                                      std::pair{"python", cell.python}, std::pair{"platform", cell.platform}}) {
        if (value.empty()) {
            throw bad_usage(fmt::format("the matrix row has no '{}', which the policy goes by", name),
                            "give the whole row, as `toJSON(matrix)` prints it");
        }
    }
}

// The policy decides; a row that says something else was made by another one, or by hand.
void apply_policy(BuildRequest& request, const Farm& farm) {
    BuildFacts& facts = request.build.facts;
    check_complete(facts.cell);
    const Package& package = find_package(farm, facts.cell.package);
    const ResolvedList resolved = resolve(farm, package, facts.cell);
    const auto differs = [&](std::string rule, std::string_view what, std::string_view found,
                             std::string_view expected) {
        request.findings.push_back(
            {std::move(rule), Severity::error, to_text(facts.cell),
             fmt::format("the matrix row has {} {}, the policy {}", what, found, expected),
             "make the matrix anew from this policy, or check out the policy that the matrix was made from"});
    };
    if (!facts.arch_list.empty() &&
        parse_arch_list(facts.arch_list, "arch_list of the matrix row").archs != resolved.list.archs) {
        differs("row-arch-list", "arch_list", printable(facts.arch_list),
                fmt::format("{} ({})", resolved.text, resolved.source));
    }
    const Epochs today = epochs(farm, package);
    const auto compare_epoch = [&](const char* what, std::optional<std::uint64_t>& of_row, std::uint64_t current) {
        if (of_row && *of_row != current) {
            differs("row-epoch", what, fmt::format("{}", *of_row), fmt::format("{}", current));
        }
        of_row = current;
    };
    compare_epoch("build_epoch", facts.build_epoch, today.farm);
    compare_epoch("package_epoch", facts.package_epoch, today.package);
    facts.arch_list = resolved.text;
    facts.exists_key = exists_key(farm, package, facts.cell).text;
    request.findings.insert(request.findings.end(), resolved.findings.begin(), resolved.findings.end());
    request.requirement = requirement(package, facts.cell, resolved);
}

void apply_options(BuildRequest& request, const RequestOptions& options) {
    const BuildFacts& facts = request.build.facts;
    if (facts.arch_list.empty()) {
        throw bad_usage("nothing is requested",
                        "give --arch-list, for example --arch-list \"8.0;9.0+PTX\", or --device-code none, or a "
                        "matrix row with an arch_list by --cell");
    }
    const std::string place = options.arch_list.empty() ? "arch_list of the matrix row" : "--arch-list";
    request.requirement.list = parse_arch_list(facts.arch_list, place);
    request.findings = judge_list(request.requirement.list, options.cuda.empty() ? facts.cell.cuda : options.cuda,
                                  options.torch, place);
}

}  // namespace

void add_build(Arguments& arguments, BuildOptions& options) {
    arguments.text("--cell", options.cell, "FILE",
                   "one row of the workflow's matrix as JSON, with what is known of the build; - is standard input");
    arguments.text("--farm", options.farm, "DIR",
                   "the folder of the farm's policy; default: the current one, if it has one");
    arguments.number("--build-epoch", options.build_epoch, 1, 1'000'000'000, "N",
                     "the epoch, if neither the row nor the farm gives it; default 1");
    arguments.number("--package-epoch", options.package_epoch, 0, 1'000'000'000, "N",
                     "the package's own epoch, if neither the row nor the farm gives it; default 0");
    arguments.text("--source-commit", options.source_commit, "SHA", "the commit of the sources that were built");
}

void add_request(Arguments& arguments, RequestOptions& options) {
    arguments.some("WHEEL", options.wheels, "wheels, or folders of wheels");
    arguments.text("--arch-list", options.arch_list, "LIST",
                   "the requested archs: \"8.0;9.0+PTX\", or in CMake's or nvcc's notation");
    arguments.text("--cuda", options.cuda, "VERSION",
                   "the CUDA release of the build: an arch that it cannot build is an error");
    arguments.text("--torch", options.torch, "VERSION",
                   "the torch release of the build: a warning for what its cpp_extension refuses");
    arguments.texts("--expect-member", options.expect_members, "GLOB=LIST",
                    "extensions that are meant to differ, and the archs of each; can be repeated");
    arguments.choice("--device-code", options.device_code, {"none", "required"}, "none|required",
                     "none: the wheel must have no device code");
    arguments.flag("--count-embedded", options.count_embedded,
                   "device code in the data of members counts too: for a package that loads it by the driver's API");
    arguments.flag("--per-member", options.per_member, "a member or region that lacks an arch of its neighbours fails");
    add_build(arguments, options.build);
}

bool has_policy(const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::exists(folder / "packages/_defaults.yml", ignored) ||
           std::filesystem::exists(folder / "defaults/arch_policy.yml", ignored);
}

Build read_build(const BuildOptions& options, const std::string& arch_list) {
    Build build;
    build.facts.arch_list = arch_list;
    build.facts.build_epoch = options.build_epoch;
    build.facts.package_epoch = options.package_epoch;
    build.facts.source_commit = options.source_commit;
    build.farm = find_farm(options.farm);
    if (options.cell.empty()) {
        return build;
    }
    const BuildFacts row = read_row(options.cell, build.findings);
    if (!arch_list.empty() && !row.arch_list.empty()) {
        check_same_list(arch_list, row.arch_list);
    }
    if (options.build_epoch && row.build_epoch && options.build_epoch != row.build_epoch) {
        throw bad_usage(
            fmt::format("--build-epoch is {}, but the matrix row says {}", *options.build_epoch, *row.build_epoch),
            "give one of the two; the row is what the build was started with");
    }
    if (options.package_epoch && row.package_epoch && options.package_epoch != row.package_epoch) {
        throw bad_usage(fmt::format("--package-epoch is {}, but the matrix row says {}", *options.package_epoch,
                                    *row.package_epoch),
                        "give one of the two; the row is what the build was started with");
    }
    build.facts = filled(build.facts, row);
    return build;
}

BuildFacts completed(const Build& build, const WheelName& wheel) {
    BuildFacts facts = filled(build.facts, facts_of(wheel));
    if (!build.farm) {
        return facts;
    }
    const auto same = [&](const Package& package) {
        return normal_name(package.name) == normal_name(facts.cell.package);
    };
    const auto package = std::find_if(build.farm->packages.begin(), build.farm->packages.end(), same);
    const bool known = package != build.farm->packages.end();
    if (!facts.build_epoch) {
        facts.build_epoch = static_cast<std::uint64_t>(build.farm->build_epoch);
    }
    if (known) {
        const Epochs today = epochs(*build.farm, *package);
        facts.package_epoch = facts.package_epoch.value_or(today.package);
        facts.epoch_why = why_of(*build.farm, *package, {*facts.build_epoch, *facts.package_epoch});
        fill_source(facts, *package);
    }
    if (facts.exists_key.empty() && known && !facts.cell.cuda.empty()) {
        facts.exists_key = exists_key(*build.farm, *package, facts.cell).text;
    }
    return facts;
}

BuildRequest make_request(const RequestOptions& options) {
    BuildRequest request;
    request.build = read_build(options.build, options.arch_list);
    const BuildFacts& facts = request.build.facts;
    const bool by_policy = request.build.farm && !options.build.cell.empty() && !facts.cell.package.empty();
    if (options.device_code == "none") {
        if (!options.arch_list.empty() || !options.expect_members.empty()) {
            throw bad_usage("--device-code none asks for no archs, but others are requested too",
                            "remove --arch-list and --expect-member");
        }
        request.requirement.device_code_none = true;
    } else if (by_policy) {
        apply_policy(request, *request.build.farm);
    } else {
        apply_options(request, options);
    }
    request.findings.insert(request.findings.end(), request.build.findings.begin(), request.build.findings.end());
    add_members(request, options, facts.cell.cuda);
    request.requirement.per_member = options.per_member;
    request.requirement.count_embedded = request.requirement.count_embedded || options.count_embedded;
    return request;
}

}  // namespace wheelarch
