// Reading values of a policy's YAML by type. Each reader throws an Error (exit 2) with file, line and column that says
// what was expected and what is there. `what` is how the message calls the value: `build_matrix.platforms`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "policy/package.hpp"
#include "policy/place.hpp"
#include "policy/yaml.hpp"

namespace wheelarch {

struct Range {
    std::int64_t least;
    std::int64_t most;
};

// Text that every reader takes for text: `12.8` without quotes is an error.
std::string read_text(const YamlNode& node, std::string_view what);
// The same, of one line that is not empty and has no blanks but single spaces inside.
std::string read_word(const YamlNode& node, std::string_view what);
// Empty for a key without a value too.
std::string read_optional_text(const YamlNode& node, std::string_view what);
bool read_flag(const YamlNode& node, std::string_view what);
std::int64_t read_number(const YamlNode& node, std::string_view what, Range range);

// Versions, whole: a CUDA line is MAJOR.MINOR, torch's may have a third part, Python's may end in `t`.
std::string read_cuda(const YamlNode& node, std::string_view what);
std::string read_torch(const YamlNode& node, std::string_view what);
std::string read_python(const YamlNode& node, std::string_view what);
// `linux`, `windows` or `linux_aarch64`.
std::string read_platform(const YamlNode& node, std::string_view what);
// An arch list that parse_arch_list() (policy/arch_list.hpp) takes.
Text read_arch_list(const YamlNode& node, std::string_view what);

// A list that is not empty and holds nothing twice, each item by `read`.
using WordReader = std::string (*)(const YamlNode&, std::string_view);
std::vector<std::string> read_list(const YamlNode& node, std::string_view what, WordReader read);
// Arch lists by what `read_key` reads.
ArchTable read_arch_table(const YamlNode& node, std::string_view what, WordReader read_key);

void require_map(const YamlNode& node, std::string_view what);
const std::vector<YamlNode::Entry>& entries_of(const YamlNode& node, std::string_view what);
const std::vector<std::shared_ptr<const YamlNode>>& items_of(const YamlNode& node, std::string_view what);

// A key that is in no list but nearly in `ours` is an error; others pass.
void refuse_near_misses(const YamlNode& map, const std::vector<std::string>& ours);
// A key of `ours` in a map where it is not read is an error too: whoever set it believes that it holds.
void refuse_misplaced(const YamlNode& map, std::string_view what, const std::vector<std::string>& ours,
                      const std::vector<std::string>& read_here);
// Every key must be in `known`.
void require_known_keys(const YamlNode& map, std::string_view what, const std::vector<std::string>& known);

}  // namespace wheelarch
