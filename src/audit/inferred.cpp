#include "audit/inferred.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/json/object.hpp>

#include "base/error.hpp"
#include "ledger/build_facts.hpp"
#include "wheel/stamp.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

const Package* package_of(const Farm* farm, const WheelName& name) {
    if (farm == nullptr) {
        return nullptr;
    }
    const auto found = std::find_if(farm->packages.begin(), farm->packages.end(), [&](const Package& package) {
        return normal_name(package.name) == normal_name(name.distribution);
    });
    return found == farm->packages.end() ? nullptr : &*found;
}

std::string package_name(const PublishedWheel& wheel, const Package* package, const WheelName& name) {
    if (wheel.stamp && is_ledger_name(wheel.stamp->facts.cell.package)) {
        return wheel.stamp->facts.cell.package;
    }
    return package != nullptr ? package->name : normal_name(name.distribution);
}

// That a program was told nothing of the build is as if it were run nowhere.
boost::json::object no_run() {
    boost::json::object run = run_facts();
    for (auto& pair : run) {
        pair.value() = nullptr;
    }
    return run;
}

}  // namespace

std::vector<Finding> check_inference(const PublishedWheel& wheel, const Farm* farm) {
    const std::string& file_name = wheel.inventory.file_name;
    const WheelName name = parse_wheel_name(file_name);
    const Package* package = package_of(farm, name);
    std::vector<Finding> findings;
    const auto stamp_differs = [&](const std::string& message) {
        findings.push_back({"stamp-differs", Severity::error, fmt::format("{} → {}", file_name, kStampName), message,
                            "one of the two was changed after the build: find out which, and build the wheel again"});
    };
    for (const Finding& finding : wheel.stamp ? check_row(wheel.stamp->facts, name, file_name) : findings) {
        if (finding.severity == Severity::error) {
            stamp_differs("the stamp is of another build than the file name says: " + finding.message);
        }
    }
    if (wheel.stamp && package != nullptr) {
        const auto current = static_cast<std::uint64_t>(epoch(*farm, *package));
        const std::uint64_t stamped = wheel.stamp->facts.build_epoch.value_or(1);
        if (stamped > current) {
            stamp_differs(fmt::format("the stamp says epoch {}, the policy is at {}", stamped, current));
        }
    }
    const bool meant = package != nullptr && package->device_code_none;
    if (!meant && observed(wheel.inventory).empty()) {
        findings.push_back({"no-device-code", Severity::warning, file_name,
                            "no device code in it, and it is recorded so",
                            "if that is meant, say `device_code: none` in its package's YAML; if not, build it again"});
    }
    return findings;
}

Entry infer_entry(const PublishedWheel& wheel, const Farm* farm, const Readers& readers, std::int64_t now) {
    const Inventory& inventory = wheel.inventory;
    const WheelName name = parse_wheel_name(inventory.file_name);
    BuildInfoInput input;
    input.provenance = Provenance::inferred;
    input.facts = facts_of(name);
    if (wheel.stamp) {
        input.facts = filled(input.facts, wheel.stamp->facts);
    }
    input.facts.cell.package = package_name(wheel, package_of(farm, name), name);
    input.facts.arch_list.clear();
    input.toolchain = readers.toolchain;
    input.witnesses = readers.witnesses;
    input.run = no_run();
    return inside(inventory.file_name, [&] {
        return make_entry(make_build_info(inventory, input), inventory.file_name, wheel.sha256, inventory.size, now);
    });
}

}  // namespace wheelarch
