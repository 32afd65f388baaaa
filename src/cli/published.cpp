#include "cli/published.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/inputs.hpp"
#include "ledger/entry.hpp"
#include "plan/gh.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

// A release has the package's name as the policy spells it.
std::vector<std::string> release_packages(const std::vector<std::string>& named, const Farm* farm) {
    std::vector<std::string> packages;
    if (farm != nullptr && named.empty()) {
        std::transform(farm->packages.begin(), farm->packages.end(), std::back_inserter(packages),
                       [](const Package& package) { return package.name; });
    }
    for (const std::string& name : named) {
        if (!is_ledger_name(name)) {
            throw bad_usage(fmt::format("--package '{}' is no name of a package", printable(name)),
                            "a package name is of letters, digits, `.`, `_` and `-`");
        }
        packages.push_back(farm == nullptr ? name : find_package(*farm, name).name);
    }
    if (packages.empty()) {
        throw bad_usage("nothing says whose releases are meant: there is no policy here",
                        "name the packages with --package, or the farm with --farm");
    }
    return packages;
}

constexpr std::uint64_t kMostAssets = std::uint64_t{256} << 20U;  // bytes

std::vector<ReleaseAsset> listed_assets(const ReleaseOptions& options) {
    std::vector<ReleaseAsset> assets = inside("--existing " + input_name(options.existing), [&] {
        return parse_release_assets(read_text(options.existing, kMostAssets), "");
    });
    if (!options.packages.empty()) {
        std::erase_if(assets, [&](const ReleaseAsset& asset) {
            return std::none_of(options.packages.begin(), options.packages.end(), [&](const std::string& package) {
                return normal_name(package + "-latest") == normal_name(asset.release);
            });
        });
    }
    return assets;
}

std::unique_ptr<WheelSource> find_released(const ReleaseOptions& options, const Farm* farm, bool trust_git_config) {
    Releases releases(release_place(options.repository, trust_git_config));
    std::vector<ReleaseAsset> assets;
    std::string where = "--existing";
    if (!options.existing.empty()) {
        assets = listed_assets(options);
        inside("--existing " + input_name(options.existing), [&] { releases.require_own(assets); });
    } else {
        const std::vector<std::string> packages = release_packages(options.packages, farm);
        for (const std::string& package : packages) {
            std::vector<ReleaseAsset> found = releases.assets_of(package);
            std::move(found.begin(), found.end(), std::back_inserter(assets));
        }
        where = "the releases of " + printable(enumerate(packages, 5));
    }
    std::unique_ptr<WheelSource> source = release_wheels(std::move(releases), std::move(assets));
    if (source->wheels().empty()) {
        throw unchecked(fmt::format("there is no wheel in {}", where),
                        "a wheel is looked for in the release PACKAGE-latest: check --repo and --package");
    }
    return source;
}

}  // namespace

void add_releases(Arguments& arguments, ReleaseOptions& releases) {
    arguments.flag("--gh", releases.ask_gh, "the wheels of the farm's releases, PACKAGE-latest, which gh downloads");
    arguments.text("--repo", releases.repository, "OWNER/NAME", "the repository that has the releases; implies --gh");
    arguments.text(
        "--existing", releases.existing, "FILE",
        "the assets of the releases, as gh api prints them, for many shards to go by one list; implies --gh");
    arguments.texts("--package", releases.packages, "NAME",
                    "with --gh, only the release of this package, can be repeated; default: all of the farm's policy");
}

std::unique_ptr<WheelSource> find_published(const std::vector<std::string>& paths, const ReleaseOptions& releases,
                                            const Farm* farm, bool trust_git_config) {
    if (releases.any() && !paths.empty()) {
        throw bad_usage("wheels are named, and with --gh, --repo or --existing releases too", "give one of the two");
    }
    if (!releases.any() && paths.empty()) {
        throw bad_usage("no wheels are named",
                        "give wheels or folders of wheels, or --gh for those of the farm's releases");
    }
    if (!releases.any() && !releases.packages.empty()) {
        throw bad_usage("--package says whose releases are asked for, but none are", "give --gh, or leave it out");
    }
    return releases.any() ? find_released(releases, farm, trust_git_config)
                          : local_wheels(expand_inputs(paths, InputKind::wheels));
}

}  // namespace wheelarch
