#include "audit/build_identity.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "ledger/build_facts.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

bool makes_version(const Package& package, const BuildFacts& named) {
    return package.version.empty() || comparable_version(package.version) == comparable_version(named.cell.version);
}

Finding other_build(const std::string& file_name, std::string message) {
    return {"other-build", Severity::error, file_name, std::move(message),
            "one of the two was changed after the build: find out which, and build the wheel again"};
}

}  // namespace

const Package* package_of(const Farm* farm, std::string_view name) {
    if (farm == nullptr) {
        return nullptr;
    }
    const std::string wanted = normal_name(name);
    const auto found = std::find_if(farm->packages.begin(), farm->packages.end(),
                                    [&](const Package& package) { return normal_name(package.name) == wanted; });
    return found == farm->packages.end() ? nullptr : &*found;
}

std::vector<Finding> check_build(const Claim& claim, std::string_view witness, const std::string& file_name,
                                 const Farm* farm) {
    const WheelName name = parse_wheel_name(file_name);
    const Package* own = package_of(farm, name.distribution);
    const std::string distribution = normal_name(name.distribution);
    const std::string& package = claim.facts.cell.package;
    std::vector<Finding> findings;
    std::vector<std::string> problems;
    for (const NamedDifference& one : differ_from_name(claim.facts, name)) {
        problems.push_back(fmt::format("{} {} against {}", one.what, printable(one.fact), printable(one.named)));
    }
    if (!package.empty() && normal_name(package) != distribution) {
        if (own != nullptr && makes_version(*own, facts_of(name))) {
            problems.push_back(fmt::format("package {} against {}, which the farm has", printable(package), own->name));
        } else {
            findings.push_back({"package-name", Severity::warning, file_name,
                                fmt::format("its {} is of package {}, the wheel's distribution is {}", witness,
                                            printable(package), distribution),
                                "whoever looks for the package's wheel by its name will not find it: give the package "
                                "the name of its distribution"});
        }
    }
    if (!problems.empty()) {
        findings.push_back(other_build(file_name, fmt::format("its {} is of another build than its file name says: {}",
                                                              witness, fmt::join(problems, "; "))));
    }
    return findings;
}

std::vector<Finding> check_stamped_epoch(const Claim& stamp, const std::string& file_name, const Farm* farm) {
    const Package* own = package_of(farm, parse_wheel_name(file_name).distribution);
    if (own == nullptr) {
        return {};
    }
    const Epochs today = epochs(*farm, *own);
    const BuiltAt built = {{stamp.facts.build_epoch.value_or(1), stamp.facts.package_epoch.value_or(0)},
                           !stamp.facts.package_epoch};
    const Epochs stamped = built.as_of(today.package > 0);
    if (reach(today, stamped)) {
        return {};
    }
    return {other_build(
        file_name, fmt::format("its stamp says epoch {}, but the policy is at {}", to_text(stamped), to_text(today)))};
}

}  // namespace wheelarch
