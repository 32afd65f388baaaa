#include "policy/farm.hpp"

#include <string>

#ifndef _WIN32
#include <sys/stat.h>
#endif

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/algorithm/string/replace.hpp>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "policy/phantom.hpp"
#include "support/farm_folder.hpp"
#include "support/temporary_folder.hpp"

namespace wheelarch {
namespace {

constexpr char kGrid[] = "combinations: [{cuda: \"12.8\", pytorch: 2.8.0, python_versions: [\"3.12\"]}]\n";
constexpr char kArchs[] = "arch_policy: {\"12.8\": \"8.0\"}\n";

// A farm that is good, before a test spoils it.
class MadeFarm {
public:
    explicit MadeFarm(Layout layout = Layout::flat) {
        if (layout == Layout::flat) {
            write("packages/_defaults.yml", kGrid);
            write("packages/_arch_policy.yml", kArchs);
            write("packages/example.yml", "source_tag: v1\n");
        } else {
            write("defaults/python_cuda_torch_os_policy.yml", kGrid);
            write("defaults/arch_policy.yml", kArchs);
            write("packages/example/package.yml", "source_tag: v1\n");
        }
    }

    MadeFarm& write(const std::string& path, std::string_view text) {
        folder_.write(path, text);
        return *this;
    }
    std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
    const std::filesystem::path& root() const { return folder_.path(); }

