#include "policy/farm.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "policy/cell.hpp"
#include "policy/farm_files.hpp"
#include "policy/fields.hpp"
#include "policy/package_parts.hpp"
#include "policy/wording.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

using NodePtr = std::shared_ptr<const YamlNode>;

// Where things stand in a layout.
struct Paths {
    const char* grid;   // combinations, platforms, defaults
    const char* archs;  // arch_policy and its like
    const char* phantoms;
};
constexpr Paths kFlat{"packages/_defaults.yml", "packages/_arch_policy.yml", "scripts/phantom_combos.json"};
constexpr Paths kSplit{"defaults/python_cuda_torch_os_policy.yml", "defaults/arch_policy.yml",
                       "defaults/phantom_combos.json"};

Layout tell_layout(const FarmFolder& folder) {
    const bool flat = folder.has(kFlat.grid);
    const bool split = folder.has(kSplit.grid);
    if (flat == split) {
        throw bad_usage(
            fmt::format("the farm {} has {} {} (flat layout) {} {} (split layout)", printable(folder.root().string()),
                        flat ? "both" : "neither", kFlat.grid, flat ? "and" : "nor", kSplit.grid),
            flat ? "take one of them out: which one is the policy?" : "give the farm's folder with --farm");
    }
    return flat ? Layout::flat : Layout::split;
}

// `12.8/2.7`
std::string read_exception_key(const YamlNode& node, std::string_view what) {
    std::string text = read_text(node, what);
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::string torch = text.substr(std::min(slash + 1, text.size()));
    YamlNode cuda = node;
    cuda.text = text.substr(0, slash);
    read_cuda(cuda, fmt::format("the CUDA line in {}", what));
    if (!parse_major_minor(torch) || torch != major_minor(torch)) {
        throw yaml_error(
            node.place,
            fmt::format("{} is {}, a CUDA line and torch's major and minor are expected", what, in_quotes(text)),
            "write it like \"12.8/2.7\"");
    }
    return text;
}

// The farm's own files, and which of them has a key.
class PolicyFiles {
public:
    PolicyFiles(NodePtr grid, NodePtr archs) : grid_(std::move(grid)), archs_(std::move(archs)) {}

    const YamlNode& grid() const noexcept { return *grid_; }
    const YamlNode* archs() const noexcept { return archs_.get(); }

    // The value of an arch policy's key, from the one file that has it; null if none.
    const YamlNode* arch_key(std::string_view key) const {
        const YamlNode* here = archs_ ? archs_->find(key) : nullptr;
        const YamlNode* there = grid_->find(key);
        if (here != nullptr && there != nullptr) {
            throw yaml_error(there->place,
                             fmt::format("{} is given twice: here, and in {}", key, file_and_line(here->place)),
                             "take one of them out");
        }
        return here != nullptr ? here : there;
    }

private:
    NodePtr grid_;
    NodePtr archs_;
};

ArchPolicy read_arch_policy(const PolicyFiles& files) {
    ArchPolicy policy;
    const auto table = [&](const char* key, ArchTable& into, WordReader read_key) {
        if (const YamlNode* node = files.arch_key(key); node != nullptr && node->kind != YamlNode::Kind::null) {
            into = read_arch_table(*node, key, read_key);
        }
    };
    table("arch_policy", policy.rows, read_cuda);
    table("arch_policy_aarch64", policy.aarch64, read_cuda);
    table("arch_exceptions", policy.exceptions, read_exception_key);
    if (const YamlNode* tail = files.arch_key("ptx_tail")) {
        policy.ptx_tail = read_flag(*tail, "ptx_tail");
    }
    return policy;
}

