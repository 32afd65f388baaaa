// The parts of which read_package() (package.hpp) and read_farm() (farm.hpp) are made. All throw as those do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/package.hpp"
#include "policy/yaml.hpp"

namespace wheelarch {

// Keys with a meaning here. A key that is nearly one of them is an error (refuse_near_misses() in fields.hpp).
const std::vector<std::string>& package_keys();
const std::vector<std::string>& build_matrix_keys();
const std::vector<std::string>& combination_keys();
const std::vector<std::string>& policy_keys();  // of the farm's own files

// Calls `use` with the value of the key, if there is one. A key without a value counts as not given.
template <typename Use>
void with(const YamlNode& map, std::string_view key, const Use& use) {
    const YamlNode* value = map.find(key);
    if (value != nullptr && value->kind != YamlNode::Kind::null) {
        use(*value, std::string(key));
    }
}

// The same, but a key without a value is for `use` to refuse: the keys that only this program has.
template <typename Use>
void with_own(const YamlNode& map, std::string_view key, const Use& use) {
    if (const YamlNode* value = map.find(key)) {
        use(*value, std::string(key));
    }
}

bool is_name_character(char c);
// Letters, digits, and `.`, `_` and `-` between them: it becomes a part of file names, tags and keys.
bool is_package_name(std::string_view name);
// What a version is written with; it becomes a part of keys.
bool is_version_text(std::string_view text);
// `3.12`, `3.13t`.
bool is_python(std::string_view text);

Settings read_settings(const YamlNode& node);
// `bumps` of a counter that begins below `first` and is at `epoch`.
Bumps read_bumps(const YamlNode& node, const std::string& what, std::uint64_t first, std::uint64_t epoch);
int read_epoch(const YamlNode& node, std::string_view what);
ListAndTable read_lists(const YamlNode& node, const std::string& name, const std::string& table);
// `pythons` are for the rows without their own; if it is empty, each row must have its own.
std::vector<Combination> read_combinations(const YamlNode& node, std::string_view what,
                                           const std::vector<std::string>& pythons);
void read_build_matrix(const YamlNode& node, Package& package);
// What the binary is to hold, and what of it is let pass.
void read_expectations(const YamlNode& node, Package& package);

}  // namespace wheelarch
