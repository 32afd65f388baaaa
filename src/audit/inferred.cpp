#include "audit/inferred.hpp"

#include <utility>

#include <fmt/format.h>
#include <boost/json/object.hpp>

#include "audit/build_identity.hpp"
#include "base/error.hpp"
#include "ledger/build_facts.hpp"
#include "wheel/wheel_name.hpp"

namespace wheelarch {
namespace {

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
    const Package* package = package_of(farm, parse_wheel_name(file_name).distribution);
    if ((package != nullptr && package->device_code_none) || !observed(wheel.inventory).empty()) {
        return {};
    }
    return {{"no-device-code", Severity::warning, file_name, "no device code in it, and it is recorded so",
             "if that is meant, say `device_code: none` in its package's YAML; if not, build it again"}};
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
    input.facts.cell.package = package_name(wheel, package_of(farm, name.distribution), name);
    input.facts.arch_list.clear();
    input.toolchain = readers.toolchain;
    input.witnesses = readers.witnesses;
    input.run = no_run();
    boost::json::object build_info = make_build_info(inventory, input);
    if (wheel.stamp && wheel.stamp->facts.build_epoch && !wheel.stamp->facts.package_epoch) {
        // Its one number may be the farm's or the package's own: the entry is as undecided.
        build_info["schema"] = 1;
        build_info.erase("package_epoch");
        build_info.erase("epoch_why");
    }
    return inside(inventory.file_name,
                  [&] { return make_entry(build_info, inventory.file_name, wheel.sha256, inventory.size, now); });
}

}  // namespace wheelarch