// The epoch, with what belongs to it, has one place, so that nobody raises it where it is not looked for.
void read_farm_epoch(const PolicyFiles& files, Farm& farm) {
    const bool flat = farm.layout == Layout::flat;
    const YamlNode* right = flat ? &files.grid() : files.archs();
    const YamlNode* wrong = flat ? files.archs() : &files.grid();
    for (const char* key : {"build_epoch", "bumps", "ledger"}) {
        if (const YamlNode* lost = wrong != nullptr ? wrong->find(key) : nullptr) {
            throw yaml_error(lost->place, fmt::format("{} is not read from this file", key),
                             fmt::format("move it to {}", flat ? kFlat.grid : kSplit.archs));
        }
    }
    if (right == nullptr) {
        return;
    }
    if (const YamlNode* epoch = right->find("build_epoch")) {
        farm.build_epoch = read_epoch(*epoch, "build_epoch");
    }
    if (const YamlNode* bumps = right->find("bumps")) {
        farm.bumps = read_bumps(*bumps, "bumps", 2, static_cast<std::uint64_t>(farm.build_epoch));
    }
    with_own(*right, "ledger", [&](const YamlNode& value, const std::string& what) {
        const std::string word = read_text(value, what);
        if (word != "required" && word != "optional") {
            throw yaml_error(value.place,
                             fmt::format("{} is {}, required or optional is expected", what, in_quotes(word)),
                             "write required once the ledger is there, so that it cannot be lost without a word");
        }
        farm.ledger_required = word == "required";
    });
}

void read_policy(FarmFolder& folder, Farm& farm) {
    const Paths& paths = farm.layout == Layout::flat ? kFlat : kSplit;
    std::string bytes;
    const auto read = [&](const char* path) -> NodePtr {
        const auto file = folder.read_if_there(path);
        if (!file) {
            return nullptr;
        }
        farm.policy_files.push_back(file->path);
        bytes += file->bytes;
        NodePtr node = parse_yaml(file->bytes, file->name);
        refuse_near_misses(*node, policy_keys());
        return node;
    };
    NodePtr grid = read(paths.grid);
    const PolicyFiles files(std::move(grid), read(paths.archs));
    farm.policy_sha256 = to_hex(sha256_of(bytes));
    farm.arch_policy = read_arch_policy(files);
    farm.arch_policy.file = folder.shown(files.archs() != nullptr ? paths.archs : paths.grid);
    read_farm_epoch(files, farm);
    with(files.grid(), "combinations",
         [&](const YamlNode& node, const std::string& what) { farm.combinations = read_combinations(node, what, {}); });
    with(files.grid(), "platforms",
         [&](const YamlNode& node, const std::string& what) { farm.platforms = read_list(node, what, read_platform); });
    if (farm.platforms.empty()) {
        farm.platforms = {"linux"};
    }
    with(files.grid(), "defaults", [&](const YamlNode& node, const std::string& what) {
        require_map(node, what);
        refuse_near_misses(node, {"build_epoch"});
        refuse_misplaced(node, what, policy_keys(), {});
        refuse_misplaced(node, what, package_keys(), {});
        farm.defaults = read_settings(node);
    });
    for (const Combination& row : farm.combinations) {
        if (row.arch_list) {
            farm.unused.push_back(
                {"arch_list in a row of combinations: only a row of a package's build_matrix may have its own",
                 row.arch_list->place});
        }
    }
    if (const auto phantoms = folder.read_if_there(paths.phantoms)) {
        farm.phantoms = read_phantoms(*phantoms);
    }
}

void add_package(Farm& farm, const YamlNode& node, const std::string& name) {
    Package package = read_package(node, name, farm.layout);
    farm.packages.push_back(std::move(package));
}

// A name that is not to be read: the farm's own, or an editor's.
bool is_private(const std::string& name) {
    return name.starts_with('_') || name.starts_with('.');
}

void require_name(const FarmFolder& folder, const std::string& path, const std::string& name) {
    if (!is_package_name(name)) {
        throw bad_usage(
            fmt::format("the name {} is no package's: letters, digits, '.', '_' and '-' are expected", in_quotes(name)),
            "rename it")
            .inside(folder.shown(path));
    }
}

