#include "cli/stamping.hpp"

#include <ctime>
#include <utility>

#include "base/program_version.hpp"
#include "ledger/build_info.hpp"
#include "ledger/expected.hpp"
#include "policy/arch_list.hpp"
#include "report/names.hpp"
#include "witness/toolkit.hpp"

namespace wheelarch {
namespace {

namespace json = boost::json;

// nvcc is recorded if it can have built the wheel.
Toolchain find_toolchain(const std::optional<Cuobjdump>& cuobjdump, const std::string& cuda) {
    Toolchain toolchain;
    const std::string nvcc = nvcc_release();
    if (cuda.empty() || nvcc.starts_with(cuda + ".")) {
        toolchain.nvcc = nvcc;
    }
    if (cuobjdump) {
        toolchain.cuobjdump = to_text(cuobjdump->version);
    }
    toolchain.wheelarch = program_version();
    return toolchain;
}

// As it is recorded; empty if nothing was requested.
std::string canonical_list(const std::string& arch_list) {
    return arch_list.empty() ? "" : canonical(parse_arch_list(arch_list, "the requested arch list"));
}

}  // namespace

Stamper::Stamper(const Build& build, const FileReading& reading, const Requirement* held_to)
    : build_(build), reading_(reading), arch_list_(canonical_list(build.facts.arch_list)), run_(run_facts()) {
    if (held_to != nullptr) {
        expected_ = expected_json(*held_to, arch_list_);
    }
}

void Stamper::stamp(const Inventory& inventory, StampedWheel& done) const {
    BuildInfoInput input;
    input.facts = completed(build_, parse_wheel_name(inventory.file_name));
    input.facts.arch_list = arch_list_;
    input.defaults_sha256 = build_.farm ? build_.farm->policy_sha256 : "";
    input.toolchain = find_toolchain(reading_.cuobjdump(), input.facts.cell.cuda);
    input.witnesses = witnesses(inventory);
    input.run = run_;
    input.expected = expected_;
    const json::object build_info = make_build_info(inventory, input);
    const auto entry_of = [&](const std::string& sha256, std::uint64_t size) {
        return inside(inventory.file_name,
                      [&] { return make_entry(build_info, inventory.file_name, sha256, size, std::time(nullptr)); });
    };
    entry_of(std::string(64, '0'), 0);  // throws before the wheel is touched if it could not be recorded
    done.stamped = stamp_wheel(inventory, canonical_text(build_info), source_date_epoch());
    done.entry = entry_of(done.stamped->sha256, done.stamped->size);
}

json::object stamped_json(const Stamped& stamped) {
    return {{"sha256", stamped.sha256}, {"size", stamped.size}, {"changed", stamped.changed}};
}

}  // namespace wheelarch
