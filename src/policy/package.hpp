// Package: what one package's YAML says, as far as it matters here. docs/policy.md has every key.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "policy/arch_list.hpp"
#include "policy/epochs.hpp"
#include "policy/place.hpp"
#include "policy/yaml.hpp"

namespace wheelarch {

// CUDA line (`12.8`), or what else the rows of a table are called by, to arch list.
using ArchTable = std::map<std::string, Text>;

// One row of `combinations`, or of `build_matrix`.
struct Combination {
    std::string cuda;
    std::string pytorch;
    std::vector<std::string> pythons;
    std::optional<Text> arch_list;
    std::optional<Text> source_tag;
    Place place;
};

// The settings that a package may leave to the farm's `defaults`.
struct Settings {
    std::optional<std::int64_t> max_jobs;
    std::optional<std::int64_t> nvcc_threads;
    std::optional<bool> clone_recursive;
    std::optional<bool> free_disk_space;
};

// An arch list of one platform family: `arch_list` and `arch_list_by_cuda`, or the like.
struct ListAndTable {
    std::optional<Text> list;
    ArchTable by_cuda;
};

// `expect_members`: the members that the glob (wheel/role.hpp) names hold this list.
struct ExpectedMember {
    std::string pattern;
    Text list;
};

// `lint_ignore` and `expect_hollow`: what is let pass, and why.
struct LintIgnore {
    std::string rule;
    std::string path;  // glob; empty: everywhere
    std::string reason;
    Place place;
};
struct ExpectedHollow {
    std::string kernel;         // glob; empty: every kernel
    std::optional<Text> archs;  // none: every arch
    std::string reason;
    Place place;
};

struct Package {
    std::string name;  // with `_` for `-`: what cells are called by
    Place place;       // of the file
    std::string version;
    std::string source_repo;
    std::string source_tag;

    // The rows. `combinations` are those of `build_matrix`, by its rules 1 and 2; empty: the farm's.
    std::vector<Combination> combinations;
    std::vector<std::string> platforms;  // empty: the farm's
    bool links_torch = true;
    std::string min_pytorch;  // empty: any

    ListAndTable archs;
    ListAndTable archs_aarch64;      // read in the split layout only
    std::optional<int> build_epoch;  // its own counter, apart from the farm's
    Bumps bumps;
    std::string wheel_python;  // `cp310-abi3`, `py3-none`: its one wheel for many Pythons; empty: one for each

    // What the binary holds if it is not what was exported; those for aarch64 go first there.
    ListAndTable expect_archs;
    ListAndTable expect_archs_aarch64;
    std::vector<ExpectedMember> expect_members;
    bool device_code_none = false;
    bool count_embedded = false;
    std::optional<Text> jit;  // the reason why its kernels are compiled at run time
    std::vector<ExpectedHollow> expect_hollow;
    std::vector<LintIgnore> lint_ignore;

    // Fields of a matrix row that only pass through.
    Settings settings;
    std::map<std::string, std::string> fields;    // those of kTextFields that were given
    std::int64_t sharding = 0;                    // 0: none
    std::vector<std::string> sharding_platforms;  // empty: all
    std::int64_t sequential_checkpoint = 0;

    std::vector<Text> unused;  // keys with a meaning that comes to nothing here, each with the reason
};

// Fields of a matrix row that are text, with what stands there if the package says nothing.
struct TextField {
    const char* name;
    const char* otherwise;
    bool split_only;
};
const std::vector<TextField>& text_fields();

enum class Layout {
    flat,   // packages/_defaults.yml, packages/<name>.yml
    split,  // defaults/*.yml, packages/<name>/package.yml
};

// Reads one package. `node` is a map: its file, with those that override it laid over it; `file_name` is the name to
// which the file's own points if it says none. Throws an Error (exit 2) with file, line and column.
Package read_package(const YamlNode& node, const std::string& file_name, Layout layout);

}  // namespace wheelarch
