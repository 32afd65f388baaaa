#include "policy/resolve.hpp"

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/error.hpp"
#include "support/farm_folder.hpp"

namespace wheelarch {
namespace {

// What a package and a policy say of one cell, both given as YAML; without a file's path in messages.
struct Case {
    std::string package = {};
    std::string policy = {};
    Layout layout = Layout::flat;
    Cell cell{"example", "1.0", "12.8", "2.8.0", "3.12", "linux"};
};

Farm farm_of(const Case& one) {
    Farm farm;
    farm.layout = one.layout;
    farm.arch_policy.file = "policy.yml";
    if (!one.policy.empty()) {
        const auto node = parse_yaml(one.policy, std::make_shared<const std::string>("policy.yml"));
        const auto table = [&](const char* key, ArchTable& into) {
            const YamlNode* rows = node->find(key);
            for (std::size_t i = 0; rows != nullptr && i < rows->entries.size(); ++i) {
                into[rows->entries[i].key->text] = {rows->entries[i].value->text, rows->entries[i].value->place};
            }
        };
        table("arch_policy", farm.arch_policy.rows);
        table("arch_policy_aarch64", farm.arch_policy.aarch64);
        table("arch_exceptions", farm.arch_policy.exceptions);
        farm.arch_policy.ptx_tail = node->find("ptx_tail") == nullptr;
    }
    return farm;
}

Package package_of(const Case& one) {
    const std::string text = one.package.empty() ? "name: example\n" : one.package;
    return read_package(*parse_yaml(text, std::make_shared<const std::string>("x.yml")), "example", one.layout);
}

std::string resolved(const Case& one) {
    try {
        const Farm farm = farm_of(one);
        const Package package = package_of(one);
        const ResolvedList list = resolve(farm, package, one.cell);
        return list.text + " | " + list.source;
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return fmt::format("{} | {}", error.what(), error.fix());
    }
}

std::string on_aarch64(Case one) {
    one.cell.platform = "linux_aarch64";
    return resolved(one);
}

constexpr char kPolicy[] =
    "arch_policy: {\"12.8\": \"8.0;9.0\"}\narch_policy_aarch64: {\"12.8\": \"9.0\"}\n"
    "arch_exceptions: {\"12.8/2.7\": \"7.5;8.0\"}\n";

}  // namespace

TEST_CASE("resolve: the rules for x86, in their order") {
    CHECK(resolved({"", kPolicy}) == "8.0;9.0+PTX | arch_policy['12.8'] in policy.yml:1");
    Case older{"", kPolicy};
    older.cell.pytorch = "2.7.1";
    CHECK(resolved(older) == "7.5;8.0+PTX | arch_exceptions['12.8/2.7'] in policy.yml:3");
    older.package = "name: example\narch_list: \"8.6\"\n";
    CHECK(resolved(older) == "8.6+PTX | arch_list in x.yml:2");
    older.package += "arch_list_by_cuda: {\"12.8\": 8.0 8.9}\n";
    CHECK(resolved(older) == "8.0 8.9+PTX | arch_list_by_cuda['12.8'] in x.yml:3");
    older.package +=
        "build_matrix:\n  combinations:\n    - {cuda: \"12.8\", pytorch: 2.7.1, python_versions: [\"3.12\"], "
        "arch_list: \"10.0\"}\n";
    CHECK(resolved(older) == "10.0+PTX | arch_list of its row in x.yml:6");
    older.cell.python = "3.11";  // not of that row
    CHECK(resolved(older) == "8.0 8.9+PTX | arch_list_by_cuda['12.8'] in x.yml:3");
}

TEST_CASE("resolve: windows is x86") {
    Case one{"", kPolicy};
    one.cell.platform = "windows";
    CHECK(resolved(one) == "8.0;9.0+PTX | arch_policy['12.8'] in policy.yml:1");
}

TEST_CASE("resolve: on aarch64 the x86 lists never apply, and the policy's row is used as written") {
    Case one{"arch_list: \"8.6\"\narch_list_by_cuda: {\"12.8\": \"8.9\"}\narch_list_aarch64: \"8.7\"\n", kPolicy};
    CHECK(on_aarch64(one) == "9.0 | arch_policy_aarch64['12.8'] in policy.yml:2");
    one.layout = Layout::split;
    CHECK(on_aarch64(one) == "8.7+PTX | arch_list_aarch64 in x.yml:3");
    one.package += "arch_list_by_cuda_aarch64: {\"12.8\": 9.0 10.0}\n";
    CHECK(on_aarch64(one) == "9.0 10.0+PTX | arch_list_by_cuda_aarch64['12.8'] in x.yml:4");
}

TEST_CASE("resolve: no list") {
    const std::string cell = "no arch list for example 1.0, CUDA 12.8, torch 2.8.0, Python 3.12, ";
    CHECK(resolved({}) == cell + "linux | add a row \"12.8\": \"…\" to arch_policy in policy.yml");
    CHECK(on_aarch64({"arch_list: \"8.0\"\n"}) ==
          cell + "linux_aarch64 | add a row \"12.8\": \"…\" to arch_policy_aarch64 in policy.yml");
}

TEST_CASE("resolve: an arch that nvcc cannot build") {
    Case one{"arch_list: 7.0;8.0\n", kPolicy};
    one.cell.cuda = "13.0";
    CHECK(resolved(one) ==
          "arch_list in x.yml:1: example 1.0, CUDA 13.0, torch 2.8.0, Python 3.12, linux: CUDA 13.0 has no target for "
          "7.0 "
          "(sm_70); CUDA 9.0 to 12.9 have | take 7.0 out of the list for CUDA 13.0, or build with CUDA 12.9 or older");
    CHECK(resolve_unchecked(farm_of(one), package_of(one), one.cell).text == "7.0;8.0+PTX");
}

TEST_CASE("resolve: what torch refuses is a warning, for a package that links it") {
    const Case one{"arch_list: 10.0f\n", kPolicy};
    Case free = one;
    free.package += "links_torch: false\n";
    Case twelve = one;
    twelve.cell.cuda = free.cell.cuda = "12.9";
    const auto rules = [](const Case& which) {
        std::string text;
        for (const Finding& finding : resolve(farm_of(which), package_of(which), which.cell).findings) {
            text += finding.rule + " ";
        }
        return text;
    };
    CHECK(rules(twelve) == "arch-list-suffix torch-lacks-arch ");
    CHECK(rules(free) == "arch-list-suffix ");
}

TEST_CASE("resolve: the PTX tail") {
    CHECK(with_ptx_tail("8.0;9.0") == "8.0;9.0+PTX");
    CHECK(with_ptx_tail("8.0 9.0+PTX") == "8.0 9.0+PTX");
    CHECK(with_ptx_tail("7.5;9.0+PTX;10.0;12.0") == "7.5;9.0+PTX;10.0;12.0+PTX");
    CHECK(with_ptx_tail("9.0+PTX;10.0") == "9.0+PTX;10.0+PTX");
    CHECK(with_ptx_tail("12.0 8.0") == "12.0+PTX 8.0");
    CHECK(with_ptx_tail("9.0 8.0 9.0+PTX") == "9.0+PTX 8.0 9.0+PTX");
    // A suffix takes a token out, and so does a name.
    CHECK(with_ptx_tail("8.0;9.0a") == "8.0+PTX;9.0a");
    CHECK(with_ptx_tail("9.0a+PTX") == "9.0a+PTX");
    CHECK(with_ptx_tail("Ampere") == "Ampere");
    CHECK(with_ptx_tail("80-real;90-virtual") == "80-real;90-virtual");
    CHECK(with_ptx_tail("80;90") == "80;90");
    // Blanks and empty items disappear.
    CHECK(with_ptx_tail("8.0 8.6 8.9 9.0  12.0") == "8.0 8.6 8.9 9.0 12.0+PTX");
    CHECK(with_ptx_tail(" 8.0; 9.0;\n") == "8.0;9.0+PTX");
    CHECK(with_ptx_tail("").empty());
}

TEST_CASE("resolve: the tail can be switched off") {
    const std::string policy = std::string(kPolicy) + "ptx_tail: false\n";
    CHECK(resolved({"arch_list: \"8.0 9.0\"\n", policy}) == "8.0 9.0 | arch_list in x.yml:1");
    CHECK(resolved({"", policy}) == "8.0;9.0 | arch_policy['12.8'] in policy.yml:1");
}

TEST_CASE("resolve: what the wheel must hold") {
    const std::string expect =
        "expect_archs: \"8.0\"\nexpect_archs_by_cuda: {\"12.8\": 8.0;9.0}\nexpect_archs_aarch64: \"9.0\"\n"
        "expect_members: {\"*_sm90*\": 9.0a}\n";
    Case one{expect, kPolicy};
    const auto required = [](const Case& which) {
        const Farm farm = farm_of(which);
        const Package package = package_of(which);
        const Requirement requirement_ = requirement(package, which.cell, resolve_unchecked(farm, package, which.cell));
        std::string text = requirement_.device_code_none ? "none" : to_text(requirement_.list.archs);
        for (const MemberExpectation& member : requirement_.members) {
            text += fmt::format(" {}={}", member.pattern, to_text(member.list.archs));
        }
        return text;
    };
    CHECK(required({"", kPolicy}) == "sm_80 sm_90 compute_90");
    CHECK(required(one) == "sm_80 sm_90 *_sm90*=sm_90a");
    CHECK(expected_list(package_of(one), one.cell)->source == "expect_archs_by_cuda['12.8'] in x.yml:2");
    one.cell.cuda = "13.0";
    CHECK(expected_list(package_of(one), one.cell)->source == "expect_archs in x.yml:1");
    one.cell = {"example", "1.0", "12.8", "2.8.0", "3.12", "linux_aarch64"};
    CHECK(required(one) == "sm_90 *_sm90*=sm_90a");
    CHECK(required({"device_code: none\n", kPolicy}) == "none");
    CHECK_FALSE(expected_list(package_of({}), {}));
}

}  // namespace wheelarch