void read_flat_packages(FarmFolder& folder, Farm& farm) {
    constexpr std::string_view kSuffix = ".yml";
    for (const std::string& name : folder.names_in("packages")) {
        const std::string path = "packages/" + name;
        if (name.ends_with(".yaml") && !is_private(name)) {
            farm.unused.push_back({"the file: a package's name ends in .yml",
                                   {std::make_shared<const std::string>(folder.shown(path)), 1, 1}});
        }
        if (is_private(name) || !name.ends_with(kSuffix)) {
            continue;
        }
        const std::string stem = name.substr(0, name.size() - kSuffix.size());
        require_name(folder, path, stem);
        const FarmFile file = folder.read(path);
        add_package(farm, *parse_yaml(file.bytes, file.name), stem);
    }
}

// A file whose name has a slip in it would switch a rule off without a word.
void check_split_names(const FarmFolder& folder, Farm& farm, const std::string& path) {
    const auto unused = [&](const std::string& file, const std::string& why) {
        farm.unused.push_back({"the file: " + why, {std::make_shared<const std::string>(folder.shown(file)), 1, 1}});
    };
    if (!folder.is_folder(path)) {
        if (path.ends_with(".yml") || path.ends_with(".yaml")) {
            unused(path, "a package is a folder here, with a package.yml");
        }
        return;
    }
    static const std::vector<std::string> known = {"package.yml", "pcto_override.yml", "arch_override.yml"};
    for (const std::string& name : folder.names_in(path)) {
        const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
        const bool is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
        if (!is_known && is_yaml && !is_private(name)) {
            if (const std::string meant = nearest_name(name, known); !meant.empty()) {
                throw bad_usage(fmt::format("the name is so near to {} that it is taken for a slip", meant),
                                fmt::format("rename it to {}, or give it another name", meant))
                    .inside(folder.shown(fmt::format("{}/{}", path, name)));
            }
        }
    }
}

void read_split_packages(FarmFolder& folder, Farm& farm) {
    for (const std::string& name : folder.names_in("packages")) {
        const std::string path = "packages/" + name;
        if (is_private(name)) {
            continue;
        }
        check_split_names(folder, farm, path);
        const auto base = folder.read_if_there(path + "/package.yml");
        std::optional<YamlNode> node;
        if (base) {
            require_name(folder, path, name);
            node = *parse_yaml(base->bytes, base->name);
        }
        for (const char* over : {"/pcto_override.yml", "/arch_override.yml"}) {
            const auto file = folder.read_if_there(path + over);
            if (file && !node) {
                throw bad_usage("there is no package.yml beside it", "add one, or take this file out")
                    .inside(*file->name);
            }
            if (file) {
                node = overlaid(*node, *parse_yaml(file->bytes, file->name));
            }
        }
        if (node) {
            add_package(farm, *node, name);
        }
    }
}

void sort_packages(Farm& farm) {
    std::sort(farm.packages.begin(), farm.packages.end(), [](const Package& left, const Package& right) {
        return std::tie(left.name, *left.place.file) < std::tie(right.name, *right.place.file);
    });
    std::map<std::string, const Package*> names;  // wheels do not tell `A-B` from `a_b`
    for (const Package& package : farm.packages) {
        const auto [same, is_new] = names.try_emplace(normal_name(package.name), &package);
        if (!is_new) {
            throw yaml_error(package.place,
                             fmt::format("the package {} is there already, in {}", in_quotes(package.name),
                                         *same->second->place.file),
                             "give one of them another name: cells and wheels are told apart by it");
        }
    }
    if (farm.packages.empty()) {
        throw bad_usage(fmt::format("the farm {} has no packages", printable(farm.root.string())),
                        "give the farm's folder with --farm");
    }
}

}  // namespace

