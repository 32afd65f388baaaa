#include "policy/package.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "policy/fields.hpp"
#include "policy/package_parts.hpp"
#include "policy/wording.hpp"

namespace wheelarch {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostShards = 1000;

// It becomes a part of file names, release tags and keys.
std::string read_name(const YamlNode& node, std::string_view what) {
    std::string name = read_word(node, what);
    if (!is_package_name(name)) {
        throw yaml_error(
            node.place,
            fmt::format("{} is {}, and letters, digits, '.', '_' and '-' are expected", what, in_quotes(name)),
            "use the name that the wheels have");
    }
    return name;
}

std::string read_version(const YamlNode& node, std::string_view what) {
    std::string version = read_word(node, what);
    if (!is_version_text(version)) {
        throw yaml_error(node.place, fmt::format("{} is {}, a version is expected", what, in_quotes(version)),
                         "write it like \"2.8.3\"");
    }
    return version;
}

// `cp310-abi3`, `py3-none`: the two tags of a wheel that serves several Pythons.
std::string read_wheel_python(const YamlNode& node, std::string_view what) {
    std::string tags = read_word(node, what);
    const std::string abi = tags.substr(std::min(tags.find('-') + 1, tags.size()));
    const std::string python = tags.substr(0, tags.size() - abi.size());
    const bool digits = python.size() > 3 && python.find_first_not_of("0123456789", 2) == python.size() - 1;
    const bool stable = abi == "abi3" && python.starts_with("cp") && python.size() > 4;
    const bool pure = abi == "none" && (python.starts_with("py") || python.starts_with("cp"));
    if (!digits || !(stable || pure)) {
        throw yaml_error(
            node.place,
            fmt::format("{} is {}, tags of a wheel for several Pythons are expected", what, in_quotes(tags)),
            "write it like \"cp310-abi3\" or \"py3-none\", as the wheel's name has it");
    }
    return tags;
}

void read_fields(const YamlNode& node, Layout layout, Package& package) {
    const auto optional = [&](std::string_view key, std::string& into, WordReader read) {
        with(node, key, [&](const YamlNode& value, const std::string& what) { into = read(value, what); });
    };
    optional("version", package.version, read_version);
    optional("source_repo", package.source_repo, read_word);
    optional("source_tag", package.source_tag, read_word);
    optional("min_pytorch", package.min_pytorch, read_torch);
    with_own(node, "wheel_python", [&](const YamlNode& value, const std::string& what) {
        package.wheel_python = read_wheel_python(value, what);
    });
    for (const TextField& field : text_fields()) {
        if (!field.split_only || layout == Layout::split) {
            with(node, field.name, [&](const YamlNode& value, const std::string& what) {
                package.fields[what] = read_text(value, what);
            });
        }
    }
    package.settings = read_settings(node);
    with(node, "sharding", [&](const YamlNode& value, const std::string& what) {
        package.sharding = read_number(value, what, {0, kMostShards});
    });
    if (layout == Layout::flat) {
        with(node, "sequential_checkpoint", [&](const YamlNode& value, const std::string& what) {
            package.sequential_checkpoint = read_number(value, what, {0, kMost});
        });
    } else {
        with(node, "sharding_platforms", [&](const YamlNode& value, const std::string& what) {
            package.sharding_platforms = read_list(value, what, read_platform);
        });
    }
}

// Keys that are known and come to nothing here: whoever wrote one believes that it does.
void note_unused(const YamlNode& node, Layout layout, Package& package) {
    const auto note = [&](const YamlNode& map, const char* key, const char* why) {
        with(map, key, [&](const YamlNode& value, const std::string& name) {
            package.unused.push_back({fmt::format("{}: {}", name, why), value.place});
        });
    };
    if (layout == Layout::flat) {
        for (const char* key : {"arch_list_aarch64", "arch_list_by_cuda_aarch64", "sharding_platforms"}) {
            note(node, key, "only the split layout has it");
        }
    } else {
        note(node, "sequential_checkpoint", "only the flat layout has it");
    }
    const YamlNode* matrix = node.find("build_matrix");
    if (matrix != nullptr && package.combinations.empty()) {
        note(*matrix, "python_versions", "build_matrix has no rows, and the farm's have their own");
        note(*matrix, "cuda_versions", "build_matrix has no pytorch_versions with it");
        note(*matrix, "pytorch_versions", "build_matrix has no cuda_versions with it");
    }
}

}  // namespace

const std::vector<TextField>& text_fields() {
    static const std::vector<TextField> fields = {
        {"extra_deps", "", false},   {"pre_build_script", "", false},      {"patch_script", "", false},
        {"build_subdir", "", false}, {"cuda_installer", "network", false}, {"extra_cuda_components", "", false},
        {"nvcc_flags", "", false},   {"shard_filter", "seat", true},
    };
    return fields;
}

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
}

bool is_package_name(std::string_view name) {
    constexpr std::size_t kLongest = 100;
    const auto alphanumeric = [](char c) { return is_name_character(c) && c != '.' && c != '_' && c != '-'; };
    return !name.empty() && name.size() <= kLongest && std::all_of(name.begin(), name.end(), is_name_character) &&
           alphanumeric(name.front()) && alphanumeric(name.back());
}

bool is_version_text(std::string_view text) {
    constexpr std::size_t kLongest = 100;
    return !text.empty() && text.size() <= kLongest &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_name_character(c) || c == '+' || c == '!'; });
}

Settings read_settings(const YamlNode& node) {
    Settings settings;
    with(node, "max_jobs", [&](const YamlNode& value, const std::string& what) {
        settings.max_jobs = read_number(value, what, {0, kMost});
    });
    with(node, "nvcc_threads", [&](const YamlNode& value, const std::string& what) {
        settings.nvcc_threads = read_number(value, what, {0, kMost});
    });
    with(node, "clone_recursive",
         [&](const YamlNode& value, const std::string& what) { settings.clone_recursive = read_flag(value, what); });
    with(node, "free_disk_space",
         [&](const YamlNode& value, const std::string& what) { settings.free_disk_space = read_flag(value, what); });
    return settings;
}

int read_epoch(const YamlNode& node, std::string_view what) {
    return static_cast<int>(read_number(node, what, {1, kMost}));
}

Package read_package(const YamlNode& node, const std::string& file_name, Layout layout) {
    refuse_near_misses(node, package_keys());
    Package package;
    package.place = node.place;
    package.name = file_name;
    with(node, "name", [&](const YamlNode& value, const std::string& what) { package.name = read_name(value, what); });
    std::replace(package.name.begin(), package.name.end(), '-', '_');
    with(node, "links_torch",
         [&](const YamlNode& value, const std::string& what) { package.links_torch = read_flag(value, what); });
    with(node, "build_matrix", [&](const YamlNode& value, const std::string&) { read_build_matrix(value, package); });
    with_own(node, "build_epoch",
             [&](const YamlNode& value, const std::string& what) { package.build_epoch = read_epoch(value, what); });
    with_own(node, "bumps", [&](const YamlNode& value, const std::string& what) {
        package.bumps = read_bumps(value, what, 1, static_cast<std::uint64_t>(package.build_epoch.value_or(0)));
    });
    package.archs = read_lists(node, "arch_list", "arch_list_by_cuda");
    if (layout == Layout::split) {
        package.archs_aarch64 = read_lists(node, "arch_list_aarch64", "arch_list_by_cuda_aarch64");
    }
    read_fields(node, layout, package);
    read_expectations(node, package);
    note_unused(node, layout, package);
    return package;
}

}  // namespace wheelarch
