#include "policy/asset_name.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "wheel/python_tags.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool is_made_of(std::string_view text, std::string_view characters) {
    return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

// Splits `2.8.3+cu128torch2.8` into 2.8.3, 128 and 2.8. What stands between `+` and `cu` is the version's own local
// part.
bool split_version(const std::string& version, AssetName& name) {
    const std::size_t local = version.find('+');
    const std::size_t cuda = version.rfind("cu");
    const std::size_t torch = version.find("torch", cuda);
    const bool shaped = local != std::string::npos && cuda != std::string::npos && torch != std::string::npos &&
                        cuda > local && (version[cuda - 1] == '+' || version[cuda - 1] == '.');
    if (!shaped) {
        return false;
    }
    name.version = version.substr(0, cuda - 1);
    name.cuda = version.substr(cuda + 2, torch - cuda - 2);
    name.torch = version.substr(torch + 5);
    return is_made_of(name.cuda, kDigits) && is_made_of(name.torch, "0123456789.");
}

// The platform of a cell that a tag's wheel is for; empty if none's. A musllinux wheel is not for the farm's runners.
std::string platform_of(std::string_view tag) {
    if (tag == "win_amd64") {
        return "windows";
    }
    const bool linux = tag.starts_with("manylinux") || tag.starts_with("linux_");
    if (linux && tag.ends_with("_x86_64")) {
        return "linux";
    }
    return linux && tag.ends_with("_aarch64") ? "linux_aarch64" : "";
}

std::vector<std::string> all_lower(const std::vector<std::string>& tags) {
    std::vector<std::string> lower;
    std::transform(tags.begin(), tags.end(), std::back_inserter(lower),
                   [](const std::string& tag) { return lower_case(tag); });
    return lower;
}

bool same_torch(const std::string& asset, const std::string& wanted) {
    return asset == wanted || asset == without_dots(wanted);
}

}  // namespace

std::optional<AssetName> read_asset_name(std::string_view asset) {
    WheelName wheel;
    try {
        wheel = parse_wheel_name(asset);
    } catch (const Error&) {
        return std::nullopt;  // a release may hold anything
    }
    AssetName name;
    name.package = normal_name(wheel.distribution);
    if (!split_version(normal_version(wheel.version), name)) {
        name.cuda.clear();  // a wheel, but of no cell
    }
    name.version = comparable_version(name.version);
    for (const std::string& tag : wheel.platform_tags) {
        const std::string platform = platform_of(lower_case(tag));
        if (!platform.empty() &&
            std::find(name.platforms.begin(), name.platforms.end(), platform) == name.platforms.end()) {
            name.platforms.push_back(platform);
        }
    }
    name.python_tags = all_lower(wheel.python_tags);
    name.abi_tags = all_lower(wheel.abi_tags);
    return name;
}

WantedName wanted_name(const Package& package, const Cell& cell) {
    WantedName wanted;
    wanted.package = normal_name(package.name);
    if (!cell.version.empty()) {
        wanted.version = normal_version(cell.version);
        wanted.release = comparable_version(cell.version);
    }
    wanted.cuda = without_dots(major_minor(cell.cuda));
    if (package.links_torch) {
        wanted.torch = major_minor(cell.pytorch);
    }
    wanted.platform = cell.platform;
    wanted.python = cell.python;
    return wanted;
}

bool serves(const AssetName& asset, const WantedName& wanted) {
    const bool same_wheel = !asset.cuda.empty() && asset.package == wanted.package && asset.cuda == wanted.cuda &&
                            (!wanted.version || asset.version == wanted.release) &&
                            (!wanted.torch || same_torch(asset.torch, *wanted.torch));
    const auto& platforms = asset.platforms;
    if (!same_wheel || std::find(platforms.begin(), platforms.end(), wanted.platform) == platforms.end()) {
        return false;
    }
    return tags_serve(asset.python_tags, asset.abi_tags, wanted.python);
}

}  // namespace wheelarch