namespace {

// Files of the other layout, which come to nothing here.
void note_other_layout(const FarmFolder& folder, Farm& farm) {
    const bool flat = farm.layout == Layout::flat;
    const auto note = [&](const std::string& path) {
        farm.unused.push_back({fmt::format("the file: it is of the {} layout", flat ? "split" : "flat"),
                               {std::make_shared<const std::string>(folder.shown(path)), 1, 1}});
    };
    const Paths& other = flat ? kSplit : kFlat;
    for (const char* path : {other.archs, other.phantoms}) {
        if (folder.has(path)) {
            note(path);
        }
    }
    for (const std::string& name :
         flat&& folder.is_folder("packages") ? folder.names_in("packages") : std::vector<std::string>()) {
        if (!is_private(name) && folder.has("packages/" + name + "/package.yml")) {
            note("packages/" + name + "/package.yml");
        }
    }
}

}  // namespace

Farm read_farm(const std::filesystem::path& root) {
    FarmFolder folder(root);
    Farm farm;
    farm.root = root;
    farm.layout = tell_layout(folder);
    read_policy(folder, farm);
    if (farm.layout == Layout::flat) {
        read_flat_packages(folder, farm);
    } else {
        read_split_packages(folder, farm);
    }
    sort_packages(farm);
    note_other_layout(folder, farm);
    farm.sha256 = folder.take_sha256();
    return farm;
}

const Package& find_package(const Farm& farm, std::string_view name) {
    std::string wanted(name);
    std::replace(wanted.begin(), wanted.end(), '-', '_');
    const auto found = std::find_if(farm.packages.begin(), farm.packages.end(),
                                    [&](const Package& package) { return package.name == wanted; });
    if (found != farm.packages.end()) {
        return *found;
    }
    std::vector<std::string> names;
    for (const Package& package : farm.packages) {
        if (normal_name(package.name) == normal_name(name)) {
            return package;
        }
        names.push_back(package.name);
    }
    const std::string meant = nearest_name(wanted, names);
    throw bad_usage(
        fmt::format("the farm {} has no package {}", printable(farm.root.string()), in_quotes(name)),
        meant.empty() ? fmt::format("it has {}", enumerate(names, 10)) : fmt::format("did you mean {}?", meant));
}

Epochs epochs(const Farm& farm, const Package& package) {
    return {static_cast<std::uint64_t>(farm.build_epoch), static_cast<std::uint64_t>(package.build_epoch.value_or(0))};
}

namespace {

// Of one counter.
void add_steps(bool of_farm, const Bumps& bumps, std::uint64_t built, std::uint64_t today,
               std::vector<BumpStep>& steps) {
    constexpr std::uint64_t kMostSteps = 1000;
    for (std::uint64_t number = std::max(built, today - std::min(today, kMostSteps)) + 1; number <= today; ++number) {
        const auto said = bumps.find(number);
        steps.push_back({of_farm, number, said == bumps.end() ? Bump() : said->second});
    }
}

// Each number between must be named, and for lists.
bool only_lists(const Bumps& bumps, std::uint64_t built, std::uint64_t today) {
    if (built >= today) {
        return true;
    }
    const auto first = bumps.upper_bound(built);
    const auto last = bumps.upper_bound(today);
    return static_cast<std::uint64_t>(std::distance(first, last)) == today - built &&
           std::all_of(first, last, [](const auto& bump) { return bump.second.lists; });
}

}  // namespace

std::vector<BumpStep> steps_since(const Farm& farm, const Package& package, const Epochs& built) {
    const Epochs today = epochs(farm, package);
    std::vector<BumpStep> steps;
    add_steps(true, farm.bumps, built.farm, today.farm, steps);
    add_steps(false, package.bumps, built.package, today.package, steps);
    return steps;
}

bool only_lists(const Farm& farm, const Package& package, const Epochs& built) {
    const Epochs today = epochs(farm, package);
    return only_lists(farm.bumps, built.farm, today.farm) && only_lists(package.bumps, built.package, today.package);
}

}  // namespace wheelarch