    // What is wrong with it, its folder called FARM.
    std::string error(ExitCode code = ExitCode::usage) const {
        try {
            read_farm(root());
            return "read";
        } catch (const Error& error) {
            CHECK(error.code() == code);
            std::string text = std::string(error.what()) + " | " + error.fix();
            for (std::size_t at = text.find(root().string()); at != std::string::npos;
                 at = text.find(root().string())) {
                text.replace(at, root().string().size(), "FARM");
            }
            return text;
        }
    }

private:
    TemporaryFolder folder_;
};

std::string names(const Farm& farm) {
    std::vector<std::string> all;
    for (const Package& package : farm.packages) {
        all.push_back(package.name);
    }
    return fmt::format("{}", fmt::join(all, " "));
}

}  // namespace

TEST_CASE("farm: the flat layout") {
    const Farm farm = read_farm(farm_folder("flat"));
    CHECK(farm.layout == Layout::flat);
    CHECK(names(farm) == "example_attn example_cpu example_rows");
    CHECK(farm.combinations.size() == 4);
    CHECK(farm.platforms == std::vector<std::string>{"linux", "windows"});
    CHECK(farm.build_epoch == 2);
    CHECK(farm.arch_policy.rows.at("12.8").value == "7.0;8.0;9.0+PTX;10.0;12.0");
    CHECK(farm.arch_policy.exceptions.at("12.8/2.10").value == "8.0;9.0+PTX;10.0;12.0");
    CHECK(farm.defaults.max_jobs == 2);
    CHECK(farm.phantoms == std::set<Phantom>{{"130", "2.9", "313", "windows"}});
    CHECK(epochs(farm, find_package(farm, "example-attn")) == Epochs{2, 3});
    CHECK(epochs(farm, find_package(farm, "example_cpu")) == Epochs{2, 0});
}

TEST_CASE("farm: the split layout, with what overrides a package laid over it") {
    const Farm farm = read_farm(farm_folder("split"));
    CHECK(farm.layout == Layout::split);
    CHECK(names(farm) == "example_attn example_cpu example_shards");
    CHECK(farm.build_epoch == 4);
    const Package& package = find_package(farm, "example_attn");
    CHECK(package.archs.list->value == "8.0;9.0");
    CHECK(package.archs.list->place.file->ends_with("split/packages/example_attn/arch_override.yml"));
    CHECK(package.archs_aarch64.by_cuda.at("12.8").value == "9.0 10.0");
    CHECK(package.platforms == std::vector<std::string>{"linux", "linux_aarch64"});
    CHECK(package.version == "2.8.3");
}

TEST_CASE("farm: the hash is of the policy files' bytes, with the ends of lines that git has") {
    CHECK(read_farm(MadeFarm().root()).policy_sha256 == to_hex(sha256_of(std::string(kGrid) + kArchs)));
    MadeFarm on_windows;
    on_windows.write("packages/_arch_policy.yml",
                     boost::algorithm::replace_all_copy(std::string(kArchs), "\n", "\r\n"));
    CHECK(read_farm(on_windows.root()).policy_sha256 == to_hex(sha256_of(std::string(kGrid) + kArchs)));
    CHECK(read_farm(on_windows.root()).sha256 == read_farm(MadeFarm().root()).sha256);
    CHECK(read_farm(MadeFarm(Layout::split).root()).policy_sha256 == to_hex(sha256_of(std::string(kGrid) + kArchs)));
    const Farm farm = read_farm(farm_folder("split"));
    CHECK(farm.policy_files ==
          std::vector<std::string>{"defaults/python_cuda_torch_os_policy.yml", "defaults/arch_policy.yml"});
}

TEST_CASE("farm: the arch policy may stand in _defaults.yml") {
    MadeFarm made;
    std::filesystem::remove(made.path("packages/_arch_policy.yml"));
    made.write("packages/_defaults.yml", std::string(kGrid) + kArchs);
    const Farm farm = read_farm(made.root());
    CHECK(farm.arch_policy.rows.at("12.8").value == "8.0");
    CHECK(farm.policy_files == std::vector<std::string>{"packages/_defaults.yml"});
    CHECK(
        made.write("packages/_arch_policy.yml", kArchs).error() ==
        "FARM/packages/_defaults.yml:2:14: arch_policy is given twice: here, and in FARM/packages/_arch_policy.yml:1 | "
        "take one of them out");
}

TEST_CASE("farm: no farm, or two") {
    CHECK(MadeFarm().write("defaults/python_cuda_torch_os_policy.yml", kGrid).error() ==
          "the farm FARM has both packages/_defaults.yml (flat layout) and defaults/python_cuda_torch_os_policy.yml "
          "(split "
          "layout) | take one of them out: which one is the policy?");
    MadeFarm none;
    std::filesystem::remove(none.path("packages/_defaults.yml"));
    CHECK(none.error() ==
          "the farm FARM has neither packages/_defaults.yml (flat layout) nor "
          "defaults/python_cuda_torch_os_policy.yml (split layout) | give the farm's folder with --farm");
    CHECK_THROWS_WITH_AS(read_farm("/nowhere"), "the farm /nowhere is no folder", Error);
    MadeFarm empty;
    std::filesystem::remove(empty.path("packages/example.yml"));
    CHECK(empty.error() == "the farm FARM has no packages | give the farm's folder with --farm");
}

TEST_CASE("farm: what a bump was for") {
    MadeFarm made;
    made.write("packages/_defaults.yml",
               std::string(kGrid) +
                   "build_epoch: 4\nbumps: {2: {why: a flag, rebuild: all}, 3: {why: \"9.0\", rebuild: lists}}\n");
    made.write("packages/example.yml", "build_epoch: 2\nbumps: {1: {rebuild: lists}, 2: {rebuild: lists}}\n");
    const Farm farm = read_farm(made.root());
    const Package& package = find_package(farm, "example");
    std::string text;
    for (const BumpStep& step : steps_since(farm, package, {1, 1})) {
        text += to_text(step) + '\n';
    }
    CHECK(text == "epoch 2 (all: a flag)\nepoch 3 (lists: 9.0)\nepoch 4 (all)\nthe package's own epoch 2 (lists)\n");
    CHECK(steps_since(farm, package, {4, 2}).empty());
    CHECK(only_lists(farm, package, {4, 0}));
    CHECK_FALSE(only_lists(farm, package, {3, 2}));  // a bump that says nothing is for everything
    CHECK_FALSE(only_lists(farm, package, {1, 2}));
    made.write("packages/_defaults.yml",
               std::string(kGrid) + "build_epoch: 3\nbumps: {2: {rebuild: lists}, 3: {rebuild: lists}}\n");
    const Farm lists = read_farm(made.root());
    CHECK(only_lists(lists, find_package(lists, "example"), {1, 0}));
}

TEST_CASE("farm: bumps that are none") {
    const auto error = [](const std::string& bumps) {
        return MadeFarm()
            .write("packages/_defaults.yml", std::string(kGrid) + "build_epoch: 2\nbumps: " + bumps)
            .error();
    };
    const std::string place = "FARM/packages/_defaults.yml:3:";
    CHECK(error("{3: {}}") == place +
                                  "9: bumps names epoch 3, but build_epoch is 2 | raise build_epoch to 3, or take it "
                                  "out of bumps");
    CHECK(error("{1: {}}") == place + "9: bumps names epoch 1, but the first that is raised to is 2 | take it out");
    CHECK(error("{2: {rebuild: some}}") ==
          place +
              "22: bumps[2].rebuild is \"some\", all or lists is expected | write lists if only what gets another "
              "arch list is to be rebuilt, else all");
    CHECK(error("{two: {}}") == place +
                                    "9: a key of bumps is \"two\", the number of an epoch is expected | write it "
                                    "like 2: {why: \"…\", rebuild: lists}");
    CHECK(error("{2: {reason: x}}").find("reason") != std::string::npos);
    CHECK(error("[2]").find("bumps is a list") != std::string::npos);
}

TEST_CASE("farm: the epoch has one place, and a package its own counter") {
    CHECK(MadeFarm().write("packages/_arch_policy.yml", std::string(kArchs) + "build_epoch: 2\n").error() ==
          "FARM/packages/_arch_policy.yml:2:14: build_epoch is not read from this file | move it to "
          "packages/_defaults.yml");
    CHECK(MadeFarm(Layout::split)
              .write("defaults/python_cuda_torch_os_policy.yml", std::string(kGrid) + "build_epoch: 2\n")
              .error() ==
          "FARM/defaults/python_cuda_torch_os_policy.yml:2:14: build_epoch is not read from this file | "
          "move it to defaults/arch_policy.yml");
    MadeFarm made;
    made.write("packages/_defaults.yml", std::string(kGrid) + "build_epoch: 3\n");
    CHECK(read_farm(made.root()).build_epoch == 3);
    made.write("packages/example.yml", "build_epoch: 2\n");
    const Farm farm = read_farm(made.root());
    CHECK(epochs(farm, find_package(farm, "example")) == Epochs{3, 2});
    CHECK(read_farm(MadeFarm().root()).build_epoch == 1);
}

TEST_CASE("farm: slips in the policy files") {
    CHECK(MadeFarm().write("packages/_defaults.yml", std::string(kGrid) + "build_epcoh: 2\n").error() ==
          "FARM/packages/_defaults.yml:2:1: the key \"build_epcoh\" is unknown, and so near to build_epoch that it is "
          "taken "
          "for a slip | did you mean build_epoch? If it is a key of your own, give it another name");
    CHECK(
        MadeFarm().write("packages/_arch_policy.yml", "arch_exceptions: {\"12.8\": \"8.0\"}\n").error() ==
        "FARM/packages/_arch_policy.yml:1:19: a key of arch_exceptions is \"12.8\", a CUDA line and torch's major and "
        "minor are expected | write it like \"12.8/2.7\"");
    CHECK(MadeFarm().write("packages/_arch_policy.yml", "arch_exceptions: {\"12.8/2.7.1\": \"8.0\"}\n").error() ==
          "FARM/packages/_arch_policy.yml:1:19: a key of arch_exceptions is \"12.8/2.7.1\", a CUDA line and torch's "
          "major "
          "and minor are expected | write it like \"12.8/2.7\"");
    CHECK(MadeFarm().write("packages/_arch_policy.yml", "ptx_tail: maybe\n").error() ==
          "FARM/packages/_arch_policy.yml:1:11: ptx_tail is the text \"maybe\", true or false is expected | write true "
          "or "
          "false, without quotes");
}

TEST_CASE("farm: names of packages") {
    CHECK(MadeFarm().write("packages/other.yml", "name: example\n").error() ==
          "FARM/packages/other.yml:1:1: the package \"example\" is there already, in FARM/packages/example.yml | give "
          "one of "
          "them another name: cells and wheels are told apart by it");
    CHECK(MadeFarm().write("packages/a b.yml", "version: \"1\"\n").error() ==
          "FARM/packages/a b.yml: the name \"a b\" is no package's: letters, digits, '.', '_' and '-' are expected | "
          "rename "
          "it");
#ifndef _WIN32  // where no name holds a line break
    CHECK(MadeFarm().write("packages/\n##[error]x.yml", "version: \"1\"\n").error() ==
          "FARM/packages/\\n# #[error]x.yml: the name \"\\n# #[error]x\" is no package's: letters, digits, '.', '_' "
          "and '-' "
          "are expected | rename it");
#endif
    CHECK(MadeFarm().write("packages/_notes.yml", "[not read]").write("packages/.x.yml", "[").error() == "read");
}

TEST_CASE("farm: an override needs its package") {
    CHECK(MadeFarm(Layout::split).write("packages/other/arch_override.yml", "arch_list: \"8.0\"\n").error() ==
          "FARM/packages/other/arch_override.yml: there is no package.yml beside it | add one, or take this file out");
}

#ifndef _WIN32  // few users of Windows may make links
TEST_CASE("farm: a link must not lead out of it") {
    const TemporaryFolder elsewhere;
    const auto secret = elsewhere.write("secret.yml", "version: \"1\"\n");
    MadeFarm made;
    std::filesystem::create_symlink(secret, made.path("packages/linked.yml"));
    CHECK(made.error() == "FARM/packages/linked.yml: a link leads out of the farm | put the file itself there");
    MadeFarm inside;
    std::filesystem::create_symlink("example.yml", inside.path("packages/linked.yml"));
    CHECK(names(read_farm(inside.root())) == "example linked");
    MadeFarm dangling;
    std::filesystem::create_symlink("nowhere.yml", dangling.path("packages/linked.yml"));
    CHECK(dangling.error(ExitCode::unchecked) ==
          "FARM/packages/linked.yml: cannot open the file: No such file or directory | check the path, its permissions "
          "and "
          "where its links lead");
}
#endif

TEST_CASE("farm: what is no file is not read") {
    MadeFarm folder;
    std::filesystem::create_directories(folder.path("packages/folder.yml"));
    CHECK(folder.error(ExitCode::unchecked) ==
          "FARM/packages/folder.yml: not a regular file | give the path of a file");
#ifndef _WIN32
    MadeFarm pipe;
    REQUIRE(::mkfifo(pipe.path("packages/pipe.yml").c_str(), 0600) == 0);
    CHECK(pipe.error(ExitCode::unchecked) == "FARM/packages/pipe.yml: not a regular file | give the path of a file");
#endif
}

TEST_CASE("farm: the bytes of all its files are bounded") {
    MadeFarm made;
    const std::string comment = "version: \"1\"\n#" + std::string(1'000'000, 'x') + "\n";
    for (int i = 0; i < 9; ++i) {
        made.write(fmt::format("packages/p{}.yml", i), comment);
    }
    CHECK(made.error() ==
          "FARM/packages/p8.yml: with this file of 1000015 bytes the farm's files are more than 8388608 bytes "
          "| check what the file is");
}

TEST_CASE("farm: phantoms") {
    const std::string fix = " | a combo is written like [\"124\", \"2.5\", \"313\", \"windows\"]";
    const auto error = [](std::string_view text) {
        return MadeFarm().write("scripts/phantom_combos.json", text).error();
    };
    CHECK(error("{\"combos\": []}") == "read");
    CHECK(error("{\"combos\": [[\"124\", \"2.5\", \"313\", \"linux\"], [\"124\", 2.5, \"313\", \"linux\"]]}") ==
          "FARM/scripts/phantom_combos.json: combo 2 is no list of four texts: CUDA, torch, Python and platform" + fix);
    CHECK(error("[]") ==
          "FARM/scripts/phantom_combos.json: the file has no list combos of at most 100000 combos" + fix);
    CHECK(error("{\n\"combos\": [,]}") ==
          "FARM/scripts/phantom_combos.json: this is no JSON at line 2: syntax error | correct what stands there");
    CHECK(error("{\"combos\": []} x") ==
          "FARM/scripts/phantom_combos.json: this is no JSON at line 1: there is more after "
          "the value | correct what stands there");
    CHECK(error("{\"combos\": [").starts_with("FARM/scripts/phantom_combos.json: this is no JSON at line 1: "));
}

TEST_CASE("farm: a package that is not there") {
    const Farm farm = read_farm(farm_folder("flat"));
    const auto error = [&](std::string_view name) {
        try {
            find_package(farm, name);
            return std::string("found");
        } catch (const Error& caught) {
            CHECK(caught.code() == ExitCode::usage);
            return caught.fix();
        }
    };
    CHECK(error("exmaple_attn") == "did you mean example_attn?");
    CHECK(error("zzz") == "it has example_attn, example_cpu, example_rows");
}

TEST_CASE("farm: a newer CUDA line that lost an arch") {
    MadeFarm made;
    made.write("packages/_arch_policy.yml",
               "arch_policy:\n  \"12.8\": \"7.0;8.0;10.0;10.1;12.0\"\n  \"12.9\": \"8.0\"\n  \"13.0\": \"8.0;10.0\"\n");
    made.write("packages/example.yml", "arch_list_by_cuda: {\"12.8\": \"9.0 10.0\", \"13.0\": \"9.0 12.0\"}\n");
    std::string text;
    for (const Finding& finding : policy_findings(read_farm(made.root()))) {
        CHECK(finding.severity == Severity::warning);
        text += finding.rule + ": " + finding.message + " | " + finding.fix + "\n";
    }
    CHECK(text ==
          "newer-cuda-narrower: arch_policy['12.9'] lacks 10.0, 10.1, 12.0, which the row of CUDA 12.8 in line 2 has | "
          "add "
          "10.0, 10.1, 12.0 to the row of CUDA 12.9 too, unless it is left out on purpose\n"
          "newer-cuda-narrower: arch_list_by_cuda['13.0'] lacks 10.0, which the row of CUDA 12.8 in line 1 has | add "
          "10.0 to "
          "the row of CUDA 13.0 too, unless it is left out on purpose\n");
}

TEST_CASE("farm: files and keys that come to nothing") {
    MadeFarm made;
    made.write("packages/other.yaml", "version: \"1\"\n");
    made.write("packages/_defaults.yml",
               "combinations: [{cuda: \"12.8\", pytorch: 2.8.0, python_versions: [\"3.12\"], "
               "arch_list: \"9.0\"}]\n");
    std::string text;
    for (const Finding& finding : policy_findings(read_farm(made.root()))) {
        text += finding.rule + ": " + finding.message + "\n";
    }
    CHECK(text ==
          "policy-key-unused: not used: arch_list in a row of combinations: only a row of a package's build_matrix may "
          "have its own\n"
          "policy-key-unused: not used: the file: a package's name ends in .yml\n");
}

TEST_CASE("farm: our keys where they are not read") {
    CHECK(
        MadeFarm().write("packages/_defaults.yml", std::string(kGrid) + "defaults:\n  build_epoch: 2\n").error() ==
        "FARM/packages/_defaults.yml:3:3: build_epoch is not read in defaults | move it to the top level of its file");
    CHECK(MadeFarm().write("packages/example.yml", "build_matrix:\n  build_epoch: 2\n").error() ==
          "FARM/packages/example.yml:2:3: build_epoch is not read in build_matrix | move it to the top level of its "
          "file");
    CHECK(MadeFarm().write("packages/example.yml", "build_matrix:\n  platforms: [linux]\n").error() == "read");
}

TEST_CASE("farm: slips in the names of the split layout's files") {
    CHECK(MadeFarm(Layout::split).write("packages/example/arch_overide.yml", "arch_list: \"9.0\"\n").error() ==
          "FARM/packages/example/arch_overide.yml: the name is so near to arch_override.yml that it is taken for a "
          "slip | "
          "rename it to arch_override.yml, or give it another name");
    CHECK(MadeFarm(Layout::split).write("packages/example/build.yml", "x: 1\n").error() == "read");
    MadeFarm made(Layout::split);
    made.write("packages/other.yml", "version: \"1\"\n");
    const auto findings = policy_findings(read_farm(made.root()));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].message == "not used: the file: a package is a folder here, with a package.yml");
}

TEST_CASE("farm: packages whose wheels have one name") {
    CHECK(
        MadeFarm().write("packages/zz.yml", "name: Ex-Ample\n").write("packages/yy.yml", "name: ex.ample\n").error() ==
        "FARM/packages/yy.yml:1:1: the package \"ex.ample\" is there already, in FARM/packages/zz.yml | give one of "
        "them "
        "another name: cells and wheels are told apart by it");
}

TEST_CASE("farm: phantoms with the dots of the YAML") {
    for (const char* combo : {R"(["12.8", "2.8", "312", "linux"])", R"(["128", "28", "312", "linux"])",
                              R"(["128", "2.8", "3.12", "linux"])"}) {
        CHECK(MadeFarm()
                  .write("scripts/phantom_combos.json", fmt::format("{{\"combos\": [{}]}}", combo))
                  .error()
                  .starts_with("FARM/scripts/phantom_combos.json: combo 1 matches no cell: "));
    }
}

}  // namespace wheelarch
