#include "cli/published.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/inputs.hpp"
#include "ledger/entry.hpp"
#include "plan/gh.hpp"

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

}  // namespace

std::unique_ptr<WheelSource> find_published(const std::vector<std::string>& paths, const ReleaseOptions& releases,
                                            const Farm* farm) {
    const bool asks = releases.ask_gh || !releases.repository.empty();
    if (asks && !paths.empty()) {
        throw bad_usage("wheels are named, and with --gh or --repo releases too", "give one of the two");
    }
    if (!asks && paths.empty()) {
        throw bad_usage("no wheels are named",
                        "give wheels or folders of wheels, or --gh for those of the farm's releases");
    }
    if (!asks && !releases.packages.empty()) {
        throw bad_usage("--package says whose releases are asked for, but none are", "give --gh, or leave it out");
    }
    return asks ? release_wheels(Releases(releases_repository(releases.repository)),
                                 release_packages(releases.packages, farm))
                : local_wheels(expand_inputs(paths, InputKind::wheels));
}

}  // namespace wheelarch
